// Room:   AmberBinaryTests. Random values of every kind.
// Takes:  a generator. Gives: `Kinds` and `Shapes` filled from it.
// Touches: nothing.

import AmberTestSupport
import Foundation

extension SeededGenerator {
    mutating func decimal() -> Decimal {
        Decimal(
            string: pick(["0", "-0.5", "0.123456789012345678901", "-1e-20", String(repeating: "9", count: 38), "NaN"]))
            ?? 0
    }

    mutating func uuid() -> UUID {
        UUID(uuid: (UInt8(below(4)), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(below(256))))
    }

    mutating func load(_ depth: Int = 3) -> Load {
        switch below(depth > 0 ? 11 : 6) {
        case 0: .none
        case 1: .tag(uuid())
        case 2: .pair(x: integer(Int.self), y: below(9))
        case 3: .name(text())
        case 4: .empty(Nothing())
        case 5: .void(oneIn(2) ? () : nil)
        case 6: .maybe(oneIn(2) ? nil : below(100))
        case 7: .bits(oneIn(2), UInt8(below(256)), Double(below(9)))
        case 8: .suit(pick(Suit.allCases))
        case 9: .deep((0..<below(4)).map { _ in load(depth - 1) })
        default: .more(load(depth - 1))
        }
    }

    mutating func expression(_ depth: Int = 4) -> Expression {
        switch below(depth > 0 ? 4 : 2) {
        case 0: .number(integer(Int.self))
        case 1: .nothing
        case 2: .sum(expression(depth - 1), expression(depth - 1))
        default: .call(name: text(4), arguments: (0..<below(3)).map { _ in expression(depth - 1) })
        }
    }

    mutating func leaf() -> Leaf {
        Leaf(x: Float(below(9)), y: double(), flag: oneIn(2), name: text(5))
    }

    mutating func vertex() -> Vertex { Vertex(x: Float(below(9)), y: Float(below(99)) / 8, z: -0.0) }

    mutating func gaps() -> Gaps {
        Gaps(
            a: integer(Int8.self), b: integer(Int64.self), c: integer(Int16.self), d: integer(UInt128.self), e: oneIn(2)
        )
    }

    mutating func tree(_ depth: Int = 3) -> Tree {
        var tree = Tree(label: text(4))
        guard depth > 0 else { return tree }
        tree.children = (0..<below(depth == 3 ? 12 : 3)).map { _ in self.tree(depth - 1) }
        if oneIn(2) { tree.keyed = ["a": self.tree(depth - 2)] }
        return tree
    }

    mutating func kinds() -> Kinds {
        var kinds = Kinds()
        kinds.bool = oneIn(2)
        (kinds.i8, kinds.i16, kinds.i32) = (integer(Int8.self), integer(Int16.self), integer(Int32.self))
        (kinds.i64, kinds.i, kinds.i128) = (integer(Int64.self), integer(Int.self), integer(Int128.self))
        (kinds.u8, kinds.u16, kinds.u32) = (integer(UInt8.self), integer(UInt16.self), integer(UInt32.self))
        (kinds.u64, kinds.u, kinds.u128) = (integer(UInt64.self), integer(UInt.self), integer(UInt128.self))
        (kinds.float, kinds.double, kinds.cg) = (
            Float(bitPattern: UInt32(truncatingIfNeeded: next())), double(), CGFloat(below(9))
        )
        (kinds.string, kinds.substring) = (text(40), text()[...].dropFirst())
        (kinds.character, kinds.scalar) = (pick(["a", "é", "👩‍👩‍👧"]), pick(["\u{0}", "ß", "🙂"]))
        kinds.data = Data((0..<below(20)).map { UInt8($0) })
        kinds.date = Date(timeIntervalSinceReferenceDate: Double(below(1_000_000)) / 7)
        (kinds.uuid, kinds.decimal) = (uuid(), decimal())
        kinds.url = pick(
            [
                URL(filePath: "/tmp/ä b/"), URL(string: "https://a.b/c?d=%20#e"),
                URL(string: "x", relativeTo: URL(string: "http://h/p/")),
            ].compactMap(\.self))
        (kinds.point, kinds.size) = (CGPoint(x: double(), y: 1), CGSize(width: 2, height: below(3)))
        kinds.rect = CGRect(x: 1, y: -2, width: Double(below(4)), height: 4)
        (kinds.range, kinds.closed) = (-3..<below(9), "a"..."z\(below(4))")
        kinds.indexes = IndexSet((0..<below(20)).map { _ in below(30) })
        kinds.duration = .nanoseconds(below(1 << 40)) - .seconds(3)
        (kinds.suit, kinds.level, kinds.plain) = (pick(Suit.allCases), pick(Level.allCases), pick(Plain.allCases))
        (kinds.singleLoad, kinds.singleTuple) = (.only(text()), .only(a: below(9), b: ["x", text()]))
        (kinds.load, kinds.expression, kinds.leaf) = (load(), expression(), leaf())
        (kinds.vertex, kinds.gaps, kinds.tree) = (vertex(), gaps(), tree(2))
        kinds.tuple = (integer(Int.self), text())
        kinds.labelled = (x: double(), inner: (flag: oneIn(2), text: text()), nothing: ())
        kinds.enumTuple = (pick(Suit.allCases), oneIn(2) ? nil : load(1))
        kinds.box = Box(content: below(9), list: [1, below(9)], optional: oneIn(2) ? nil : 4)
        kinds.boxes = Box(content: [text(): [below(5)]], list: [[:]], optional: oneIn(2) ? nil : ["": []])
        kinds.generic = pick([.absent, .present(leaf()), .many([leaf(), leaf()], text())])
        kinds.clamped = below(200)
        kinds.kept = pick([nil, "", "x"])
        kinds.list = (0..<below(12)).map { _ in vertex() }
        kinds.hush(integer(Int16.self))
        return kinds
    }

    private mutating func maybe<T>(_ value: T) -> T? { oneIn(2) ? nil : value }

    private mutating func some<T>(_ make: (inout SeededGenerator) -> T) -> [T] {
        (0..<pick([0, 0, 1, 2, 7, 8, 9, 20])).map { _ in make(&self) }
    }

    mutating func shapes() -> Shapes {
        var s = Shapes()
        (s.o1, s.o2, s.o3) = (maybe(integer(Int.self)), maybe(text()), maybe(oneIn(2)))
        (s.o4, s.o5, s.o6) = (maybe(Data([1])), maybe(maybe(double())), maybe([1, 2]))
        (s.o7, s.o8, s.o9) = (maybe(.hearts), maybe(load()), maybe(leaf()))
        (s.o10, s.o11, s.o12) = (maybe(Nothing()), maybe((1, maybe("x"))), maybe(.only))
        (s.o13, s.o14, s.o15) = (maybe(URL(filePath: "/x")), maybe(1..<5), maybe([1, 2]))
        (s.o16, s.o17, s.o18) = (maybe(["a": 1]), maybe(decimal()), maybe(integer(UInt128.self)))
        (s.o19, s.o20, s.o21) = (maybe("ö"), maybe(maybe(maybe(1))), maybe(maybe(oneIn(2))))
        (s.o22, s.o23) = (maybe(maybe(.spades)), maybe(maybe([1, nil])))
        (s.o24, s.o25) = (maybe(Date(timeIntervalSinceReferenceDate: 3)), maybe(uuid()))
        (s.o26, s.o27) = (maybe(1.1), maybe(integer(Int8.self)))
        s.a1 = some { $0.oneIn(2) }
        s.a2 = some { $0.text() }
        s.a3 = some { $0.oneIn(3) ? nil : [$0.below(9)] }
        s.a4 = ContiguousArray(some { $0.integer(Int16.self) })
        s.a5 = some { $0.text(3) }.dropFirst()
        s.a6 = some { $0.load() }
        s.a7 = some { ($0.below(9), label: $0.text()) }
        s.a8 = some { _ in Nothing() }
        s.a9 = some { _ in () }
        s.a10 = some { $0.gaps() }
        s.a11 = some { $0.oneIn(2) ? nil : $0.vertex() }
        s.a12 = some { [$0.text(), ""] }
        s.a13 = some { $0.expression(3) }
        s.a14 = some { $0.oneIn(3) ? nil : $0.oneIn(2) }
        s.s1 = Set(some { $0.integer(Int.self) })
        s.s2 = Set(some { $0.text() })
        s.s3 = Set(some { $0.gaps() })
        s.s4 = Set(some { [$0.below(3)] })
        s.s5 = Set(some { $0.pick(Suit.allCases) })
        s.s6 = Set(some { $0.uuid() })
        s.d1 = Dictionary(some { ($0.text(), $0.below(9)) }) { a, _ in a }
        s.d2 = Dictionary(some { ($0.uuid(), $0.below(9)) }) { a, _ in a }
        s.d3 = Dictionary(some { ($0.pick(Suit.allCases), $0.below(9)) }) { a, _ in a }
        s.d4 = Dictionary(some { (Double($0.below(99)) / 8, $0.text()) }) { a, _ in a }
        s.d5 = Dictionary(some { ([$0.below(9)], $0.text()) }) { a, _ in a }
        s.d6 = Dictionary(some { ($0.below(99), [$0.text(): [$0.load(1)]]) }) { a, _ in a }
        s.d7 = Dictionary(some { ($0.gaps(), $0.oneIn(2) ? nil : $0.leaf()) }) { a, _ in a }
        s.d8 = Dictionary(some { ($0.pick(["a", "b", "é"]), $0.tree(1)) }) { a, _ in a }
        s.d9 = [nil: true, 3: false]
        return s
    }
}
