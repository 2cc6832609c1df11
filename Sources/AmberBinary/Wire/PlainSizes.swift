// Room:   AmberBinary / Wire. Which structs of an archive are nothing but numbers.
// Takes:  definitions, which may be hostile. Gives: the bytes of a plain struct's numbers.
// Touches: nothing.

internal import AmberModel

/// The sizes of plain structs and tuples: those whose leaves are all numbers that take any bits.
struct PlainSizes: Sendable {
    /// A struct larger than this is never plain.
    static let limit = 1 << 16

    private let sizes: [Int?]

    init(_ definitions: [Definition]) {
        var builder = Builder(definitions: definitions)
        sizes = definitions.indices.map { builder.size(of: $0) }
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
        case .tuple(let members):
            return Builder.sum(members) { member in
                if case .scalar(let kind) = member { return kind.takesAnyBits ? kind.size : nil }
                return size(ofStructure: member)
            }
        default: return nil
        }
    }

    /// Works out each definition once; one that contains itself is not plain.
    private struct Builder {
        enum State {
            case unknown, working
            case known(Int?)
        }

        let definitions: [Definition]
        var states: [State]

        init(definitions: [Definition]) {
            self.definitions = definitions
            states = Array(repeating: .unknown, count: definitions.count)
        }

        mutating func size(of number: Int) -> Int? {
            switch states[number] {
            case .known(let size): return size
            case .working: return nil
            case .unknown: break
            }
            states[number] = .working
            var size: Int?
            if definitions[number].kind == .structure {
                size = Self.sum(definitions[number].members) { self.size(of: $0, depth: 0) }
            }
            states[number] = .known(size)
            return size
        }

        mutating func size(of wire: WireType, depth: Int) -> Int? {
            switch wire {
            case .scalar(let kind): return kind.takesAnyBits ? kind.size : nil
            case .tuple(let members): return Self.sum(members) { self.size(of: $0, depth: depth + 1) }
            case .named(let number): return number < definitions.count ? size(of: number) : nil
            default: return nil
            }
        }

        static func sum(_ members: [WireType.Member], _ size: (WireType) -> Int?) -> Int? {
            if members.isEmpty { return nil }
            var total = 0
            for member in members {
                guard let bytes = size(member.type) else { return nil }
                total += bytes
                if total > limit { return nil }
            }
            return total
        }
    }
}
