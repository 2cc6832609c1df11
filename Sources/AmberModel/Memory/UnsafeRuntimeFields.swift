// Room:   AmberModel / Memory. The one caller of the runtime's reflection: fields and cases as plain values.
// Takes:  a type. Gives: names, types, offsets, ownership of its stored properties; the cases of an enum.
// Touches: type metadata and field descriptors, read only.
//
// Invariants
// 1. Metadata and descriptors are immutable and live as long as the process.
// 2. Layouts: swift/include/swift/ABI/Metadata.h (TargetClassMetadata, TargetTypeContextDescriptor) and
//    swift/include/swift/RemoteInspection/Records.h (FieldDescriptor, FieldRecord).

internal import CSwiftRuntime

/// How a stored property holds what it refers to.
@usableFromInline
package enum Ownership: Sendable, Equatable {
    case strong, weak, unowned, unmanaged, unknown
    /// Weak, to objects of a protocol.
    case weakExistential(HeldExistential)

    /// Whether the field is an ordinary one. Asked for every field of every value, hence not by `==`.
    @inlinable package var isStrong: Bool {
        if case .strong = self { true } else { false }
    }
}

/// One stored property as the runtime describes it.
package struct RuntimeField {
    package var name: String
    package var type: Any.Type
    package var offset: Int
    package var ownership: Ownership
    package var isVariable: Bool
    /// Whether values can be copied. Of one that can't be the runtime tells `()` as its type.
    package var isCopyable = true
}

/// One case of an enum as the runtime describes it.
package struct RuntimeCase {
    package var name: String
    package var payload: Any.Type?
    package var isIndirect: Bool
}

/// The kind of a type, from its metadata (swift/include/swift/ABI/MetadataKind.def).
package enum RuntimeKind: Sendable {
    case structure, enumeration, optional, tuple, function, existential, objectClass, metatype, other
}

package func runtimeKind(of type: Any.Type) -> RuntimeKind {
    let word = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    switch word {
    case 0x200: return .structure
    case 0x201: return .enumeration
    case 0x202: return .optional
    case 0x301: return .tuple
    case 0x302: return .function
    case 0x303, 0x307: return .existential
    case 0x304, 0x306: return .metatype
    case 0x203, 0x205, 0x305: return .other
    default: return word == 0 || word > 0x7ff ? .objectClass : .other
    }
}

/// The stored properties of a struct, tuple or class, superclasses first.
package func runtimeFields(of type: Any.Type) -> [RuntimeField] {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    let count = unsafe swift_reflectionMirror_recursiveCount(metadata)
    guard count > 0 else { return [] }
    var ownerships: [Ownership]?
    var fields: [RuntimeField] = []
    for index in 0..<count {
        var field = unsafe AmberFieldMetadata()
        guard let child = unsafe swift_reflectionMirror_recursiveChildMetadata(metadata, index, &field) else {
            continue
        }
        let name = unsafe field.name.map { unsafe String(cString: $0) } ?? ""
        if let free = unsafe field.freeName { unsafe free(field.name) }
        var ownership = Ownership.strong
        if unsafe !field.isStrong {
            let all = ownerships ?? descriptorOwnerships(of: type)
            ownerships = all
            ownership = index < all.count ? all[index] : .unknown
        }
        let fieldType = unsafe unsafeBitCast(child, to: Any.Type.self)
        fields.append(
            RuntimeField(
                name: name, type: fieldType,
                offset: unsafe swift_reflectionMirror_recursiveChildOffset(metadata, index),
                ownership: ownership,
                isVariable: unsafe field.isVar,
                isCopyable: fieldType != Void.self || isDeclaredEmpty(index, of: count, in: type)))
    }
    return fields
}

/// The cases of an enum by tag: those with payloads first. `nil` when a payload's type can't be resolved, or the enum
/// was compiled without descriptions of its cases.
package func runtimeCases(of type: Any.Type) -> [RuntimeCase]? {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    let descriptor = unsafe metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    var cases: [RuntimeCase] = []
    let records = unsafe fieldRecords(descriptor)
    // TargetEnumDescriptor: the number of cases with payloads in the low 24 bits, then that of the others.
    let withPayload = unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff
    let withoutPayload = unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self)
    guard unsafe records.count == Int(withPayload) + Int(withoutPayload) else { return nil }
    for index in unsafe records.indices {
        let record = unsafe records[index]
        var payload: Any.Type?
        if let (name, length) = unsafe mangledName(record) {
            let arguments = unsafe (metadata + 16).assumingMemoryBound(to: UnsafeRawPointer.self)
            guard let found = unsafe swift_getTypeByMangledNameInContext(name, length, descriptor, arguments) else {
                return nil
            }
            unsafe payload = unsafeBitCast(found, to: Any.Type.self)
        }
        let flags = unsafe record.load(as: UInt32.self)
        cases.append(
            RuntimeCase(
                name: unsafe fieldName(record), payload: payload, isIndirect: flags & 1 != 0))
    }
    return cases
}

/// The class that `type` inherits from.
package func runtimeSuperclass(of type: AnyClass) -> AnyClass? {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard let parent = unsafe metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) else { return nil }
    return unsafe unsafeBitCast(parent, to: AnyClass.self)
}

#if canImport(ObjectiveC)
    // isa, superclass, two cache words and the data word stand before the class flags.
    let classFlagsOffset = 40
#else
    let classFlagsOffset = 16
#endif

/// Size and alignment mask of the instances of a Swift class.
package func instanceLayout(of type: AnyClass) -> (size: Int, alignmentMask: Int) {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    let size = unsafe metadata.load(fromByteOffset: classFlagsOffset + 8, as: UInt32.self)
    let mask = unsafe metadata.load(fromByteOffset: classFlagsOffset + 12, as: UInt16.self)
    return (Int(size), Int(mask))
}
