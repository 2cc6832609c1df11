// Room:   AmberBinary / Encoding. The order of sets and dictionaries that doesn't depend on hashing.
// Takes:  copies of elements. Gives: the same, in the order of their keys' bytes.
// Touches: the copies, through UnsafeReordering.

internal import AmberBytes
internal import AmberModel

extension GraphWriter {
    /// The elements in the order of the bytes that their keys have in rows.
    ///
    /// An object among the keys is ordered by the bytes of those of its properties that refer to nothing: objects that
    /// differ only in what they refer to may come in either order.
    mutating func sorted(
        _ keys: TemporaryValues, _ values: TemporaryValues?, _ counts: [UInt64], _ collection: CollectionPlan
    ) throws(EncodingFailure) -> (TemporaryValues, TemporaryValues?) {
        var order: [Int] = []
        order.reserveCapacity(keys.count)
        for count in counts {
            let range = order.count..<order.count + Int(count)
            var sortKeys: [[UInt8]] = []
            for index in range {
                var writer = GraphWriter(options: options, capacity: 64)
                writer.strings.isEnabled = false
                writer.isSorting = true
                writer.depth = depth
                writer.foreign = foreign
                try writer.writeRow(keys.rows, index, collection.key)
                unsafe sortKeys.append(writer.out.withBytes { unsafe Array($0) })
            }
            let sorted = sortKeys.indices.sorted { sortKeys[$0].lexicographicallyPrecedes(sortKeys[$1]) }
            order.append(contentsOf: sorted.map { range.lowerBound + $0 })
        }
        return (keys.reordered(order, collection.key.witnesses), values?.reordered(order, collection.value?.witnesses))
    }
}
