// Room:   AmberModel / Memory. The records that the compiler makes of stored properties and cases.
// Takes:  a type, or its descriptor. Gives: names and mangled types of fields; how they are held; whether they can be copied.
// Touches: type metadata and field descriptors, read only.
//
// Invariants
// 1. Those of UnsafeRuntimeFields.swift.
// 2. Ownership is read from the mangled type's suffix; a suffix that isn't known fails closed (`unknown`).

func descriptorOwnerships(of type: Any.Type) -> [Ownership] {
    guard let object = type as? AnyClass else {
        let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard case .structure = runtimeKind(of: type) else { return [] }
        return unsafe fieldRecords(metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)).map(ownership)
    }
    let inherited = runtimeSuperclass(of: object).map { descriptorOwnerships(of: $0) } ?? []
    let metadata = unsafe unsafeBitCast(object, to: UnsafeRawPointer.self)
    guard let descriptor = unsafe metadata.load(fromByteOffset: classFlagsOffset + 24, as: UnsafeRawPointer?.self)
    else { return inherited }
    return unsafe inherited + fieldRecords(descriptor).map(ownership)
}

private func ownership(_ record: UnsafeRawPointer) -> Ownership {
    guard let (name, length) = unsafe mangledName(record), length >= 2 else { return .unknown }
    switch unsafe (UInt8(bitPattern: name[length - 2]), UInt8(bitPattern: name[length - 1])) {
    case (UInt8(ascii: "X"), UInt8(ascii: "w")): return .weak
    case (UInt8(ascii: "X"), UInt8(ascii: "o")): return .unowned
    case (UInt8(ascii: "X"), UInt8(ascii: "u")): return .unmanaged
    default: return .unknown
    }
}

private func relative(_ address: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = unsafe address.load(as: Int32.self)
    return unsafe offset == 0 ? nil : address + Int(offset)
}

func fieldRecords(_ descriptor: UnsafeRawPointer) -> [UnsafeRawPointer] {
    guard let fields = unsafe relative(descriptor + 16) else { return unsafe [] }
    let size = unsafe Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = unsafe Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    return unsafe (0..<count).map { unsafe fields + 16 + $0 * size }
}

func fieldName(_ record: UnsafeRawPointer) -> String {
    guard let name = unsafe relative(record + 8) else { return "" }
    return unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
}

/// A mangled name ends at a zero byte, but symbolic references in it (0x01-0x17, 0x18-0x1f) carry binary offsets.
func mangledName(_ record: UnsafeRawPointer) -> (UnsafePointer<CChar>, Int)? {
    guard let name = unsafe relative(record + 4) else { return nil }
    var length = 0
    while true {
        let byte = unsafe name.load(fromByteOffset: length, as: UInt8.self)
        switch byte {
        case 0: return unsafe length == 0 ? nil : (name.assumingMemoryBound(to: CChar.self), length)
        case 0x01...0x17: length += 5
        case 0x18...0x1f: length += 9
        default: length += 1
        }
    }
}

/// Whether a stored property, of those that a class has with its superclasses, is declared as `()`.
func isDeclaredEmpty(_ index: Int, of count: Int, in type: Any.Type) -> Bool {
    // Structs and tuples of what can't be copied can't be copied themselves: no such value gets here.
    guard let object = type as? AnyClass else { return true }
    var records: [UnsafeRawPointer] = unsafe []
    var next: AnyClass? = object
    while let owner = next {
        let metadata = unsafe unsafeBitCast(owner, to: UnsafeRawPointer.self)
        if let descriptor = unsafe metadata.load(fromByteOffset: classFlagsOffset + 24, as: UnsafeRawPointer?.self) {
            unsafe records = fieldRecords(descriptor) + records
        }
        next = runtimeSuperclass(of: owner)
    }
    guard unsafe records.count == count, let (name, length) = unsafe mangledName(records[index]) else { return false }
    let text = unsafe String(decoding: UnsafeRawBufferPointer(start: name, count: length), as: UTF8.self)
    // In a generic class the type may be a parameter, or a member of one.
    return text == "yt" || text == "x" || text.hasPrefix("q") || text.contains("Q")
}
