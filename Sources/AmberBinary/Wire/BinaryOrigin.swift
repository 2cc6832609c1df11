// Room:   AmberBinary / Wire. Where a value without a Swift type comes from: the types that its archive gave it.
// Takes:  definitions. Gives: plain data that dynamic values carry until they are archived again.
// Touches: nothing.

internal import AmberModel

/// The types of one archive.
final class ArchivedTypes: Sendable {
    let definitions: [Definition]
    /// The types in existentials: their names and what their values look like.
    let dynamic: [(name: String, wire: WireType)]

    init(_ definitions: [Definition], _ dynamic: [(name: String, wire: WireType)]) {
        self.definitions = definitions
        self.dynamic = dynamic
    }
}

/// What an archive says of a dynamic object, of unknown properties, or of a value in an existential.
final class BinaryOrigin: DynamicOrigin, Sendable {
    let types: ArchivedTypes
    /// The name of the class or of the type.
    let name: String
    /// The properties; or the value itself as the only member.
    let members: [WireType.Member]
    let type: Any.Type?

    init(_ types: ArchivedTypes, name: String, members: [WireType.Member], type: Any.Type? = nil) {
        self.types = types
        self.name = name
        self.members = members
        self.type = type
    }
}
