// Room:   AmberModel / Memory. Many arrays at once: their counts, their elements, new ones to fill.
// Takes:  rows of arrays. Gives: columns of counts; elements as addresses or as one block.
// Touches: array storage, through the layout that ArrayStorage verified.
//
// Invariants
// 1. Rows hold initialised arrays when read, and uninitialised memory when arrays are made in them.
// 2. Blocks have room for as many elements as the counts add up to.
// 3. Arrays made for numbers are whole when they are made; all others count no element before `setCounts`.

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

    /// Copies the elements of all arrays, which must be numbers of `size` bytes, to one block.
    package static func gatherElements(
        _ rows: Rows, _ offset: Int, _ storage: ArrayStorage, size: Int, into block: TemporaryBytes
    ) {
        var next = 0
        unsafe rows.forEach(offset) { address, _ in
            let bytes = unsafe ArrayStorage.count(at: address) &* size
            guard bytes <= block.size - next else { return }
            unsafe (block.base + next).copyMemory(from: storage.elements(at: address), byteCount: bytes)
            next &+= bytes
        }
    }

    /// Makes arrays of numbers of `size` bytes, which lie side by side in `block`.
    package func makeArrays(_ rows: Rows, _ offset: Int, _ counts: [UInt64], size: Int, from block: TemporaryBytes) {
        precondition(counts.count >= rows.count, "A column needs a number for each row.")
        unsafe counts.withUnsafeBufferPointer { counts in
            var next = 0
            unsafe rows.forEach(offset) { address, index in
                let count = unsafe Int(truncatingIfNeeded: counts[index])
                let target = unsafe makeArray(at: address, count: count)
                unsafe target.copyMemory(from: block.base + next, byteCount: count &* size)
                unsafe setCount(count, at: address)
                next &+= count &* size
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
