// Room:   AmberModel / Memory. Many arrays at once: their counts, their elements, new ones to fill.
// Takes:  rows of arrays. Gives: columns of counts; elements as addresses or as one block.
// Touches: array storage, through the layout that ArrayStorage verified.
//
// Invariants
// 1. Rows hold initialised arrays when read, and uninitialised memory when arrays are made in them.
// 2. Blocks have room for as many elements as the counts add up to.
// 3. Numbers are gathered into a block that grows before it is written past its end.
// 4. Arrays made for numbers are whole when they are made; all others count no element before `setCounts`.

internal import CSwiftRuntime

extension ArrayStorage {
    /// The number of elements of each array; returns how many that are together.
    package static func gatherCounts(_ rows: Rows, _ offset: Int, into counts: inout [UInt32]) -> Int {
        precondition(counts.count >= rows.count, "A column needs a number for each row.")
        return unsafe counts.withUnsafeMutableBufferPointer { buffer in
            var total = 0
            unsafe rows.forEach(offset) { address, index in
                let count = unsafe ArrayStorage.count(at: address)
                precondition(count <= Int(UInt32.max), "An array in a batch has more than 4,294,967,295 elements.")
                unsafe buffer[index] = UInt32(truncatingIfNeeded: count)
                total &+= count
            }
            return total
        }
    }

    /// The addresses of the elements of all arrays.
    package static func elementAddresses(
        _ rows: Rows, _ offset: Int, _ storage: ArrayStorage, stride: Int, total: Int
    ) -> ContiguousArray<UnsafeMutableRawPointer> {
        unsafe ContiguousArray(unsafeUninitializedCapacity: total) { buffer, filled in
            var next = 0
            unsafe rows.forEach(offset) { address, _ in
                let count = unsafe ArrayStorage.count(at: address)
                // An array that another thread lengthened meanwhile must not be followed past the end.
                guard count <= total - next else { return }
                var element = unsafe storage.elements(at: address)
                for _ in 0..<count {
                    unsafe (buffer.baseAddress.unsafelyUnwrapped + next).initialize(to: element)
                    unsafe element += stride
                    next &+= 1
                }
            }
            filled = next
        }
    }

    /// Counts the elements of each array, which must be numbers of `size` bytes, and copies all of them side by side.
    package static func gatherNumbers(
        _ rows: Rows, _ offset: Int, _ storage: ArrayStorage, size: Int, counts: inout [UInt32]
    ) -> TemporaryBytes {
        precondition(counts.count >= rows.count, "A column needs a number for each row.")
        let block = TemporaryBytes(rows.count &* 8 &* size)
        var next = 0
        unsafe counts.withUnsafeMutableBufferPointer { counts in
            unsafe rows.forEachAhead(offset) { address in
                unsafe amber_prefetch(address.load(as: UnsafeRawPointer.self))
            } _: { address, index in
                // The storage is read once: whatever another thread does to the array, count and elements agree.
                let object = unsafe address.load(as: UnsafeRawPointer.self)
                let count = unsafe object.load(fromByteOffset: 16, as: Int.self)
                precondition(count <= Int(UInt32.max), "An array in a batch has more than 4,294,967,295 elements.")
                unsafe counts[index] = UInt32(truncatingIfNeeded: count)
                if count == 0 { return }
                let end = next &+ count &* size
                if end > block.size { block.grow(to: end, keeping: next) }
                unsafe copyFew(
                    to: block.base + next, from: object + storage.elementOffset, count &* size)
                next = end
            }
        }
        block.shrink(to: next)
        return block
    }

    /// How many bytes behind its end a block must have from which arrays of numbers are made.
    package static var overlap: Int { 16 }

    /// Makes arrays of numbers of `size` bytes, which lie side by side in `block`; there are ``overlap`` bytes behind them.
    package func makeArrays(_ rows: Rows, _ offset: Int, _ counts: [UInt64], size: Int, from block: TemporaryBytes) {
        precondition(counts.count >= rows.count, "A column needs a number for each row.")
        unsafe counts.withUnsafeBufferPointer { counts in
            var next = 0
            unsafe rows.forEach(offset) { address, index in
                let count = unsafe Int(truncatingIfNeeded: counts[index])
                let bytes = count &* size
                let target = unsafe makeArray(at: address, count: count, size: sizeCopiedOver(bytes))
                if count == 0 { return }
                unsafe copyOver(to: target, from: block.base + next, bytes)
                unsafe setCount(count, at: address)
                next &+= bytes
            }
        }
    }

    /// Makes arrays that count no elements yet, and gives the addresses of the elements to be.
    package func makeArrays(
        _ rows: Rows, _ offset: Int, _ counts: [UInt64], stride: Int
    ) -> ContiguousArray<UnsafeMutableRawPointer> {
        precondition(counts.count >= rows.count, "A column needs a number for each row.")
        let total = counts.reduce(0) { $0 &+ Int(truncatingIfNeeded: $1) }
        return unsafe ContiguousArray(unsafeUninitializedCapacity: total) { buffer, filled in
            unsafe counts.withUnsafeBufferPointer { counts in
                var next = 0
                unsafe rows.forEach(offset) { address, index in
                    let count = unsafe Int(truncatingIfNeeded: counts[index])
                    var element = unsafe makeArray(at: address, count: count)
                    for _ in 0..<count {
                        unsafe (buffer.baseAddress.unsafelyUnwrapped + next).initialize(to: element)
                        unsafe element += stride
                        next &+= 1
                    }
                }
            }
            filled = total
        }
    }

    /// Lets arrays count their elements, all of which are initialised now.
    package func setCounts(_ rows: Rows, _ offset: Int, _ counts: [UInt64]) {
        precondition(counts.count >= rows.count, "A column needs a number for each row.")
        unsafe counts.withUnsafeBufferPointer { counts in
            unsafe rows.forEach(offset) { address, index in
                unsafe setCount(Int(truncatingIfNeeded: counts[index]), at: address)
            }
        }
    }
}
