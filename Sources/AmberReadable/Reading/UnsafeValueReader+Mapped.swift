// Room:   AmberReadable / Reading. Types with a mapping of their own: each field is looked for where the mapping says.
// Takes:  nodes of an outside JSON. Gives: fields.
// Touches: memory of the fields.
//
// Invariants: those of UnsafeValueReader.

internal import AmberModel

extension ValueReader {
    mutating func readMapped(
        _ node: Int, _ fields: TextFields, _ mapping: CompiledMapping, at base: UnsafeMutableRawPointer,
        isInitialized: Bool, _ instance: Int?, _ set: inout FieldSet
    ) throws(DecodingFailure) {
        for (index, place) in mapping.fields.enumerated() where !place.rule.isExcluded {
            do throws(DecodingFailure) {
                if try unsafe readPlaced(node, fields.fields[index], place, index, at: base, isInitialized, instance) {
                    set.insert(index)
                }
            } catch {
                throw error.within(.property(fields.fields[index].field.name))
            }
        }
    }

    /// Reads a field from where it stands; `false` if it stands nowhere.
    private mutating func readPlaced(
        _ node: Int, _ field: TextField, _ place: CompiledMapping.Field, _ index: Int,
        at base: UnsafeMutableRawPointer, _ isInitialized: Bool, _ instance: Int?
    ) throws(DecodingFailure) -> Bool {
        var found: Int?
        if place.parts.isEmpty {
            for path in place.paths {
                guard let here = lookUp(path, from: node) else { continue }
                if found == nil || document.kind(found ?? here) == .null { found = here }
                if document.kind(here) != .null { break }
            }
        } else {
            found = gathered(place.parts, from: node)
        }
        if let null = found, document.kind(null) == .null, place.rule.takesNullAsAbsent { found = nil }
        guard let value = found else {
            guard let fallback = place.rule.fallback else { return false }
            try unsafe store(fallback(), field, at: base, isInitialized, node)
            return true
        }
        let outer = (rules.dates, rules.isLossy, cases)
        if let dates = place.rule.dates { rules.dates = dates }
        rules.isLossy = place.rule.isLossy
        cases = place.cases
        defer { (rules.dates, rules.isLossy, cases) = outer }
        guard let transformer = place.rule.transformer, !(place.isOptional && document.kind(value) == .null) else {
            try unsafe readField(value, field, index, at: base, isInitialized, instance)
            return true
        }
        let made: Any
        do { made = try transformer.decode(document.tree(value)) } catch {
            if let known = error as? DecodingFailure { throw known }
            throw failure(.rejectedByHook, value, "The transformer threw: \(error)")
        }
        try unsafe store(made, field, at: base, isInitialized, value)
        return true
    }

    /// Puts a Swift value in a field.
    private func store(
        _ value: Any, _ field: TextField, at base: UnsafeMutableRawPointer, _ isInitialized: Bool, _ node: Int
    ) throws(DecodingFailure) {
        let fresh = unsafe TemporaryValues(field.text.plan.witnesses, count: 1)
        guard field.field.ownership.isStrong, unsafe field.text.plan.erased.store(value, at: fresh.base) else {
            throw failure(
                .typeMismatch, node,
                "The mapping gives a \(codingName(of: type(of: value))) where \(codingName(of: field.text.plan.type)) is expected."
            )
        }
        let address = unsafe base + field.field.offset
        if isInitialized { unsafe field.text.plan.witnesses.destroy(address) }
        unsafe field.text.plan.witnesses.move(to: address, from: fresh.base)
    }

    /// What stands at a path; null where the way to it ends in null.
    private func lookUp(_ path: JSONPath, from node: Int) -> Int? {
        var here = node
        for step in path.steps {
            switch document.kind(here) {
            case .null: return here
            case .object:
                guard let next = document.child(here, step) else { return nil }
                here = next
            case .array:
                guard let index = Int(step), index >= 0, index < document.length(here) else { return nil }
                var child = here + 1
                for _ in 0..<index { child = document.end(child) }
                here = child
            default: return nil
            }
        }
        return here
    }

    /// An object of members that stand elsewhere; null if all are null, `nil` if there is none.
    private func gathered(_ parts: [(name: String, path: JSONPath)], from node: Int) -> Int? {
        let found = parts.compactMap { part in lookUp(part.path, from: node).map { (part.name, $0) } }
        if found.isEmpty { return nil }
        if found.allSatisfy({ document.kind($0.1) == .null }) { return found[0].1 }
        let object = document.add(.object, offset: Int(document[node].offset))
        for (name, value) in found {
            document.addText(name)
            _ = document.add(.jump, offset: value)
        }
        document.close(object, length: found.count)
        return object
    }

    /// The class that an object's content asks for.
    mutating func chosenClass(_ node: Int, _ base: AnyClass?) throws(DecodingFailure) -> AnyClass? {
        guard !rules.isReadable, let base else { return nil }
        let text: TextClass
        do throws(SchemaFailure) { text = try schema.plan(for: base) } catch { throw DecodingFailure(error) }
        guard let chooser = text.fields.mapping?.chooser else { return nil }
        let chosen: (any ModelProtocol.Type)?
        do { chosen = try chooser.choose(document.tree(node)) } catch {
            throw failure(.rejectedByHook, node, "The choice of a class threw: \(error)")
        }
        guard let chosen else { return nil }
        guard let type = chosen as? AnyClass, isSubclass(type, of: base) else {
            throw failure(
                .typeMismatch, node, "The class chosen, \(codingName(of: chosen)), is no \(codingName(of: base)).")
        }
        return type
    }

    /// Why an element can't be read; `nil` if it can. Objects of a trial are never given out.
    func trial(_ node: Int, _ text: TextPlan) -> DecodingFailure? {
        var reader = ValueReader(document, schema, rules)
        (reader.cases, reader.depth) = (cases, depth)
        let memory = unsafe TemporaryValues(text.plan.witnesses, count: 1)
        do throws(DecodingFailure) { try reader.read(root: memory, text, from: node) } catch { return error }
        return nil
    }
}
