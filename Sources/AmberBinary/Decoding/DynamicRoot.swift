// Room:   AmberBinary / Decoding. A whole archive read without the Swift types that it was written with.
// Takes:  a reader over the archive. Gives: its root as a dynamic value, all objects dynamic ones.
// Touches: ByteReader.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Reads the archive's root and all objects without types.
    mutating func readDynamicRoot() throws(DecodingFailure) -> DynamicValue {
        let flags: Header.Flags
        let start = input.position
        (version, flags) = try Header.read(from: &input)
        guard !flags.contains(.fingerprint) else {
            throw DecodingFailure(
                .typeMismatch, offset: start,
                "The archive was written without its schema: only a program with its types can read it. Write it with "
                    + "`.embedded`.")
        }
        let root = try readWrittenSchema()
        if flags.contains(.moreTypes) { try readMoreTypes() }
        if flags.contains(.objects) {
            let plan: ValuePlan
            do throws(SchemaFailure) { plan = try PlanCache.shared.plan(for: Any.self) } catch {
                throw DecodingFailure(error)
            }
            var matcher = SchemaMatcher(definitions)
            try makePools(
                try readHeads(), ReadSchema(root: try matcher.match(.dynamic, plan), known: [], candidates: []))
        }
        let value: DynamicValue
        do throws(DecodingFailure) {
            value = try readDynamicBatch(root, 1)[0]
            try fillObjects()
            try readEnd()
        } catch {
            undoRefills()
            discardObjects()
            throw error
        }
        finishRefills()
        releaseObjects()
        return rootValue(value, root)
    }

    /// The root with what it takes to write it as it was.
    private mutating func rootValue(_ value: DynamicValue, _ wire: WireType) -> DynamicValue {
        switch (wire, value) {
        case (.reference, _), (.dynamic, _), (_, .null), (_, .any): return value
        case (.named(let number), _):
            let name = definitions[number].name
            return .any(DynamicAny(typeName: name, value: value, origin: origin(.named(number), name, wire)))
        default:
            let origin = BinaryOrigin(archivedTypes, name: "", members: [.init(name: "", type: wire)])
            return .any(DynamicAny(typeName: "", value: value, origin: origin))
        }
    }
}
