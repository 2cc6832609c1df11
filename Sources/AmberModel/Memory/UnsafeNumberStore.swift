// Room:   AmberModel / Memory. Converted numbers put in their place.
// Takes:  a number and a kind. Gives: memory of that kind with the number in it, if it fits.
// Touches: the memory given.
//
// Invariants
// 1. Memory has room and alignment for the kind. `false` has stored nothing.

extension ArchivedNumber {
    /// Stores the number as `kind`; `false` if it isn't exactly a number of that kind.
    @unsafe
    package func store(as kind: ScalarKind, at address: UnsafeMutableRawPointer) -> Bool {
        func put<T: BitwiseCopyable>(_ value: T?) -> Bool {
            guard let value else { return false }
            unsafe address.storeBytes(of: value, as: T.self)
            return true
        }
        switch kind {
        case .int8: return put(integer(Int8.self))
        case .int16: return put(integer(Int16.self))
        case .int32: return put(integer(Int32.self))
        case .int64: return put(integer(Int64.self))
        case .uint8: return put(integer(UInt8.self))
        case .uint16: return put(integer(UInt16.self))
        case .uint32: return put(integer(UInt32.self))
        case .uint64: return put(integer(UInt64.self))
        case .int128: return put(integer(Int128.self))
        case .uint128: return put(integer(UInt128.self))
        case .float32: return put(float)
        case .float64: return put(double)
        case .bool, .date, .uuid, .decimal: return false
        }
    }
}

extension ValuePlan {
    /// The number as a value of this plan's type, which must be a number; `nil` if it isn't exactly one.
    func value(of number: ArchivedNumber, _ kind: ScalarKind) -> Any? {
        unsafe withScratch(for: witnesses) { memory in
            unsafe number.store(as: kind, at: memory) ? erased.load(from: memory) : nil
        }
    }
}
