// Room:   AmberBinaryTests. Depth, length, memory: what is reachable on a small stack, and what lies beyond the limits.
// Takes:  deep values, long lists, archives that lie about sizes. Gives: values within the limits, errors beyond.
// Touches: the binary coder on threads of 512 KiB.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

final class ListNode: Model {
    var number = 0
    var next: ListNode?
    var label = "node"
}

final class BareNode: Model {
    var number: Int
    var next: BareNode?
    init(_ number: Int) { self.number = number }
}

/// The recursive shapes by which values nest in values.
struct LimitNest: Model {
    var list: [LimitNest] = []
    var keyed: [String: LimitNest] = [:]
    var choice: Branch? = nil
    var any: Any? = nil
    var tuple: [(Int, LimitNest)] = []
}

indirect enum Branch {
    case leaf
    case one(Branch)
    case two(LimitNest, [Branch])
}

@Suite struct LimitTests {
    /// Nested values of one kind, so that each level is as deep as it gets.
    enum Way: CaseIterable { case lists, columns, dictionaries, enums, existentials, tuples, mixed }

    static func nest(_ way: Way, _ levels: Int) -> LimitNest {
        var nest = LimitNest()
        var branch = Branch.leaf
        for level in 0..<levels {
            var outer = LimitNest()
            switch way {
            case .lists: outer.list = [nest]
            case .columns: outer.list = [nest] + Array(repeating: LimitNest(), count: 9)
            case .dictionaries: outer.keyed = ["a": nest]
            case .enums: (branch, outer.choice) = (.one(branch), .one(branch))
            case .existentials: outer.any = nest
            case .tuples: outer.tuple = [(1, nest)]
            case .mixed:
                switch level % 4 {
                case 0: outer.list = Array(repeating: nest, count: level % 8 == 0 ? 8 : 1)
                case 1: outer.choice = .two(nest, [])
                case 2: outer.any = [nest] as [Any]
                default: outer.keyed = ["x": nest]
                }
                if level > 16 { outer.list = outer.list.isEmpty ? [] : [nest] }
            }
            nest = outer
        }
        return nest
    }

    @Test(arguments: Way.allCases) func theDepthLimitIsReachableOnASmallStack(_ way: Way) {
        let results = onSmallStack { () -> [String] in
            var deepest = 0
            var problems: [String] = []
            for levels in 1...250 {
                do {
                    let archive = try BinaryEncoder().encode(Self.nest(way, levels))
                    deepest = levels
                    _ = try BinaryDecoder().decode(LimitNest.self, from: archive)
                } catch let failure as EncodingFailure {
                    if failure.code != .tooDeep { problems.append("\(failure.reason)") }
                    break
                } catch {
                    problems.append("level \(levels): \(error)")
                    break
                }
            }
            if deepest < 12 || deepest == 250 { problems.append("deepest: \(deepest)") }
            return problems
        }
        #expect(results.isEmpty, "\(results)")
    }

    @Test(arguments: Way.allCases) func theReadersLimitIsTheOneThatIsSet(_ way: Way) throws {
        let archive = try BinaryEncoder().encode(Self.nest(way, 10))
        var needed = 0
        for depth in 1...200 {
            let decoder = BinaryDecoder(options: .init(limits: DecodingLimits(depth: depth)))
            do {
                _ = try decoder.decode(LimitNest.self, from: archive)
                needed = depth
                break
            } catch {
                #expect(error.code == .limitExceeded)
            }
        }
        #expect(needed > 10)
    }

    @Test(arguments: [1_231, 20_000, 1_000_000]) func longListsComeBackOnASmallStack(_ count: Int) {
        let problem = onSmallStack { () -> String? in
            do {
                let nodes = (0..<count).map { _ in ListNode() }
                for index in nodes.indices {
                    (nodes[index].number, nodes[index].next) = (index, index + 1 < count ? nodes[index + 1] : nil)
                }
                let archive = try BinaryEncoder().encode(nodes[0])
                for node in nodes { node.next = nil }
                // A list that is not given out must not be destroyed by recursion either.
                if (try? BinaryDecoder().decode(ListNode.self, from: archive + [0])) != nil { return "A byte too many" }
                var next = Optional(try BinaryDecoder().decode(ListNode.self, from: archive))
                var index = 0
                while let node = next {
                    if node.number != index { return "\(node.number) at \(index)" }
                    (next, node.next) = (node.next, nil)
                    index += 1
                }
                return index == count ? nil : "\(index) nodes"
            } catch { return "\(error)" }
        }
        #expect(problem == nil)
    }

    @Test func longListsWithoutInitializerComeBackOnASmallStack() {
        let problem = onSmallStack { () -> String? in
            do {
                let count = 100_000
                let nodes = (0..<count).map { BareNode($0) }
                for index in 1..<count { nodes[index - 1].next = nodes[index] }
                let archive = try BinaryEncoder().encode(nodes[0])
                for node in nodes { node.next = nil }
                if (try? BinaryDecoder().decode(BareNode.self, from: archive + [0])) != nil { return "A byte too many" }
                var next = Optional(try BinaryDecoder().decode(BareNode.self, from: archive))
                var index = 0
                while let node = next {
                    (next, node.next) = (node.next, nil)
                    index += 1
                }
                return index == count ? nil : "\(index) nodes"
            } catch { return "\(error)" }
        }
        #expect(problem == nil)
    }

    @Test func whatIsWrittenWithDefaultsIsReadWithDefaults() throws {
        func check<T>(_ values: [T], line: Int = #line) throws {
            let archive = try BinaryEncoder().encode(values)
            #expect(try BinaryDecoder().decode([T].self, from: archive).count == values.count, "line \(line)")
        }
        // Each takes more memory than any archive may, so that it counts what the writer and the reader make of it.
        try check(Array(repeating: Substring("x"), count: 1_500_000))
        try check(Array(repeating: Branch.one(.leaf), count: 600_000))
        try check(Array(repeating: 1 as Any, count: 1_000_000))
    }

    @Test func lengthsThatLieAreRefused() throws {
        func archive(_ schema: [UInt8], _ body: [UInt8], flags: UInt8 = 0) -> Data {
            Data([0x41, 0x4d, 0x42, 0x52, 1, flags, UInt8(schema.count)] + schema + body)
        }
        let huge: [[UInt8]] = [
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f], [0xff, 0xff, 0xff, 0xff, 0x0f],
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], [0x80, 0x80, 0x80, 0x80, 0x10],
        ]
        for count in huge {
            for tail in [[], [0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], count + count] as [[UInt8]] {
                for element in [5, 1, 14, 0x20, 0x21, 0x22] as [UInt8] {
                    let schema = element == 0x22 ? [0x23, 0x22, 5, 0] : [0x23, element, 0]
                    let data = archive(schema, count + tail)
                    func refused<T>(_ type: T.Type) {
                        #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode(type, from: data) }
                    }
                    refused([Int].self)
                    refused([Bool].self)
                    refused([Double].self)
                    refused([String].self)
                    refused([Data].self)
                    refused([Int?].self)
                }
                let text = archive([0x20, 0], count + tail)
                #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode(String.self, from: text) }
                let data = archive([0x21, 0], count + tail)
                #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode(Data.self, from: data) }
                let set = archive([0x24, 5, 0], count + tail)
                #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode(Set<Int>.self, from: set) }
                let keyed = archive([0x25, 5, 5, 0], count + tail)
                #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode([Int: Int].self, from: keyed) }
                // Counts of definitions, pools, objects.
                for flags in 1...7 as ClosedRange<UInt8> {
                    for schema in [[0x28, 0], [0x29, 0], [0x28, 1, 2, 1, 0x41, 0, 0]] as [[UInt8]] {
                        let data = archive(schema, count + tail, flags: flags)
                        #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode(Any.self, from: data) }
                        let second = archive(schema, [0] + count + tail, flags: flags)
                        #expect(throws: DecodingFailure.self) {
                            try BinaryDecoder().decode(ListNode?.self, from: second)
                        }
                        let third = archive(schema, [1, 0] + count + tail, flags: flags)
                        #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode(ListNode.self, from: third) }
                    }
                }
            }
        }
    }

    @Test func arraysInArraysThatAllClaimTheRestAreRefused() {
        struct Deep: Model { var children: [Deep] = [] }
        let count = [0x80, 0xbf, 2] as [UInt8]
        let name = "Hostile.Deep"
        let schema: [UInt8] =
            [0x27, 0, 1, 1, UInt8(name.utf8.count)] + name.utf8 + [0, 1, 8] + "children".utf8 + [0x23, 0x27, 0]
        var bytes: [UInt8] = [0x41, 0x4d, 0x42, 0x52, 1, 0, UInt8(schema.count)] + schema
        for _ in 0..<13_000 { bytes += count }
        let data = Data(bytes)
        #expect(onSmallStack { decodingFailure { try BinaryDecoder().decode(Deep.self, from: data) } } != nil)
    }

    @Test func chainsOfDefinitionsDoNotOverflowTheStack() {
        // Each struct holds an array of the next, or the next itself.
        for isArray in [true, false] {
            let links = 100_000
            var schema: [UInt8] = [0x27, 0]
            func varint(_ value: Int) -> [UInt8] {
                var (rest, bytes) = (value, [UInt8]())
                while rest >= 0x80 {
                    bytes.append(UInt8(rest & 0x7f) | 0x80)
                    rest >>= 7
                }
                return bytes + [UInt8(rest)]
            }
            schema += varint(links)
            for link in 0..<links {
                schema +=
                    [1, 1, 0x41, 0, 1, 4] + "list".utf8 + (isArray ? [0x23] : []) + [0x27] + varint((link + 1) % links)
            }
            let data = Data([0x41, 0x4d, 0x42, 0x52, 1, 0] + varint(schema.count) + schema + [0, 0])
            let failure = onSmallStack { decodingFailure { try BinaryDecoder().decode(LimitNest.self, from: data) } }
            #expect(failure != nil)
            let second = onSmallStack { decodingFailure { try BinaryDecoder().decode(Vertex.self, from: data) } }
            #expect(second == nil || second?.code != nil)
        }
    }

    @Test func typeNamesFromArchivesCannotOverflowTheStack() {
        for name in [
            String(repeating: "Say", count: 20_000) + "Si" + String(repeating: "G", count: 20_000),
            String(repeating: "Say", count: 60) + "Si" + String(repeating: "G", count: 60),
            "Si" + String(repeating: "Sg", count: 50_000), "Si" + String(repeating: "Sg", count: 126),
            "Si" + String(repeating: "m", count: 250), "Si" + String(repeating: "_t", count: 120), "", "$", "S",
            "\u{1}abcd",
            "So8NSObjectC", "yyc", String(repeating: "[", count: 5000), "Si" + String(repeating: "?", count: 5000),
            "{yp}", "[yp:Si]", "<ryp>", "<x", "[Si:", "Si?]", "99Si", "0Si", "s0V", "9999999999999999999999V", "ypXp",
            "y" + String(repeating: "XpSg", count: 60),
        ] {
            let size = name.utf8.count
            var bytes: [UInt8] = [0x41, 0x4d, 0x42, 0x52, 1, 2, 2, 0x29, 0, 0, 1]
            bytes +=
                size < 128
                ? [UInt8(size)]
                : size < 16384
                    ? [UInt8(size & 127) | 128, UInt8(size >> 7)]
                    : [UInt8(size & 127) | 128, UInt8(size >> 7 & 127) | 128, UInt8(size >> 14)]
            bytes += Array(name.utf8) + [5, 1, 2, 0]
            let data = Data(bytes)
            // A name that this program doesn't know is a failure, or a value that keeps the name: never a type, or a crash.
            let found = onSmallStack { () -> String? in
                guard let value = try? BinaryDecoder().decode(Any.self, from: data) else { return nil }
                return "\(type(of: value))"
            }
            #expect(found == nil || found == "DynamicAny", "\(name.prefix(20))")
        }
    }
}
