// Room:   AmberBinary / Parts. What an archive says of itself before its first value.
// Takes:  a reader at an archive's start. Gives: the root's type, the definitions, how many objects there are of each class.
// Touches: ByteReader.

internal import AmberBytes
internal import AmberModel

/// The front of an archive.
struct ArchiveOutline {
    var root: WireType
    var definitions: [Definition]
    var heads: [PoolHead]
    /// Where the root's value starts.
    var rootPosition: Int

    /// The definitions as users see them.
    var types: [ArchivedType] {
        var counts = [Int](repeating: 0, count: definitions.count)
        for head in heads { counts[head.definition] = head.count }
        return zip(definitions, counts).map { definition, count in
            let members =
                definition.kind == .enumeration
                ? definition.cases.map { ArchivedType.Member(name: $0.name, type: $0.payload.map(name)) }
                : definition.members.map { ArchivedType.Member(name: $0.name, type: name(of: $0.type)) }
            return ArchivedType(
                name: definition.name, kind: definition.kind.face, version: definition.version, members: members,
                objectCount: count)
        }
    }

    /// A type as one would write it in Swift.
    func name(of wire: WireType) -> String {
        switch wire {
        case .scalar(let kind): kind.swiftName
        case .string: "String"
        case .data: "Data"
        case .optional(let payload): name(of: payload) + "?"
        case .array(let element): "[\(name(of: element))]"
        case .set(let element): "Set<\(name(of: element))>"
        case .dictionary(let key, let value): "[\(name(of: key)): \(name(of: value))]"
        case .tuple(let members):
            "(" + members.map { "\($0.name): \(name(of: $0.type))" }.joined(separator: ", ") + ")"
        case .named(let number): number < definitions.count ? definitions[number].name : "undefined"
        case .reference: "AnyObject?"
        case .dynamic: "Any"
        case .codable: "any Codable"
        }
    }
}

extension Definition.Kind {
    fileprivate var face: ArchivedType.Kind {
        switch self {
        case .structure: .structure
        case .object: .object
        case .enumeration: .enumeration
        }
    }
}

extension GraphReader {
    /// Reads everything before the root's value.
    mutating func readOutline() throws(DecodingFailure) -> ArchiveOutline {
        let flags: Header.Flags
        (version, flags) = try Header.read(from: &input)
        guard !flags.contains(.fingerprint) else {
            throw DecodingFailure(
                .unsupportedVersion, offset: input.position,
                "The archive was written without its schema (`.fingerprint`): decode it whole, by the type it was written "
                    + "with.")
        }
        let root = try readWrittenSchema()
        if flags.contains(.moreTypes) { try readMoreTypes() }
        let heads = flags.contains(.objects) ? try readHeads() : []
        return ArchiveOutline(root: root, definitions: definitions, heads: heads, rootPosition: input.position)
    }
}
