// Room:   AmberModel / Memory. The block of memory behind an Array.
// Takes:  an address of an Array value. Gives: its elements' address and count; new blocks to fill.
// Touches: array storage of exactly the element type.
//
// Invariants
// 1. An Array or ContiguousArray value is one pointer to a storage object: header of 16 bytes, count, capacity and
//    flags, then elements at the next multiple of their alignment (swift/stdlib/public/core/ContiguousArrayBuffer.swift,
//    frozen on Apple systems). `isVerified` compares it with real arrays once per process; if it ever differs, making
//    a plan with an array in it fails.
// 2. A block is made with a count of zero, so that releasing it destroys nothing; `setCount` is called when every
//    element is initialised.
// 3. On systems with Objective-C an array of objects may be bridged; such arrays are copied to native ones first.

internal import CSwiftRuntime

/// Reads and makes the storage of arrays of one element type.
@safe
@usableFromInline
package final class ArrayStorage: @unchecked Sendable {
    @usableFromInline let elementOffset: Int
    private let elementStride: Int
    private let elementAlignmentMask: Int
    // Learned from the first block that the standard library made for this type, which is kept; both are immutable.
    private let storageClass: UnsafeRawPointer
    private let capacityFlags: UInt
    private let sample: AnyObject

    /// Whether the layout of arrays is the one described above.
    package static let isVerified: Bool = {
        func check<T: Equatable>(_ array: [T]) -> Bool {
            unsafe withUnsafeBytes(of: array) { value in
                let object = unsafe value.load(as: UnsafeRawPointer.self)
                guard unsafe object.load(fromByteOffset: 16, as: Int.self) == array.count,
                    unsafe object.load(fromByteOffset: 24, as: UInt.self) >> 1 == UInt(array.capacity)
                else { return false }
                let offset = ArrayStorage.elementOffset(alignmentMask: MemoryLayout<T>.alignment - 1)
                return unsafe array.withUnsafeBytes { unsafe $0.baseAddress == object + offset }
            }
        }
        return check([1, 2, 3] as [UInt8]) && check([1, 2] as [Int]) && check(["a"])
            && check([SIMD8<Double>(repeating: 1)])
            && check([Optional(1.5), nil])
    }()

    private static func elementOffset(alignmentMask: Int) -> Int {
        (32 + alignmentMask) & ~alignmentMask
    }

    init<Element>(_ type: Element.Type, contiguous: Bool) {
        let block: AnyObject
        if contiguous {
            let array = unsafe ContiguousArray<Element>(unsafeUninitializedCapacity: 1) { _, count in count = 0 }
            block = unsafe unsafeBitCast(array, to: AnyObject.self)
        } else {
            let array = unsafe [Element](unsafeUninitializedCapacity: 1) { _, count in count = 0 }
            block = unsafe unsafeBitCast(array, to: AnyObject.self)
        }
        let object = unsafe UnsafeRawPointer(Unmanaged.passUnretained(block).toOpaque())
        unsafe storageClass = swift_getObjectType(UnsafeMutableRawPointer(mutating: object))
        capacityFlags = unsafe object.load(fromByteOffset: 24, as: UInt.self) & 1
        sample = block
        elementStride = MemoryLayout<Element>.stride
        elementAlignmentMask = MemoryLayout<Element>.alignment - 1
        elementOffset = Self.elementOffset(alignmentMask: elementAlignmentMask)
    }

    /// The number of elements of the array at `address`.
    @unsafe
    @inlinable
    @inline(__always)
    package func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.load(as: UnsafeRawPointer.self).load(fromByteOffset: 16, as: Int.self)
    }

    /// The number of elements of an array of any type.
    @unsafe
    @inlinable
    @inline(__always)
    package static func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.load(as: UnsafeRawPointer.self).load(fromByteOffset: 16, as: Int.self)
    }

    /// The address of the first element of an array whose elements are words.
    @unsafe
    @inlinable
    @inline(__always)
    package static func words(at address: UnsafeRawPointer) -> UnsafeRawPointer {
        unsafe address.load(as: UnsafeRawPointer.self) + 32
    }

    /// The block of the array at `address`, which whoever changes the array must copy while it is held.
    @unsafe
    @inline(__always)
    package static func hold(at address: UnsafeRawPointer) -> AnyObject {
        unsafe Unmanaged<AnyObject>.fromOpaque(address.load(as: UnsafeRawPointer.self)).takeUnretainedValue()
    }

    /// The blocks of the arrays in the rows, if what is done with their elements may change the arrays meanwhile.
    package static func hold(_ rows: Rows, _ offset: Int, of element: ValuePlan) -> [AnyObject] {
        guard element.mayRunCode else { return [] }
        return (0..<rows.count).map { unsafe hold(at: rows.address($0, offset)) }
    }

    /// The address of the first element of the array at `address`.
    @unsafe
    @inlinable
    @inline(__always)
    package func elements(at address: UnsafeRawPointer) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(mutating: address.load(as: UnsafeRawPointer.self) + elementOffset)
    }

    /// Initialises the array at `address` with room for `count` elements, none of them initialised, and returns the
    /// address of the first. The array counts none until ``setCount(_:at:)``.
    @unsafe
    package func makeArray(at address: UnsafeMutableRawPointer, count: Int) -> UnsafeMutableRawPointer {
        unsafe makeArray(at: address, count: count, size: count * elementStride)
    }

    /// The same, with room for `size` bytes, which may be more than those of the elements.
    @unsafe
    @inline(__always)
    func makeArray(at address: UnsafeMutableRawPointer, count: Int, size: Int) -> UnsafeMutableRawPointer {
        if count == 0 {
            unsafe address.initializeMemory(as: [Int].self, to: [])
            return unsafe elements(at: address)
        }
        let object = unsafe swift_allocObject(
            storageClass, elementOffset + size, elementAlignmentMask | 7)
        unsafe object.storeBytes(of: 0, toByteOffset: 16, as: Int.self)
        unsafe object.storeBytes(of: UInt(count) << 1 | capacityFlags, toByteOffset: 24, as: UInt.self)
        unsafe address.storeBytes(of: object, as: UnsafeMutableRawPointer.self)
        return unsafe object + elementOffset
    }

    /// Lets the array at `address` count elements that are all initialised now.
    @unsafe
    @inlinable
    @inline(__always)
    package func setCount(_ count: Int, at address: UnsafeRawPointer) {
        // The storage of empty arrays is shared and read-only.
        if count == 0 { return }
        unsafe address.load(as: UnsafeMutableRawPointer.self).storeBytes(of: count, toByteOffset: 16, as: Int.self)
    }
}

/// Types whose values are one block of elements: Array and ContiguousArray.
package protocol BlockArray {
    static var elementType: Any.Type { get }
    static func makeStorage() -> ArrayStorage
}

extension Array: BlockArray {
    package static var elementType: Any.Type { Element.self }
    package static func makeStorage() -> ArrayStorage { ArrayStorage(Element.self, contiguous: false) }
}

extension ContiguousArray: BlockArray {
    package static var elementType: Any.Type { Element.self }
    package static func makeStorage() -> ArrayStorage { ArrayStorage(Element.self, contiguous: true) }
}
