// Room:   AmberBinary / Encoding. A type of values that come from no binary archive: from documents, keyed archives, or made by hand.
// Takes:  the values. Gives: a type that takes them all, when all are known.
// Touches: nothing.

internal import AmberModel

/// The type of values in existentials that have one name and one form. Used by one encoding, and not changed after its head
/// is written.
final class InferredType: @unchecked Sendable {
    /// The name in the archive.
    let name: String
    /// The values, until their type is known.
    var values: [DynamicValue] = []
    var wire: WireType?

    init(name: String) { self.name = name }

    /// What the values of one type have in common.
    struct Key: Hashable {
        private var name: String
        private var form: String
        private var parts: [String] = []

        init(_ any: DynamicAny) {
            name = any.typeName
            switch any.value {
            case .null: form = "null"
            case .some: form = "some"
            case .value(let value): form = "value \(ObjectIdentifier(type(of: value)).hashValue)"
            case .array: form = "array"
            case .dictionary: form = "dictionary"
            case .structure(let structure):
                form = "struct \(structure.version) \(structure.typeName ?? "")"
                parts = structure.values.names
            case .enumeration(let item): form = "enum \(item.typeName) \(item.payload == nil)"
            case .object: form = "object"
            case .any: form = "any"
            }
        }
    }
}
