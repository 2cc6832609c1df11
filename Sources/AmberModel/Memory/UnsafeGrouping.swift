// Room:   AmberModel / Memory. Rows sorted into groups by a number that each has.
// Takes:  rows and their numbers. Gives: the rows of each group, in order.
// Touches: nothing: rows are addresses.
//
// Invariants
// 1. Each row is in exactly one group: the caller has checked that all numbers are below the number of groups.

extension Rows {
    /// The fields at `offset` of the rows, by the rows' numbers.
    ///
    /// However many groups there are, each row is looked at once. Few groups are faster selected one by one.
    package func grouped(_ offset: Int, by numbers: [UInt64], groups: Int) -> [Rows] {
        precondition(numbers.count >= count, "A selection needs a number for each row.")
        if groups <= 4 { return (0..<groups).map { selecting(offset, where: numbers, equal: UInt64($0)) } }
        var sizes = [Int](repeating: 0, count: groups)
        for index in 0..<count { sizes[Int(truncatingIfNeeded: numbers[index])] += 1 }
        if let all = sizes.firstIndex(of: count) {
            return (0..<groups).map {
                $0 == all ? shifted(by: offset) : unsafe Rows(ContiguousArray<UnsafeMutableRawPointer>())
            }
        }
        var addresses = unsafe [ContiguousArray<UnsafeMutableRawPointer>](repeating: [], count: groups)
        for group in sizes.indices { unsafe addresses[group].reserveCapacity(sizes[group]) }
        unsafe forEach(offset) { address, index in
            unsafe addresses[Int(truncatingIfNeeded: numbers[index])].append(address)
        }
        return unsafe addresses.map { unsafe Rows($0) }
    }
}
