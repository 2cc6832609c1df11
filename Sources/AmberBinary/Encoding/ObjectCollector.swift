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
}

/// Collects the objects of a graph, class by class.
///
/// Nothing recurses from object to object: each pool is a queue, and the walk ends when no pool has an object left
/// that was not walked.
struct ObjectCollector {
    private(set) var pools: [ObjectPool] = []
    private(set) var table = ObjectTable()
    /// Types of values in existentials, by their number there.
    private(set) var dynamicTypes: [ValuePlan] = []
    private var dynamicNumbers: [ObjectIdentifier: Int] = [:]
    private var poolNumbers: [ObjectIdentifier: Int] = [:]
    private var lastClass: ObjectIdentifier?
    private var lastPool = 0
    private var currentPool = 0
    /// Objects that only the encoder holds: loaded from weak fields, or made by hooks.
    private var kept: [AnyObject] = []

    // The number of an object until all are known: its pool above, its place in the pool below.
    private static let poolShift = 40

    /// Meets an object that must be archived.
    mutating func meet(_ object: ObjectAddress) throws(EncodingFailure) {
        let type: AnyClass = unsafe classOfObject(at: object)
        let pool: Int
        if ObjectIdentifier(type) == lastClass {
            pool = lastPool
        } else {
            pool = try self.pool(of: type)
        }
        var isNew = false
        let place = unsafe pools[pool].objects.count
        _ = table.number(UInt(bitPattern: object)) { _ in
            isNew = true
            return pool << Self.poolShift | place
        }
        if isNew {
            unsafe pools[pool].objects.append(object)
            unsafe try callHook(pools[pool].plan, object)
        }
    }

    /// Meets an object that nobody else may hold until the end.
    mutating func meet(keeping object: AnyObject) throws(EncodingFailure) {
        kept.append(object)
        try unsafe meet(objectAddress(object))
    }

    private mutating func pool(of type: AnyClass) throws(EncodingFailure) -> Int {
        let id = ObjectIdentifier(type)
        let number: Int
        if let known = poolNumbers[id] {
            number = known
        } else {
            number = pools.count
            do throws(SchemaFailure) {
                unsafe pools.append(ObjectPool(plan: try PlanCache.shared.plan(for: type)))
            } catch {
                throw EncodingFailure(error)
            }
            poolNumbers[id] = number
        }
        (lastClass, lastPool) = (id, number)
        return number
    }

    private func callHook(_ plan: ClassPlan, _ object: ObjectAddress) throws(EncodingFailure) {
        guard plan.model.hasWillEncode else { return }
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
        dynamicNumbers[ObjectIdentifier(type)] = dynamicTypes.count
        dynamicTypes.append(plan)
        return dynamicTypes.count - 1
    }

    /// The number of a type in an existential that has been met.
    func knownDynamicNumber(of type: Any.Type) -> Int? { dynamicNumbers[ObjectIdentifier(type)] }

    /// The next object whose properties haven't been walked, and its class; `nil` when there is none left.
    mutating func next() -> (ClassPlan, ObjectAddress)? {
        for _ in 0...pools.count {
            if currentPool >= pools.count { currentPool = 0 }
            guard currentPool < pools.count else { return nil }
            let plan = pools[currentPool].plan
            if plan.references.isEmpty { unsafe pools[currentPool].walked = pools[currentPool].objects.count }
            let place = pools[currentPool].walked
            if unsafe place < pools[currentPool].objects.count {
                pools[currentPool].walked = place + 1
                return unsafe (plan, pools[currentPool].objects[place])
            }
            currentPool += 1
        }
        return nil
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

    /// The number of an object, or 0 when it isn't archived.
    @inline(__always)
    func number(of object: ObjectAddress?) -> Int {
        guard let object = unsafe object else { return 0 }
        return table.number(UInt(bitPattern: object)) ?? 0
    }
}
