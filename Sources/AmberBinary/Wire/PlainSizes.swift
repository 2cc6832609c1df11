// Room:   AmberBinary / Wire. Which structs of an archive are nothing but numbers, and how small values can be.
// Takes:  definitions, which may be hostile. Gives: the bytes of a plain struct's numbers; the least bytes of any value.
// Touches: nothing.

internal import AmberModel

/// The sizes of plain structs and tuples: those whose leaves are all numbers that take any bits.
struct PlainSizes: Sendable {
    /// A struct larger than this is never plain.
    static let limit = StructurePlan.plainSizeLimit

    private let sizes: [Int?]
    private let leasts: [Int]

    /// Works out each definition once, the inner before the outer, on a stack of its own: hostile definitions can form
    /// chains of any length. One that contains itself is not plain.
    init(_ definitions: [Definition]) {
        var sizes = [Int?](repeating: nil, count: definitions.count)
        var leasts = [Int](repeating: 1, count: definitions.count)
        var isBegun = [Bool](repeating: false, count: definitions.count)
        var isDone = isBegun
        for start in definitions.indices where !isDone[start] {
            var stack = [start]
            while let number = stack.last {
                if isDone[number] || definitions[number].kind != .structure {
                    isDone[number] = true
                    stack.removeLast()
                } else if isBegun[number] {
                    sizes[number] = Self.sum(definitions[number].members) { Self.size(of: $0, isDone, sizes) }
                    leasts[number] = Self.least(definitions[number].members, leasts)
                    isDone[number] = true
                    stack.removeLast()
                } else {
                    isBegun[number] = true
                    for member in definitions[number].members {
                        Self.forEachName(in: member.type) { name in
                            if name < definitions.count, !isBegun[name] { stack.append(name) }
                        }
                    }
                }
            }
        }
        self.sizes = sizes
        self.leasts = leasts
    }

    private static func forEachName(in wire: WireType, _ body: (Int) -> Void) {
        switch wire {
        case .named(let number): body(number)
        case .tuple(let members): for member in members { forEachName(in: member.type, body) }
        case .optional(let payload): forEachName(in: payload, body)
        default: break
        }
    }

    private static func size(of wire: WireType, _ isDone: [Bool], _ sizes: [Int?]) -> Int? {
        switch wire {
        case .scalar(let kind): return kind.takesAnyBits ? kind.size : nil
        case .tuple(let members): return sum(members) { size(of: $0, isDone, sizes) }
        case .named(let number): return number < sizes.count && isDone[number] ? sizes[number] : nil
        default: return nil
        }
    }

    private static func sum(_ members: [WireType.Member], _ size: (WireType) -> Int?) -> Int? {
        if members.isEmpty { return nil }
        var total = 0
        for member in members {
            guard let bytes = size(member.type) else { return nil }
            total += bytes
            if total > limit { return nil }
        }
        return total
    }

    private static func least(_ members: [WireType.Member], _ leasts: [Int]) -> Int {
        members.reduce(1) { max($0, least($1.type, leasts)) }
    }

    private static func least(_ wire: WireType, _ leasts: [Int]) -> Int {
        switch wire {
        case .scalar(let kind): kind.size
        case .string, .data: 16
        case .reference, .array, .set, .dictionary, .dynamic: 8
        case .optional(let payload): least(payload, leasts)
        case .tuple(let members): least(members, leasts)
        case .named(let number): number < leasts.count ? leasts[number] : 1
        default: 1
        }
    }

    /// Bytes that a value takes at least in the memory of a program: as many as its largest number, or as an address.
    func leastMemory(_ wire: WireType) -> Int { Self.least(wire, leasts) }

    /// The bytes of a number, or of a plain struct or tuple.
    func sizeOfPlain(_ wire: WireType) -> Int? {
        if case .scalar(let kind) = wire { return kind.takesAnyBits ? kind.size : nil }
        return size(ofStructure: wire)
    }

    /// The bytes of a struct or tuple; `nil` if it isn't plain, or is no struct or tuple.
    func size(ofStructure wire: WireType) -> Int? {
        switch wire {
        case .named(let number): return number < sizes.count ? sizes[number] : nil
        case .tuple(let members):
            return Self.sum(members) { member in
                if case .scalar(let kind) = member { return kind.takesAnyBits ? kind.size : nil }
                return size(ofStructure: member)
            }
        default: return nil
        }
    }
}
