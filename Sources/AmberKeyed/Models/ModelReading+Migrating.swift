// Room:   AmberKeyed / Models. Objects and structs of older versions, and what their types don't know.
// Takes:  the entries of a record and the version that wrote them. Gives: the values of today's properties, and the rest.
// Touches: the queue of instances, through `instance`.

import AmberModel
import Foundation

extension ModelReader {
    /// What a property is to be given.
    enum Content {
        /// A value as the archive has it.
        case stored(PlistValue)
        /// A value that a migration gave.
        case made(DynamicValue)
    }

    /// Whether a key of a record is none of the model's own.
    static func isReserved(_ key: String) -> Bool {
        key == ArchiveKey.classReference || key == ArchivingCoder.versionKey
    }

    /// What is under the keys of an object of an older version, as its class has it today.
    func migratedContents(of making: Making) throws(KeyedFailure) -> [(name: String, content: Content)] {
        let plan = making.builder.plan
        let entries = making.record.entries.filter { !Self.isReserved($0.key) }
        return try migrated(
            entries.map { (Self.userKey($0.key), $0.value) }, from: making.version, to: plan.version, plan.migrations,
            plan.name)
    }

    /// Takes properties through the steps from one version to another. What the steps leave alone stays as it is stored.
    func migrated(
        _ entries: [(name: String, value: PlistValue)], from version: Int, to known: Int, _ migrations: Migrations,
        _ name: String
    ) throws(KeyedFailure) -> [(name: String, content: Content)] {
        let reader = try migratingReader()
        var archived: [(name: String, value: DynamicValue)] = []
        for entry in entries {
            try count(depth: 0)
            do throws(KeyedFailure) { archived.append((entry.name, try reader.property(entry.value))) } catch {
                throw failure(error.code, error.message)
            }
        }
        var values = ArchivedValues(archived, sources: Array(entries.indices))
        do throws(DecodingFailure) {
            try migrations.migrate(&values, from: version, to: known, name, coder.readsNewer)
        } catch {
            throw failure(error, or: .codingFailed)
        }
        return values.map { entry in
            (entry.name, values.source(of: entry.name).map { .stored(entries[$0].value) } ?? .made(entry.value))
        }
    }

    /// Who shows the migrations what the archive holds; one for all, which knows what several records refer to.
    private func migratingReader() throws(KeyedFailure) -> DynamicReader {
        if let migrating { return migrating }
        let reader = DynamicReader(coder.document, limits: coder.limits)
        reader.isMigrating = true
        for entry in coder.document.top.entries { try reader.count(entry.value) }
        migrating = reader
        return reader
    }

    /// Refuses what is newer than the program, unless it is to be read all the same.
    func check(version: Int, of name: String, known: Int) throws(KeyedFailure) {
        guard version > known, !coder.readsNewer else { return }
        throw failure(.newerModel, DecodingFailure(newer: version, known, name).reason)
    }

    // MARK: Values that migrations give

    /// The value of a plan's type.
    func value(_ content: Content, _ plan: ValuePlan, depth: Int) throws(KeyedFailure) -> Any {
        switch content {
        case .stored(let stored): return try value(stored, plan, depth: depth)
        case .made(let value):
            var maker = maker
            maker.callsHooks = !plan.reachesObjects
            if plan.reachesObjects { hasUntoldStructs = true }
            do throws(DecodingFailure) { return try maker.make(value, plan) } catch { throw failure(error) }
        }
    }

    /// The object that a weak or unowned property is given.
    func object(_ content: Content, _ base: AnyClass) throws(KeyedFailure) -> AnyObject? {
        switch content {
        case .stored(let stored):
            return try target(of: stored).map { number throws(KeyedFailure) in
                try instance(number, base)
            }
        case .made(let value):
            guard !value.isNull else { return nil }
            guard case .object(let reference) = value else {
                throw failure(.typeMismatch, "\(value.words) was found where an object is expected.")
            }
            do throws(DecodingFailure) { return try resolved(reference, base) } catch { throw failure(error) }
        }
    }

    /// Makes the instances that a value will refer to, and lists them.
    func touch(
        _ content: Content, _ plan: ValuePlan, _ objects: inout [UInt32], depth: Int
    ) throws(KeyedFailure) {
        switch content {
        case .stored(let stored): try touch(stored, plan, &objects, depth: depth)
        case .made(let value): try touch(made: value, &objects)
        }
    }

    private func touch(made value: DynamicValue, _ objects: inout [UInt32]) throws(KeyedFailure) {
        switch value {
        case .object(let reference):
            guard let number = UInt32(exactly: reference.number), number > 0,
                let record = try record(.reference(number)), try isModel(record)
            else { return }
            _ = try instance(number, AnyModelClass.self)
            objects.append(number)
        case .some(let inner): try touch(made: inner, &objects)
        case .any(let any): try touch(made: any.value, &objects)
        case .array(let elements): for element in elements { try touch(made: element, &objects) }
        case .dictionary(let pairs):
            for pair in pairs {
                try touch(made: pair.key, &objects)
                try touch(made: pair.value, &objects)
            }
        case .structure(let structure): for entry in structure.values { try touch(made: entry.value, &objects) }
        case .enumeration(let item): if let payload = item.payload { try touch(made: payload, &objects) }
        case .null, .value: break
        }
    }

    private var maker: ValueMaker {
        var maker = ValueMaker { [self] reference, base throws(DecodingFailure) in try resolved(reference, base) }
        maker.readsNewer = coder.readsNewer
        return maker
    }

    private func resolved(_ reference: DynamicReference, _ base: AnyClass?) throws(DecodingFailure) -> AnyObject {
        guard let number = UInt32(exactly: reference.number), number > 0 else {
            return try ValueMaker.wholeObject(reference, base)
        }
        return try reading { () throws(KeyedFailure) -> AnyObject in
            let stored = PlistValue.reference(number)
            if let record = try record(stored), try isModel(record) {
                return try instance(number, base ?? AnyModelClass.self)
            }
            let allowed = (coder.gates.last?.classes ?? []) + ClassGate.values
            guard let object = try foundation(stored, base.map { allowed + [$0] } ?? allowed) else {
                throw failure(.valueNotFound, "A reference leads to nothing.")
            }
            return object
        }
    }

    private func isModel(_ record: PlistDictionary) throws(KeyedFailure) -> Bool {
        try coder.classes.type(record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver).isModel
    }

    // MARK: What a class doesn't know

    /// Gives instances what their classes don't have: values, and objects that nothing made anything of.
    ///
    /// No class is made for these: what the archive's own classes made already is referred to, all else is dynamic.
    func keepUnknown() throws(KeyedFailure) {
        guard !unknown.isEmpty else { return }
        let reader = DynamicReader(coder.document, limits: coder.limits)
        reader.isMadeElsewhere = { [self] number in
            makings[number] != nil || coder.slots[Int(number)].object != nil
        }
        var kept: [(making: Making, values: ArchivedValues)] = []
        do throws(KeyedFailure) {
            for entry in coder.document.top.entries { try reader.count(entry.value) }
            for item in unknown {
                var values: [(name: String, value: DynamicValue)] = []
                for (name, content) in item.contents {
                    switch content {
                    case .stored(let stored): values.append((name, try reader.property(stored)))
                    case .made(let value): values.append((name, value))
                    }
                }
                kept.append((item.making, ArchivedValues(values)))
            }
            try reader.finish()
        } catch {
            reader.abandon()
            throw failure(error.code, error.message)
        }
        unknown.removeAll()
        dynamicObjects = reader
        keptUnknown = kept
    }

    /// Lets what is unknown refer to the objects that were made, or that these gave way to.
    func resolveUnknown(_ made: [Making]) {
        guard let reader = dynamicObjects else { return }
        let instances = Dictionary(made.map { ($0.number, $0.builder.unfinished) }) { first, _ in first }
        reader.resolve { number in
            let object = instances[number] ?? coder.slots[Int(number)].object
            return object.map { replacements[$0] ?? $0 }
        }
        for (making, values) in keptUnknown {
            making.builder.plan.keep(UnknownProperties(values, origin: nil), in: making.builder.unfinished)
        }
        (dynamicObjects, keptUnknown) = (nil, [])
    }
}
