// Room:   AmberReadable / Writing. Types with a mapping of their own: their fields go through a tree, to where the mapping puts them.
// Takes:  fields and where they go. Gives: events to a sink.
// Touches: fields at the offsets that plans give.
//
// Invariants: those of UnsafeValueWriter.

internal import AmberModel

extension ValueWriter where Sink: ~Copyable {
    mutating func write(
        mapped base: UnsafeRawPointer, _ fields: TextFields, _ mapping: CompiledMapping
    ) throws(EncodingFailure) {
        var tree = ReadableValue.object([])
        for (field, place) in zip(fields.fields, mapping.fields) where !place.rule.isExcluded {
            do throws(EncodingFailure) {
                guard let value = try unsafe self.tree(of: field, place, base) else { continue }
                if place.parts.isEmpty {
                    if let path = place.paths.first { tree = tree.setting(value, at: path.steps[...]) }
                } else {
                    for part in place.parts {
                        if let member = value[part.name] { tree = tree.setting(member, at: part.path.steps[...]) }
                    }
                }
            } catch {
                throw error.within(.property(field.field.name))
            }
        }
        if mapping.writesChooser, let chooser = mapping.chooser, let path = chooser.path, let type = writtenType,
            let name = chooser.names(type)
        {
            tree = tree.setting(.string(name), at: JSONPath(path).steps[...])
        }
        if rules.sortsKeys { tree = tree.sorted }
        for (key, value) in tree.object ?? [] {
            sink.key(text: key)
            value.replay(into: &sink)
        }
    }

    /// What a field is in JSON; `nil` if it isn't written.
    private mutating func tree(
        of field: TextField, _ place: CompiledMapping.Field, _ base: UnsafeRawPointer
    ) throws(EncodingFailure) -> ReadableValue? {
        let address = unsafe base + field.field.offset
        let writesNull = place.rule.writesNull ?? !rules.omitsNil
        if let transformer = place.rule.transformer, field.field.ownership.isStrong {
            if place.isOptional, try unsafe isNull(address, field.text) { return writesNull ? .null : nil }
            do {
                if let value = try transformer.encode(unsafe field.text.plan.erased.load(from: address)) {
                    return value
                }
            } catch {
                throw EncodingFailure(.codable, "The transformer threw: \(error)")
            }
            throw EncodingFailure(
                .invalidRules,
                "The transformer takes values of another type than \(codingName(of: field.text.plan.type)).")
        }
        var inner = rules
        inner.dates = place.rule.dates ?? rules.dates
        inner.cases = place.cases
        var writer = ValueWriter<TreeSink>(TreeSink(SinkTraits()), schema, inner)
        (writer.active, writer.held, writer.nesting, writer.depth) = (active, held, nesting, depth)
        writer.isConditional = isConditional || field.field.isConditional
        unsafe (writer.root, writer.rootPlan) = unsafe (root, rootPlan)
        guard field.field.ownership.isStrong else {
            guard let object = unsafe loadReference(at: address, field.field.ownership),
                !active.contains(UInt(bitPattern: unsafe objectAddress(object)))
            else { return writesNull ? .null : nil }
            guard case .reference(let reference) = field.text.kind else { return nil }
            try writer.write(object, expected: reference.base)
            held = writer.held
            return writer.sink.root.isNull && !writesNull ? nil : writer.sink.root
        }
        try unsafe writer.write(address, field.text)
        held = writer.held
        let value = writer.sink.root
        return value.isNull && place.isOptional && !writesNull ? nil : value
    }
}
