// Room:   AmberBinary / Decoding. Objects that need more than a place for each value: migrated, unknown, with unknown properties.
// Takes:  a pool. Gives: its objects filled, or emptied again by `undoRefills`.
// Touches: pools; objects through Refill.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Reads the objects of a pool by way of dynamic values.
    mutating func readSlowObjects(_ pool: InstancePool, _ slow: SlowFields) throws(DecodingFailure) {
        let members = slow.definition.members
        var rows: [ArchivedValues] = []
        if pool.count < version.rowLimit {
            for index in 0..<pool.count {
                do throws(DecodingFailure) { rows.append(try readDynamicMembers(members)) } catch {
                    throw error.within(.object(type: slow.definition.name, number: pool.firstNumber + index))
                }
            }
        } else {
            do throws(DecodingFailure) { rows = try readDynamicColumns(members, pool.count) } catch {
                throw error.within(.property(slow.definition.name))
            }
        }
        let origin = BinaryOrigin(archivedTypes, name: slow.definition.name, members: members)
        for (index, values) in rows.enumerated() {
            if let object = pool.object(index) as? DynamicObject {
                (object.className, object.version) = (slow.definition.name, slow.definition.version)
                (object.values, object.origin) = (values, origin)
                continue
            }
            do throws(DecodingFailure) { try refill(pool, index, values, slow, origin) } catch {
                throw error.within(.object(type: pool.plan.name, number: pool.firstNumber + index))
            }
        }
    }

    private mutating func refill(
        _ pool: InstancePool, _ index: Int, _ archived: ArchivedValues, _ slow: SlowFields, _ origin: BinaryOrigin
    ) throws(DecodingFailure) {
        let plan = pool.plan
        var values = archived
        let maker = valueMaker()
        try plan.migrations.migrate(
            &values, from: slow.definition.version, to: plan.version, plan.name, maker.readsNewer)
        let refill = pool.refill(index)
        refills.append(refill)
        let (matches, unknown) = plan.fields.matching(values)
        var later: [(index: Int, value: DynamicValue)] = []
        for (field, value) in matches {
            guard let place = plan.fields.firstIndex(where: { $0.name == field.name }) else { continue }
            if field.ownership == .strong, waits(field.plan) {
                later.append((place, value))
            } else {
                try Self.set(refill, place, value, maker)
            }
        }
        do { try refill.complete(except: Set(later.map(\.index))) } catch {
            throw DecodingFailure(.missingValue, offset: input.position, "\(error)")
        }
        if plan.unknownProperties != nil, !unknown.isEmpty {
            refill.keep(UnknownProperties(ArchivedValues(unknown), origin: origin))
        }
        if later.isEmpty { return }
        let step = CodingPath.Step.object(type: plan.name, number: pool.firstNumber + index)
        waiting.append {
            var first: DecodingFailure?
            for (place, value) in later {
                do throws(DecodingFailure) { try Self.set(refill, place, value, maker) } catch {
                    first = first ?? error
                }
            }
            if let first { throw first.within(step) }
        }
    }

    private static func set(
        _ refill: Refill, _ place: Int, _ value: DynamicValue, _ maker: ValueMaker
    ) throws(DecodingFailure) {
        let field = refill.plan.fields[place]
        do {
            try refill.set(place, try maker.make(value, field))
        } catch {
            let failure = (error as? DecodingFailure) ?? DecodingFailure(.typeMismatch, "\(error)")
            throw failure.within(.property(field.name))
        }
    }

    /// Empties what was filled in the slow way, after decoding failed.
    mutating func undoRefills() {
        for refill in refills.reversed() { refill.undo() }
        refills = []
    }

    /// Lets references be followed, and drops what was there before: everything is whole now.
    mutating func finishRefills() {
        for (number, reference) in references {
            guard let found = pools.whole(number) else { continue }
            let object = foreign?.finished(found) ?? found
            reference.object = replacements[object] ?? object
        }
        // Records have served: what they refer to is held by the objects made of them, or by nothing at all.
        let keepsRecords = pools.pools.contains { $0.fields.slow.map { !$0.isForeign } ?? false }
        for pool in pools.pools where pool.fields.slow?.isForeign == true {
            for index in 0..<pool.count {
                guard let record = pool.object(index) as? DynamicObject else { continue }
                if !keepsRecords || foreign?.finished(record) != nil { record.values = ArchivedValues() }
            }
        }
        for refill in refills { refill.commit() }
        (refills, references) = ([], [:])
    }
}
