// Room:   AmberBinary / Encoding. Which objects the graph has, before anything is written.
// Takes:  the root. Gives: the objects of each class in the order in which they were met, and a number for each.
// Touches: the graph, read through UnsafeGraphWalk; hooks of models.

internal import AmberModel

/// The objects of one class, in the order of their numbers.
@safe
struct ObjectPool {
    let plan: ClassPlan
    var objects: ContiguousArray<ObjectAddress> = unsafe []
    /// How many of them have been walked.
    var walked = 0
    /// The number of the first, when all are known.
    var firstNumber = 0
    /// Whether the class may have a `willEncode()`.
    var hasHook: Bool
    /// What the objects have that their Swift class doesn't give them.
    var dynamics: PoolDynamics?

    /// Whether the objects must be looked at before they are written.
    var isWalked: Bool { hasHook || dynamics != nil || plan.reachesObjects }

    init(_ plan: ClassPlan) {
        self.plan = plan
        hasHook = plan.model.hasWillEncode
    }
}

/// Collects the objects of a graph, class by class.
///
/// Nothing recurses from object to object: each pool is a queue, and the walk ends when no pool has an object left
/// that was not walked.
struct ObjectCollector: ~Copyable {
    private(set) var pools: [ObjectPool] = []
    private var table = ObjectTable()
    /// Types of values in existentials, by their number there.
    private(set) var dynamicTypes: [DynamicEntry] = []
    private var dynamicPools: [DynamicPoolKey: Int] = [:]
    /// The plans of classes whose objects may need pools apart.
    private var variedPlans: [ObjectIdentifier: ClassPlan] = [:]
    private var dynamicNumbers: [ObjectIdentifier: Int] = [:]
    private var inferredNumbers: [InferredType.Key: Int] = [:]
    private var poolNumbers: [ObjectIdentifier: Int] = [:]
    private var lastClass: ObjectIdentifier?
    private var lastPool = 0
    private var currentPool = 0
    /// Objects that only the encoder holds: loaded from weak fields, or made by hooks.
    private var kept: [AnyObject] = []
    /// Classes whose objects are archived as others.
    private var replacedClasses: Set<ObjectIdentifier> = []
    private var holdsAll = false

    init() {}

    /// The same objects with the same numbers, for another thread; no object may be met by either meanwhile.
    borrowing func shared() -> ObjectCollector {
        var other = ObjectCollector()
        (other.pools, other.dynamicTypes, other.dynamicNumbers) = (pools, dynamicTypes, dynamicNumbers)
        other.inferredNumbers = inferredNumbers
        other.table = table.shared()
        return other
    }

    // The number of an object until all are known: its pool above, its place in the pool below.
    private static let poolShift = 40

    /// Meets an object that must be archived.
    @inline(__always)
    mutating func meet(_ object: ObjectAddress) throws(EncodingFailure) {
        let type: AnyClass = unsafe classOfObject(at: object)
        if ObjectIdentifier(type) != lastClass, unsafe try !choosePool(of: type, object) { return }
        let place = unsafe pools[lastPool].objects.count
        if table.find(UInt(bitPattern: object), orInsert: lastPool &<< Self.poolShift | place) != nil { return }
        unsafe pools[lastPool].objects.append(object)
        if holdsAll { kept.append(unsafe AmberModel.object(at: object)) }
    }

    /// Holds every object met so far and from now on: the model's own code is about to run, and may drop some of them.
    mutating func holdAll() {
        if holdsAll { return }
        holdsAll = true
        for pool in pools {
            for index in unsafe pool.objects.indices { kept.append(unsafe AmberModel.object(at: pool.objects[index])) }
        }
    }

    /// Meets an object that nobody else may hold until the end.
    mutating func meet(keeping object: AnyObject) throws(EncodingFailure) {
        kept.append(object)
        try unsafe meet(objectAddress(object))
    }

    /// Chooses the pool of an object; `false` if another is archived for it, which has been met.
    private mutating func choosePool(of type: AnyClass, _ object: ObjectAddress) throws(EncodingFailure) -> Bool {
        let id = ObjectIdentifier(type)
        if !replacedClasses.isEmpty, replacedClasses.contains(id), try unsafe meetReplacement(of: object) {
            return false
        }
        if let known = poolNumbers[id] {
            lastPool = known
        } else {
            let plan: ClassPlan
            do throws(SchemaFailure) {
                if let known = variedPlans[id] { plan = known } else { plan = try PlanCache.shared.plan(for: type) }
            } catch {
                throw EncodingFailure(error)
            }
            if plan.isReplacedWhenEncoded, replacedClasses.insert(id).inserted {
                return try unsafe choosePool(of: type, object)
            }
            if plan.unknownProperties != nil || type == DynamicObject.self {
                variedPlans[id] = plan
                lastClass = nil
                unsafe chooseVariedPool(plan, object)
                return true
            }
            if pools.contains(where: { $0.plan.name == plan.name && $0.plan !== plan }), plan.type != DynamicObject.self
            {
                throw EncodingFailure(ambiguous: plan.name)
            }
            pools.append(ObjectPool(plan))
            lastPool = pools.count - 1
            poolNumbers[id] = lastPool
        }
        lastClass = replacedClasses.contains(id) ? nil : id
        return true
    }

    /// Meets what is archived for an object; `false` if that is the object itself.
    private mutating func meetReplacement(of object: ObjectAddress) throws(EncodingFailure) -> Bool {
        if table.number(UInt(bitPattern: object)) != nil { return true }
        holdAll()
        let original = unsafe AmberModel.object(at: object)
        var current = original
        var steps = 0
        while let model = current as? any ReplacedWhenEncoded {
            let next: AnyObject
            do { next = try model.replacementWhenEncoded() } catch {
                throw EncodingFailure(
                    .rejectedByHook,
                    "`replacementWhenEncoded()` of \(codingName(of: type(of: current))) threw: \(error)")
            }
            if next === current { break }
            kept.append(next)
            current = next
            steps += 1
            guard steps <= 16 else {
                throw EncodingFailure(
                    .rejectedByHook, "Replacements of a \(codingName(of: type(of: original))) are replaced without end."
                )
            }
        }
        if current === original { return false }
        kept.append(original)
        // An end that was met, or that replaces itself, is met as any other object.
        try unsafe meet(objectAddress(current))
        guard let number = unsafe table.number(UInt(bitPattern: objectAddress(current))) else { return false }
        _ = table.find(UInt(bitPattern: object), orInsert: number)
        return true
    }

    /// The pool of objects that have the same properties besides those of their class.
    private mutating func chooseVariedPool(_ plan: ClassPlan, _ object: ObjectAddress) {
        let dynamics: PoolDynamics?
        if let object = unsafe AmberModel.object(at: object) as? DynamicObject {
            let names = object.values.names
            dynamics = PoolDynamics(
                className: object.className, version: object.version, names: names,
                origin: object.origin as? BinaryOrigin)
        } else {
            let unknown = unsafe plan.unknownProperties(of: object) ?? UnknownProperties()
            // A property that the class has by now is not written twice.
            let names = unknown.values.names.filter { name in !plan.fields.contains { $0.name == name } }
            dynamics =
                names.isEmpty
                ? nil
                : PoolDynamics(
                    className: nil, version: plan.version, names: names, origin: unknown.origin as? BinaryOrigin)
        }
        let key = DynamicPoolKey(
            type: ObjectIdentifier(plan.type), className: dynamics?.className, version: dynamics?.version ?? 0,
            names: dynamics?.names ?? [], origin: dynamics?.origin.map { ObjectIdentifier($0) })
        if let known = dynamicPools[key] {
            lastPool = known
            return
        }
        var pool = ObjectPool(plan)
        pool.dynamics = dynamics
        pools.append(pool)
        lastPool = pools.count - 1
        dynamicPools[key] = lastPool
    }

    /// Calls `willEncode()` of an object, before its properties are looked at.
    mutating func callHook(_ pool: Int, _ object: ObjectAddress) throws(EncodingFailure) {
        let plan = pools[pool].plan
        defer { pools[pool].hasHook = plan.model.hasWillEncode }
        guard plan.model.hasWillEncode else { return }
        holdAll()
        do { try unsafe plan.model.willEncode(object: object) } catch {
            throw EncodingFailure(
                .rejectedByHook, at: CodingPath([.property(plan.name)]), "`willEncode()` threw: \(error)")
        }
    }

    /// The number of the type of a value in an existential, which is given one when it is met first.
    mutating func dynamicNumber(of type: Any.Type) throws(EncodingFailure) -> Int {
        if let known = dynamicNumbers[ObjectIdentifier(type)] { return known }
        let plan: ValuePlan
        do throws(SchemaFailure) { plan = try PlanCache.shared.plan(for: type) } catch { throw EncodingFailure(error) }
        let name = TypeResolver.name(of: type)
        if PlanCache.shared.isAmbiguous(name) { throw EncodingFailure(ambiguous: name) }
        dynamicNumbers[ObjectIdentifier(type)] = dynamicTypes.count
        dynamicTypes.append(.known(plan))
        return dynamicTypes.count - 1
    }

    /// The number of the type of a value whose type this program doesn't have.
    mutating func dynamicNumber(of any: DynamicAny) throws(EncodingFailure) -> Int {
        guard let origin = any.origin as? BinaryOrigin else { return inferredNumber(of: any) }
        if let known = dynamicNumbers[ObjectIdentifier(origin)] { return known }
        dynamicNumbers[ObjectIdentifier(origin)] = dynamicTypes.count
        dynamicTypes.append(.unknown(origin))
        return dynamicTypes.count - 1
    }

    /// The number of the type of a value that comes from no binary archive: its form tells its type.
    private mutating func inferredNumber(of any: DynamicAny) -> Int {
        let key = InferredType.Key(any)
        let number = inferredNumbers[key] ?? dynamicTypes.count
        if number == dynamicTypes.count {
            inferredNumbers[key] = number
            dynamicTypes.append(.inferred(InferredType(name: TypeName.archived(any.typeName))))
        }
        if case .inferred(let type) = dynamicTypes[number], type.wire == nil { type.values.append(any.value) }
        return number
    }

    /// The plan of a type in an existential.
    func plan(ofDynamic number: Int) -> ValuePlan? {
        if case .known(let plan) = dynamicTypes[number] { return plan }
        return nil
    }

    /// The number of a type in an existential that has been met.
    func knownDynamicNumber(of type: Any.Type) -> Int? { dynamicNumbers[ObjectIdentifier(type)] }

    /// The class of the next objects whose properties haven't been walked; `nil` when there are none left.
    mutating func nextPool() -> (number: Int, plan: ClassPlan)? {
        for _ in pools.indices {
            if currentPool >= pools.count { currentPool = 0 }
            let number = currentPool
            currentPool += 1
            let isDone = unsafe pools[number].walked == pools[number].objects.count
            if !isDone, pools[number].isWalked {
                return (number, pools[number].plan)
            }
        }
        return nil
    }

    /// The next object of a pool whose properties haven't been walked.
    @inline(__always)
    mutating func nextObject(in pool: Int) -> ObjectAddress? {
        let place = pools[pool].walked
        guard unsafe place < pools[pool].objects.count else { return nil }
        pools[pool].walked = place &+ 1
        return unsafe pools[pool].objects[place]
    }

    /// Numbers the objects from 1, class by class.
    mutating func number() {
        var next = 1
        for index in pools.indices {
            pools[index].firstNumber = next
            unsafe next += pools[index].objects.count
        }
        let firsts = pools.map(\.firstNumber)
        table.renumber { firsts[$0 >> Self.poolShift] + ($0 & (1 << Self.poolShift - 1)) }
    }

    /// The numbers of the objects that strong references refer to; `false` if some have none.
    func gatherNumbers(_ rows: Rows, _ offset: Int, into numbers: inout [UInt64]) -> Bool {
        table.gatherNumbers(rows, offset, into: &numbers)
    }

    /// The number of an object, or 0 when it isn't archived.
    @inline(__always)
    func number(of object: ObjectAddress?) -> Int {
        guard let object = unsafe object else { return 0 }
        return table.number(UInt(bitPattern: object)) ?? 0
    }
}

/// A type of values in existentials.
enum DynamicEntry {
    case known(ValuePlan)
    /// A type that this program doesn't have.
    case unknown(BinaryOrigin)
    /// A type of values that come from no binary archive.
    case inferred(InferredType)
}
