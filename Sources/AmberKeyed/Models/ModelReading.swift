// Room:   AmberKeyed / Models. Models from archived objects, by their schema.
// Takes:  a value of an archive and the plan of the type it shall have. Gives: the value, its objects complete.
// Touches: instances through AmberModel alone, which nobody else sees before all are complete.
//
// An object is made when it is first referred to and filled later, from a queue: no depth of the graph nests anything
// here, and a reference back finds its object. What hashes objects waits until these are filled.

import AmberModel
import Foundation

final class ModelReader {
    let coder: UnarchivingCoder
    /// Instances that are made and not filled yet, in the order of their making.
    var queue: [Making] = []
    /// How many of them were filled.
    var filled = 0
    /// Whether values of a plan must wait until objects are complete.
    private var waits: [ObjectIdentifier: Bool] = [:]
    var makings: [UInt32: Making] = [:]
    private var waiting: [Waiting] = []
    var values = 0
    /// The property at hand, and the object that it is of.
    private var place: (making: Making, field: FieldPlan)?
    /// The object that is the root.
    private var rootNumber: UInt32?
    /// The types that the property at hand takes.
    var allowed: AllowedTypes?
    /// What stands for objects that gave way to others.
    var replacements = Replacements()
    /// What archives hold for instances whose classes keep what they don't have.
    var unknown: [(making: Making, contents: [(name: String, content: Content)])] = []
    var keptUnknown: [(making: Making, values: ArchivedValues)] = []
    var dynamicObjects: DynamicReader?
    var migrating: DynamicReader?
    /// The properties of structs of older versions, by the numbers of their dictionaries.
    var migratedStructures: [UInt32: [(Int, Content)]] = [:]
    /// Whether a struct was made that refers to objects and is to be told of its decoding when all are complete.
    var hasUntoldStructs = false

    final class Making {
        let number: UInt32
        let builder: InstanceBuilder
        let record: PlistDictionary
        /// Its class, if that says for each property what else it may hold.
        let model: ModelObject.Type?
        var version = 0
        var openProperties = 0
        var isComplete = false

        init(number: UInt32, builder: InstanceBuilder, record: PlistDictionary) {
            self.number = number
            self.builder = builder
            self.record = record
            model = builder.plan.type as? ModelObject.Type
        }
    }

    /// A property whose value can be made only when the objects in it are complete.
    private struct Waiting {
        var making: Making
        var index: Int
        var content: Content
        var plan: ValuePlan
        var objects: [UInt32]
    }

    init(_ coder: UnarchivingCoder) {
        self.coder = coder
    }

    // MARK: Roots

    /// The value of a type, with everything below it.
    func root(_ stored: PlistValue, _ plan: ValuePlan) throws(KeyedFailure) -> Any {
        begin()
        defer { end() }
        if case .reference = plan.shape { rootNumber = stored.reference }
        var objects: [UInt32] = []
        try touch(stored, plan, &objects, depth: 0)
        try fill()
        let value = try self.value(stored, plan, depth: 0)
        // A value of unknown type may have led to objects that nothing else has.
        try fill()
        try keepUnknown()
        return try callHooks(value, plan)
    }

    /// The object of a number, which is a model's, with everything below it.
    func object(_ number: UInt32, _ type: AnyClass) throws(KeyedFailure) -> AnyObject {
        begin()
        defer { end() }
        rootNumber = number
        let object = try instance(number, type)
        try fill()
        try keepUnknown()
        _ = try callHooks(nil, nil)
        return replacements[object] ?? object
    }

    /// The way to the property at hand: from the top of the archive, or from the object that has it.
    var path: [String] {
        guard let place else { return coder.path }
        let name = place.field.sourceName
        if place.making.number == rootNumber { return coder.path + [name] }
        return ["\(place.making.builder.plan.name)#\(place.making.number)", name]
    }

    func failure(_ code: KeyedFailure.Code, _ message: String) -> KeyedFailure {
        KeyedFailure(code, message, path: path)
    }

    /// Runs `body`; what it throws happened a step further on.
    func at<R>(
        _ step: @autoclosure () -> String, _ body: () throws(KeyedFailure) -> R
    ) throws(KeyedFailure) -> R {
        do throws(KeyedFailure) { return try body() } catch { throw error.within(step(), after: path.count) }
    }

    // MARK: Filling

    private func fill() throws(KeyedFailure) {
        while filled < queue.count || !waiting.isEmpty {
            while filled < queue.count {
                filled += 1
                try fill(queue[filled - 1])
            }
            try settle()
        }
    }

    private func fill(_ making: Making) throws(KeyedFailure) {
        let migrated = try migrate(making)
        let plan = making.builder.plan
        var others: [(name: String, content: Content)] = []
        if plan.migrations.apply(to: making.version, below: plan.version) {
            for (name, content) in try migratedContents(of: making) {
                if try !fill(making, name, content, except: migrated) { others.append((name, content)) }
            }
        } else {
            for entry in making.record.entries where !Self.isReserved(entry.key) {
                let name = Self.userKey(entry.key)
                if try !fill(making, name, .stored(entry.value), except: migrated), plan.unknownProperties != nil {
                    others.append((name, .stored(entry.value)))
                }
            }
        }
        if plan.unknownProperties != nil, !others.isEmpty { unknown.append((making, others)) }
        place = nil
        if making.openProperties == 0 { try complete(making) }
    }

    /// Gives a property what the archive has for it, now or later; false if there is no such property.
    private func fill(
        _ making: Making, _ name: String, _ content: Content, except migrated: Set<Int>
    ) throws(KeyedFailure) -> Bool {
        guard let index = making.builder.index(of: name) else { return false }
        let field = making.builder.fields[index]
        guard !migrated.contains(index), field.destinations.contains(.keyed) else { return true }
        place = (making, field)
        let gates = coder.gates.count
        open(field, of: making)
        defer { close(gates) }
        if field.ownership != .strong {
            guard case .reference(let base) = field.plan.shape else { return true }
            try set(making, index, try object(content, base.base) as Any)
        } else if mustWait(field.valuePlan) {
            var objects: [UInt32] = []
            try touch(content, field.valuePlan, &objects, depth: 0)
            making.openProperties += 1
            waiting.append(
                Waiting(making: making, index: index, content: content, plan: field.valuePlan, objects: objects))
        } else {
            try set(making, index, try value(content, field.valuePlan, depth: 0))
        }
        return true
    }

    /// Lets what a property may hold be made, besides what the caller allows.
    private func open(_ field: FieldPlan, of making: Making) {
        allowed = field.allowed
        guard let type = making.model else { return }
        let classes = type.allowedClasses(forProperty: field.name)
        if !classes.isEmpty { coder.gates.append(ClassGate((coder.gates.last?.classes ?? []) + classes)) }
    }

    private func close(_ gates: Int) {
        allowed = nil
        coder.gates.removeLast(coder.gates.count - gates)
    }

    /// Whether making a value calls code that may look at the objects in it.
    private func mustWait(_ plan: ValuePlan) -> Bool {
        guard plan.mayWait else { return false }
        if let known = waits[ObjectIdentifier(plan)] { return known }
        let result = plan.hashesObjects
        waits[ObjectIdentifier(plan)] = result
        return result
    }

    /// Runs `body` while what is read is to be of the types that a property takes.
    func taking<R>(_ types: AllowedTypes?, _ body: () throws(KeyedFailure) -> R) throws(KeyedFailure) -> R {
        let outer = allowed
        defer { allowed = outer }
        allowed = types ?? outer
        return try body()
    }

    /// Sets what the class itself makes of an older archive; gives the indices of these properties.
    private func migrate(_ making: Making) throws(KeyedFailure) -> Set<Int> {
        let plan = making.builder.plan
        guard let type = plan.type as? any KeyedMigrating.Type else { return [] }
        var migrated: Set<Int> = []
        let key = "externalRepresentation"
        if let stored = making.record[key], making.builder.index(of: key) == nil {
            guard let dictionary = try dynamic(stored, depth: 0) as? [String: Any],
                let properties = type.properties(fromExternalRepresentation: dictionary, version: making.version)
            else {
                throw failure(.codingFailed, "\(plan.name) makes nothing of its archive's external representation.")
            }
            for (name, value) in properties {
                guard let index = making.builder.index(of: name) else { continue }
                try set(making, index, value)
                migrated.insert(index)
            }
        }
        guard making.version < plan.version else { return migrated }
        let values = KeyedValues(reader: self, record: making.record)
        for (index, field) in making.builder.fields.enumerated() where field.destinations.contains(.keyed) {
            do {
                guard let value = try type.value(of: field.name, from: values, version: making.version) else {
                    continue
                }
                try set(making, index, value)
                migrated.insert(index)
            } catch let error as KeyedFailure {
                throw error
            } catch {
                throw failure(.codingFailed, "\(plan.name).\(field.name): \(error)")
            }
        }
        return migrated
    }

    private func set(_ making: Making, _ index: Int, _ value: Any) throws(KeyedFailure) {
        do {
            try making.builder.set(index, value)
        } catch {
            throw failure(error)
        }
    }

    private func complete(_ making: Making) throws(KeyedFailure) {
        do {
            try making.builder.complete()
            coder.slots[Int(making.number)].object = making.builder.unfinished
            coder.slots[Int(making.number)].state = .done
            making.isComplete = true
        } catch {
            throw failure(.valueNotFound, "\(making.builder.plan.name): \(error)")
        }
    }

    private func begin() { coder.modelReaders.append(self) }

    /// Takes back what was made when not all of it could be.
    private func end() {
        coder.modelReaders.removeLast()
        for making in queue where making.isComplete {
            coder.slots[Int(making.number)].object = nil
            coder.slots[Int(making.number)].state = .untouched
        }
        InstanceBuilder.abandon(queue.map(\.builder))
        queue.removeAll()
        makings.removeAll()
        waiting.removeAll()
        unknown.removeAll()
        dynamicObjects?.abandon()
        (dynamicObjects, keptUnknown) = (nil, [])
    }

    /// Makes the values that waited, those first whose objects are complete.
    private func settle() throws(KeyedFailure) {
        while !waiting.isEmpty {
            let ready = waiting.filter { item in item.objects.allSatisfy { makings[$0]?.isComplete ?? true } }
            // In a ring of objects that hash each other none is ever ready. Those made by an initializer are whole
            // already, if not yet themselves; others would be looked at before they are anything.
            let chosen =
                ready.isEmpty
                ? waiting.filter { item in
                    item.objects.allSatisfy {
                        makings[$0].map { $0.isComplete || $0.builder.plan.hasInitializer } ?? true
                    }
                } : ready
            guard let first = chosen.first else {
                throw failure(.cycle, "Sets or dictionaries hold each other's objects. Give their classes an init().")
            }
            let batch = ready.isEmpty ? [first] : ready
            let numbers = Set(batch.map { [Int($0.making.number), $0.index] })
            waiting.removeAll { numbers.contains([Int($0.making.number), $0.index]) }
            for item in batch {
                let field = item.making.builder.fields[item.index]
                place = (item.making, field)
                let gates = coder.gates.count
                open(field, of: item.making)
                defer { close(gates) }
                try set(item.making, item.index, try value(item.content, item.plan, depth: 0))
                place = nil
                item.making.openProperties -= 1
                if item.making.openProperties == 0 { try complete(item.making) }
            }
            // A value of unknown type may have led to objects that are not filled yet.
            if filled < queue.count { return }
        }
    }
}
