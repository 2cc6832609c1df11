// Room:   AmberBinary / Decoding. The instances of an archive: made first, filled class by class, given out at the end.
// Takes:  classes and counts. Gives: the object for each number.
// Touches: instances that nobody else has seen.
//
// Invariants
// 1. Each instance is held by the pools with one reference until `release` or `discard`.
// 2. Instances made by `init()` have initialised fields. Those that the archive fills are moved aside (`Defaults`)
//    before, and come back if decoding fails, so that the deinit meets what init() left.
// 3. Instances made without an initializer have uninitialised fields until their pool is filled; if decoding fails they
//    are freed without their deinit.
// 4. Objects that models' own code may have kept are released, never freed by force.
// 5. Several threads may look at a pool at once while nobody changes it.
// 6. While objects are discarded, all fields are destroyed before the first object is freed: nothing recurses.

internal import AmberModel
internal import Synchronization

/// The objects of one class.
@safe
struct InstancePool: @unchecked Sendable {
    let plan: ClassPlan
    let fields: FieldsPlan
    let count: Int
    let firstNumber: Int
    fileprivate(set) var objects: ContiguousArray<ObjectAddress> = unsafe []
    fileprivate(set) var defaults: Defaults?
    fileprivate(set) var isFilled = false

    var rows: Rows { unsafe Rows(objects) }

    /// One of the objects; to be stored, not used.
    func object(_ index: Int) -> AnyObject { unsafe AmberModel.object(at: objects[index]) }

    /// The filling of one of the objects, property by property.
    func refill(_ index: Int) -> Refill { unsafe Refill(plan, objects[index]) }
}

/// The objects of an archive by number.
@safe
struct InstancePools {
    private(set) var pools: [InstancePool] = []
    /// All objects; number 1 is the first.
    private var objects: ContiguousArray<ObjectAddress> = unsafe []
    private var count = 0
    /// For each class of a property, the pools whose objects it takes; `nil` when it takes all.
    private var allowed: [ObjectIdentifier: [Bool]?] = [:]

    var indices: Range<Int> { pools.indices }

    mutating func add(_ plan: ClassPlan, _ fields: FieldsPlan, count: Int) {
        unsafe pools.append(InstancePool(plan: plan, fields: fields, count: count, firstNumber: self.count + 1))
        self.count += count
    }

    /// Makes all instances.
    mutating func makeInstances() throws(DecodingFailure) {
        unsafe objects.reserveCapacity(count)
        for index in pools.indices {
            let plan = pools[index].plan
            unsafe pools[index].objects.reserveCapacity(pools[index].count)
            for _ in 0..<pools[index].count {
                guard let object = unsafe plan.hasInitializer ? plan.makeByInitializer() : plan.allocate() else {
                    discard()
                    throw DecodingFailure(
                        .unsupportedType, "`init()` of \(plan.name) gave an object of another class.")
                }
                unsafe pools[index].objects.append(object)
            }
            unsafe objects.append(contentsOf: pools[index].objects)
        }
    }

    /// The object with a number, which must be one of the archive's and of a class that `base` allows.
    @inline(__always)
    mutating func object(_ number: UInt64, of base: AnyClass) -> ObjectAddress? {
        guard number > 0, number <= UInt64(count) else { return nil }
        if let list = allowedPools(base) {
            guard list[pool(of: Int(number))] else { return nil }
        }
        return unsafe objects[Int(number) - 1]
    }

    /// The object with a number, when all are whole.
    func whole(_ number: Int) -> AnyObject? { unsafe object(UInt64(number)).map { unsafe AmberModel.object(at: $0) } }

    /// The name of an object's class, if this program doesn't have it.
    func unknownClass(of number: Int) -> String? {
        guard number > 0, number <= count, let slow = pools[pool(of: number)].fields.slow, slow.isUnknown else {
            return nil
        }
        return slow.definition.name
    }

    /// Whether some objects stand for others, which code of their own makes of them.
    var holdForeign: Bool { pools.contains { $0.fields.slow?.isForeign == true } }

    /// Whether an object stands for another, which code of its own makes of it.
    func isForeign(_ number: UInt64) -> Bool {
        guard number > 0, number <= UInt64(count) else { return false }
        return pools[pool(of: Int(number))].fields.slow?.isForeign == true
    }

    /// The object with a number, of any class.
    func object(_ number: UInt64) -> ObjectAddress? {
        unsafe number > 0 && number <= UInt64(count) ? objects[Int(number) - 1] : nil
    }

    /// The objects with these numbers: `false` if one isn't there or not of a class that `base` allows, or is zero
    /// where that isn't allowed.
    mutating func check(_ numbers: [UInt64], of base: AnyClass, allowingNil: Bool) -> Int? {
        let list = allowedPools(base)
        for (index, number) in numbers.enumerated() {
            if number == 0 {
                if !allowingNil { return index }
                continue
            }
            if number > UInt64(count) { return index }
            if let list, !list[pool(of: Int(number))] { return index }
        }
        return nil
    }

    /// Initialises references to objects by numbers that `check` accepted.
    func store(_ numbers: [UInt64], in rows: Rows, _ offset: Int, _ ownership: Ownership) {
        if ownership.isStrong { return unsafe rows.storeReferences(offset, numbers, objects) }
        unsafe rows.forEach(offset) { address, index in
            let number = Int(truncatingIfNeeded: numbers[index])
            unsafe storeReference(number == 0 ? nil : objects[number - 1], at: address, ownership)
        }
    }

    private func pool(of number: Int) -> Int {
        var low = 0
        var high = pools.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pools[middle].firstNumber <= number { low = middle } else { high = middle }
        }
        return low
    }

    private mutating func allowedPools(_ base: AnyClass) -> [Bool]? {
        if let known = allowed[ObjectIdentifier(base)] { return known }
        let list = pools.map { isSubclass($0.plan.type, of: base) }
        let result = list.contains(false) ? list : nil
        allowed[ObjectIdentifier(base)] = .some(result)
        return result
    }

    /// Moves aside what `init()` put into the fields that the archive fills.
    mutating func setDefaultsAside(_ index: Int, _ crew: Crew?) {
        if pools[index].plan.hasInitializer { pools[index].defaults = Defaults(pools[index], crew) }
    }

    /// Puts back what `init()` left, after filling failed.
    mutating func restoreDefaults(_ index: Int) {
        pools[index].defaults?.restore(pools[index])
        pools[index].defaults = nil
    }

    mutating func markFilled(_ index: Int) { pools[index].isFilled = true }

    /// Gives all objects out: they are held by each other and by the root now.
    mutating func release() {
        for pool in pools { pool.defaults?.destroy(pool) }
        for index in unsafe objects.indices { unsafe releaseObject(objects[index]) }
        unsafe objects = []
        pools = []
    }

    /// Lets go of all objects, after the models' own code failed: it may have kept some of them, so that none is freed
    /// by force. Instances made by `init()` get back what that left in them, which undoes cycles through them; others
    /// keep their properties, and a cycle among those alone stays.
    mutating func abandon() {
        for index in pools.indices where pools[index].plan.hasInitializer {
            pools[index].fields.destroyFilled(pools[index].rows)
            restoreDefaults(index)
        }
        for index in unsafe objects.indices { unsafe releaseObject(objects[index]) }
        unsafe objects = []
        pools = []
    }

    /// Destroys all objects, after decoding failed.
    mutating func discard() {
        for pool in pools where pool.isFilled {
            pool.fields.destroyFilled(pool.rows)
            if !pool.plan.hasInitializer { pool.fields.destroyUnfilled(pool.rows) }
        }
        for index in pools.indices where pools[index].isFilled { restoreDefaults(index) }
        for pool in pools {
            for index in unsafe pool.objects.indices {
                let object = unsafe pool.objects[index]
                if pool.plan.hasInitializer {
                    unsafe releaseObject(object)
                } else {
                    unsafe pool.plan.discard(object)
                }
            }
        }
        unsafe objects = []
        pools = []
    }
}

/// What `init()` left in the fields of a class's instances that the archive fills.
final class Defaults {
    /// One body that all instances had, or the body of each.
    private let bodies: TemporaryBytes
    private let isShared: Bool

    init(_ pool: InstancePool, _ crew: Crew?) {
        let size = pool.plan.instanceSize
        isShared = Self.areAlike(pool, crew)
        bodies = TemporaryBytes(size * (isShared ? 1 : pool.count))
        for index in 0..<(isShared ? 1 : pool.count) {
            unsafe (bodies.base + index * size).copyMemory(from: pool.objects[index], byteCount: size)
        }
    }

    /// Whether all instances have the same bits where the archive fills them.
    private static func areAlike(_ pool: InstancePool, _ crew: Crew?) -> Bool {
        if pool.count == 1 { return true }
        let filled = pool.fields.filledBytes
        guard let crew, pool.count >= crew.smallestBatch else { return areAlike(pool, filled, 0..<pool.count) }
        let parts = 16
        let results = Mutex([Bool](repeating: false, count: parts))
        crew.run(parts) { part in
            let range = pool.count * part / parts..<pool.count * (part + 1) / parts
            let areAlike = areAlike(pool, filled, range)
            results.withLock { $0[part] = areAlike }
        }
        return results.withLock { $0.allSatisfy { $0 } }
    }

    private static func areAlike(_ pool: InstancePool, _ filled: [Range<Int>], _ range: Range<Int>) -> Bool {
        let first = unsafe pool.objects[0]
        for index in range {
            let object = unsafe pool.objects[index]
            for bytes in filled {
                let (offset, size) = (bytes.lowerBound, bytes.count)
                guard unsafe equalMemory(object + offset, first + offset, size) else { return false }
            }
        }
        return true
    }

    private func forEachField(
        _ pool: InstancePool, _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, FieldsPlan.Destination) -> Void
    ) {
        let size = pool.plan.instanceSize
        for step in pool.fields.steps {
            guard let destination = step.destination else { continue }
            for index in 0..<pool.count {
                let saved = unsafe bodies.base + (isShared ? 0 : index * size) + destination.offset
                unsafe body(pool.objects[index] + destination.offset, saved, destination)
            }
        }
    }

    func restore(_ pool: InstancePool) {
        unsafe forEachField(pool) { field, saved, destination in
            unsafe field.copyMemory(from: saved, byteCount: destination.size)
        }
    }

    func destroy(_ pool: InstancePool) {
        for step in pool.fields.steps {
            guard let destination = step.destination else { continue }
            if destination.ownership.isStrong, destination.plan.target.witnesses.isTrivial { continue }
            let size = pool.plan.instanceSize
            if isShared, unsafe destination.holdsNothing(bodies.base + destination.offset) { continue }
            for index in 0..<pool.count {
                // The bits of a shared body stand for one value in each instance; each is destroyed once.
                let saved = unsafe bodies.base + (isShared ? 0 : index * size) + destination.offset
                unsafe withUnsafeTemporaryAllocation(byteCount: destination.size, alignment: 16) { copy in
                    guard let address = copy.baseAddress else { return }
                    unsafe address.copyMemory(from: saved, byteCount: destination.size)
                    unsafe destination.destroy(address)
                }
            }
        }
    }
}

extension FieldsPlan.Destination {
    /// Whether the value at an address needs no destroying: `nil`, or an empty string or array, as defaults mostly are.
    @unsafe
    func holdsNothing(_ address: UnsafeMutableRawPointer) -> Bool {
        guard ownership.isStrong else { return false }
        switch plan.target.shape {
        case .optional(let optional): return unsafe optional.isNil(address)
        case .string, .array, .collection: return unsafe EmptySingletons.isOne(address, of: plan.target.shape)
        default: return false
        }
    }

    /// Bytes of the stored property.
    var size: Int { ownership.isStrong ? plan.target.size : ownership.heldSize }

    /// Destroys the stored property in all rows.
    func destroy(_ rows: Rows, _ offset: Int) {
        if ownership.isStrong, plan.target.witnesses.isTrivial { return }
        unsafe rows.forEach(offset + self.offset) { address, _ in unsafe destroy(address) }
    }

    /// Destroys the stored property at its own address.
    @unsafe
    func destroy(_ address: UnsafeMutableRawPointer) {
        if ownership.isStrong {
            unsafe plan.target.witnesses.destroy(address)
        } else {
            unsafe destroyReference(at: address, ownership)
        }
    }
}

extension FieldsPlan {
    /// Destroys what the archive filled, in the first `count` steps.
    func destroyFilled(_ rows: Rows, _ offset: Int = 0, steps count: Int? = nil) {
        for index in 0..<(count ?? steps.count) { destroyFilled(rows, offset, step: index) }
    }

    /// Destroys what the archive filled in one step.
    func destroyFilled(_ rows: Rows, _ offset: Int, step index: Int) {
        steps[index].destination?.destroy(rows, offset)
    }

    /// Destroys what fallbacks filled, in the first `count` properties.
    func destroyUnfilled(_ rows: Rows, _ offset: Int = 0, count: Int? = nil) {
        for property in unfilled[..<(count ?? unfilled.count)] {
            unsafe rows.forEach(offset + property.offset) { address, _ in
                if property.ownership.isStrong {
                    unsafe property.witnesses.destroy(address)
                } else {
                    unsafe destroyReference(at: address, property.ownership)
                }
            }
        }
    }
}
