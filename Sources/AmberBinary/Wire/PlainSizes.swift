// Room:   AmberBinary / Wire. Which structs of an archive are nothing but numbers.
// Takes:  definitions, which may be hostile. Gives: the bytes of a plain struct's numbers.
// Touches: nothing.

internal import AmberModel

/// The sizes of plain structs and tuples: those whose leaves are all numbers that take any bits.
struct PlainSizes: Sendable {
    private var sizes: [Int?]

    /// Works out each definition once, those first that others hold. One that contains itself is not plain.
    ///
    /// Nothing recurses from definition to definition: an archive can chain as many as it likes.
    init(_ definitions: [Definition]) {
        sizes = Array(repeating: nil, count: definitions.count)
        var missing = Array(repeating: 0, count: definitions.count)
        var holders: [[Int]] = Array(repeating: [], count: definitions.count)
        var ready: [Int] = []
        for (number, definition) in definitions.enumerated() where definition.kind == .structure {
            for held in Self.held(by: definition.members) where held < definitions.count {
                missing[number] += 1
                holders[held].append(number)
            }
        }
        for number in definitions.indices where missing[number] == 0 { ready.append(number) }
        while let number = ready.popLast() {
            if definitions[number].kind == .structure { sizes[number] = size(of: definitions[number].members) }
            for holder in holders[number] {
                missing[holder] -= 1
                if missing[holder] == 0 { ready.append(holder) }
            }
        }
    }

    /// The definitions whose values lie in values of these members.
    private static func held(by members: [WireType.Member]) -> [Int] {
        members.flatMap { member -> [Int] in
            switch member.type {
            case .named(let number): [number]
            case .tuple(let members): held(by: members)
            default: []
            }
        }
    }

    /// The bytes of a number, or of a plain struct or tuple.
    func sizeOfPlain(_ wire: WireType) -> Int? {
        if case .scalar(let kind) = wire { return kind.takesAnyBits ? kind.size : nil }
        return size(ofStructure: wire)
    }

    /// The bytes of a struct or tuple; `nil` if it isn't plain, or is no struct or tuple.
    func size(ofStructure wire: WireType) -> Int? {
        switch wire {
        case .named(let number): return number < sizes.count ? sizes[number] : nil
        case .tuple(let members): return size(of: members)
        default: return nil
        }
    }

    private func size(of members: [WireType.Member]) -> Int? {
        if members.isEmpty { return nil }
        var total = 0
        for member in members {
            guard let bytes = sizeOfPlain(member.type) else { return nil }
            total += bytes
            if total > StructurePlan.plainSizeLimit { return nil }
        }
        return total
    }
}
