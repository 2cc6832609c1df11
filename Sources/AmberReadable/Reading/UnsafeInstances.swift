// Room:   AmberReadable / Reading. The objects of a document: made when they are met, filled one after the other, given out when all are whole.
// Takes:  classes. Gives: instances; their fields moved into place at the end, or everything undone.
// Touches: instances that nobody else has seen.
//
// Invariants
// 1. Each instance is held with one reference until `release` or `discard`.
// 2. An instance made by `init()` is whole at any time: what is read for it is kept aside (`shadow`) until `commit`, and then
//    what `init()` left is, until `release` drops it or `discard` puts it back. One made without an initializer is filled
//    in place; until it is complete its fields are uninitialised but for `set`.
// 3. Weak and unowned fields are stored by `commit` alone.
// 4. `discard` destroys everything that was read before it frees the first object.
// 5. An object of the program's keeps what it had in `Former`, whose memory has values of the fields that were set, until
//    `release` drops them or `discard` puts them back.

internal import AmberModel

/// One object being read.
@safe
struct ReadInstance {
    let text: TextClass
    let address: ObjectAddress
    let shadow: UnsafeMutableRawPointer?
    let node: Int
    var set = FieldSet()
    /// Whether an instance without initializer has all its fields.
    var isComplete = false
    /// What an instance of the program's had before it was updated; it is whole at any time.
    var former: Former?
    /// Whether the instance is one of the program's, to be updated.
    var isAdopted: Bool { former != nil }

    /// Where fields are read to.
    var base: UnsafeMutableRawPointer { unsafe shadow ?? address }
    /// Whether all fields are initialised, whatever was read.
    var isWhole: Bool { text.plan.hasInitializer || isAdopted }
    /// The object; to be stored, not used.
    var object: AnyObject { unsafe AmberModel.object(at: address) }
}

/// What an object had before it was updated.
@safe
final class Former {
    fileprivate let memory: UnsafeMutableRawPointer
    /// Whether the memory holds values.
    fileprivate var isFilled = false
    fileprivate var weaks: [(field: Int, target: AnyObject?)] = []
    fileprivate var unknown: UnknownProperties?

    fileprivate init(_ plan: ClassPlan) {
        unsafe memory = .allocate(
            byteCount: max(plan.instanceSize, 16), alignment: max(plan.alignmentMask + 1, 16))
    }

    deinit { unsafe memory.deallocate() }
}

/// All objects of a document.
@safe
struct Instances {
    private(set) var all: ContiguousArray<ReadInstance> = []
    private var numbers: ContiguousArray<Int32> = []
    private var weaks: [(instance: Int, field: Int, target: AnyObject?)] = []
    private var committed = 0

    var count: Int { all.count }
    subscript(_ number: Int) -> ReadInstance { all[number] }

    /// The number of the instance of a node.
    func number(of node: Int) -> Int? {
        guard node < numbers.count, numbers[node] > 0 else { return nil }
        return Int(numbers[node]) - 1
    }

    /// Makes an instance for a node; `nil` if `init()` gave one of another class.
    mutating func make(_ text: TextClass, node: Int, nodes: Int) -> Int? {
        let plan = text.plan
        let address: ObjectAddress
        var shadow: UnsafeMutableRawPointer?
        if plan.hasInitializer {
            guard let made = unsafe plan.makeByInitializer() else { return nil }
            unsafe address = made
            unsafe shadow = .allocate(
                byteCount: max(plan.instanceSize, 16), alignment: max(plan.alignmentMask + 1, 16))
        } else {
            unsafe address = plan.allocate()
        }
        if numbers.count < nodes { numbers += Array(repeating: 0, count: nodes - numbers.count) }
        unsafe all.append(ReadInstance(text: text, address: address, shadow: shadow, node: node))
        numbers[node] = Int32(all.count)
        return all.count - 1
    }

    /// Takes an instance of the program's, which is given what a node has.
    mutating func adopt(_ object: AnyObject, _ text: TextClass, node: Int, nodes: Int) {
        let shadow = UnsafeMutableRawPointer.allocate(
            byteCount: max(text.plan.instanceSize, 16), alignment: max(text.plan.alignmentMask + 1, 16))
        let address = unsafe objectAddress(object)
        unsafe retainObject(address)
        numbers = ContiguousArray(repeating: 0, count: nodes)
        var instance = unsafe ReadInstance(text: text, address: address, shadow: shadow, node: node)
        instance.former = Former(text.plan)
        all.append(instance)
        numbers[node] = Int32(all.count)
    }

    mutating func setWeak(_ instance: Int, _ field: Int, _ target: AnyObject?) {
        weaks.append((instance, field, target))
    }

    mutating func update(_ instance: Int, _ set: FieldSet, isComplete: Bool) {
        all[instance].set = set
        all[instance].isComplete = isComplete
    }

    // MARK: The end

    /// Moves into place what was read for the instances filled so far.
    mutating func commit() {
        while committed < all.count {
            let instance = all[committed]
            if let shadow = unsafe instance.shadow {
                for (index, field) in instance.text.fields.fields.enumerated()
                where field.field.ownership.isStrong && instance.set.contains(index) {
                    let place = unsafe instance.address + field.field.offset
                    let witnesses = field.text.plan.witnesses
                    if let former = instance.former {
                        unsafe witnesses.move(to: former.memory + field.field.offset, from: place)
                        unsafe witnesses.move(to: place, from: shadow + field.field.offset)
                    } else {
                        unsafe Self.swap(place, shadow + field.field.offset, witnesses)
                    }
                }
                if let former = instance.former {
                    unsafe shadow.deallocate()
                    former.isFilled = true
                }
            }
            committed += 1
        }
        for (number, index, target) in weaks {
            let instance = all[number]
            let field = instance.text.fields.fields[index].field
            let place = unsafe instance.address + field.offset
            // What an unowned reference refers to may be gone.
            if let former = instance.former, field.canBeNil {
                former.weaks.append((index, unsafe loadReference(at: place, field.ownership)))
            }
            if instance.isWhole { unsafe destroyReference(at: place, field.ownership) }
            unsafe storeReference(target.map { unsafe objectAddress($0) }, at: place, field.ownership)
        }
        weaks = []
    }

    /// Replaces a field of a whole instance by a value, which is moved out of `fresh`.
    func replace(_ instance: Int, _ field: borrowing TextField, by fresh: TemporaryValues) {
        let place = unsafe all[instance].address + field.field.offset
        unsafe field.text.plan.witnesses.destroy(place)
        unsafe field.text.plan.witnesses.move(to: place, from: fresh.base)
        fresh.initialized = 0
    }

    /// Sets a computed property of a whole instance to what its surrogate in `copy` stands for.
    func set(_ bridged: BridgedPlan, of instance: Int, to copy: TemporaryValues) throws {
        try unsafe bridged.access.makeValue(from: copy.base, at: all[instance].address)
    }

    /// Gives a whole instance what its class doesn't know.
    func keep(_ instance: Int, _ unknown: UnknownProperties) {
        guard let offset = all[instance].text.plan.unknownProperties else { return }
        let place = unsafe (all[instance].address + offset).assumingMemoryBound(to: UnknownProperties.self)
        if let former = all[instance].former { former.unknown = unsafe place.pointee }
        unsafe place.pointee = unknown
    }

    private static func swap(
        _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer, _ witnesses: ValueWitnesses
    ) {
        unsafe withUnsafeTemporaryAllocation(byteCount: max(witnesses.size, 1), alignment: witnesses.alignmentMask + 1)
        { spare in
            guard let spare = spare.baseAddress else { return }
            unsafe witnesses.move(to: spare, from: first)
            unsafe witnesses.move(to: first, from: second)
            unsafe witnesses.move(to: second, from: spare)
        }
    }

    /// Drops what `init()` left in the instances moved into place, or puts it back, which undoes cycles through them.
    private func endDefaults(puttingBack isUndone: Bool) {
        for instance in all[..<committed] where instance.former == nil {
            guard let shadow = unsafe instance.shadow else { continue }
            for (index, field) in instance.text.fields.fields.enumerated() where instance.hasRead(index) {
                let witnesses = field.text.plan.witnesses
                let kept = unsafe shadow + field.field.offset
                if isUndone {
                    let place = unsafe instance.address + field.field.offset
                    unsafe witnesses.destroy(place)
                    unsafe witnesses.move(to: place, from: kept)
                } else {
                    unsafe witnesses.destroy(kept)
                }
            }
            unsafe shadow.deallocate()
        }
    }

    /// Gives the objects out.
    mutating func release() {
        endDefaults(puttingBack: false)
        for instance in all {
            guard let former = instance.former, former.isFilled else { continue }
            former.isFilled = false
            for (index, field) in instance.text.fields.fields.enumerated() where instance.hasRead(index) {
                unsafe field.text.plan.witnesses.destroy(former.memory + field.field.offset)
            }
        }
        for index in all.indices { unsafe releaseObject(all[index].address) }
        all = []
    }

    /// Destroys what was read, and frees the objects.
    mutating func discard() {
        weaks = []
        for number in committed..<all.count {
            let instance = all[number]
            for (index, field) in instance.text.fields.fields.enumerated()
            where instance.set.contains(index) && field.field.ownership.isStrong {
                unsafe field.text.plan.witnesses.destroy(instance.base + field.field.offset)
            }
            if instance.isComplete, unsafe instance.shadow == nil {
                for field in instance.text.fields.omitted {
                    let place = unsafe instance.address + field.offset
                    if field.plan.ownership.isStrong {
                        unsafe field.plan.witnesses.destroy(place)
                    } else {
                        unsafe destroyReference(at: place, field.plan.ownership)
                    }
                }
            }
            unsafe instance.shadow?.deallocate()
        }
        endDefaults(puttingBack: true)
        for instance in all { restore(instance) }
        for number in all.indices {
            let instance = all[number]
            if number < committed || instance.isWhole {
                unsafe releaseObject(instance.address)
            } else {
                unsafe instance.text.plan.discard(instance.address)
            }
        }
        all = []
    }

    /// Gives an object of the program's what it had back.
    private func restore(_ instance: ReadInstance) {
        guard let former = instance.former else { return }
        if former.isFilled {
            former.isFilled = false
            for (index, field) in instance.text.fields.fields.enumerated() where instance.hasRead(index) {
                let place = unsafe instance.address + field.field.offset
                unsafe field.text.plan.witnesses.destroy(place)
                unsafe field.text.plan.witnesses.move(to: place, from: former.memory + field.field.offset)
            }
        }
        for (index, target) in former.weaks.reversed() {
            let field = instance.text.fields.fields[index].field
            let place = unsafe instance.address + field.offset
            unsafe destroyReference(at: place, field.ownership)
            unsafe storeReference(target.map { unsafe objectAddress($0) }, at: place, field.ownership)
        }
        former.weaks = []
        if let unknown = former.unknown, let offset = instance.text.plan.unknownProperties {
            unsafe (instance.address + offset).assumingMemoryBound(to: UnknownProperties.self).pointee = unknown
        }
    }
}

extension ReadInstance {
    /// Whether a field was read that holds its value.
    fileprivate func hasRead(_ index: Int) -> Bool {
        set.contains(index) && text.fields.fields[index].field.ownership.isStrong
    }
}
