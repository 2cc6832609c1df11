// Room:   AmberBinaryTests. Every kind of property, alone and in bulk, in structs, classes, optionals and dictionaries.
// Takes:  random values. Gives: the same values back.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

/// Holds values in a class that has an `init()`.
final class Holder<Value>: Model {
    var value: Value?
    var values: [Value] = []
    var keyed: [String: Value] = [:]
}

/// Holds values in a class that has none.
final class BareHolder<Value>: Model {
    var value: Value
    var values: [Value]
    let fixed: Value
    init(_ value: Value, _ values: [Value]) {
        self.value = value
        self.values = values
        fixed = value
    }
}

@Suite struct KindTests {
    private func check<Value>(_ make: (inout SeededGenerator) -> Value, _ form: BinaryEncodingOptions) throws {
        var generator = SeededGenerator()
        for count in [1, 3, 7, 8, 100] {
            let values = (0..<count).map { _ in make(&generator) }
            func same<Root>(_ root: Root, _ what: String) throws {
                #expect(
                    difference(root, try roundTrip(root, form)) == nil, "\(what), \(count) values, \(generator.replay)")
            }
            try same(values[0], "root")
            try same(values, "array")
            try same(Optional(values[0]), "optional")
            try same(values.map { $0 as Value? } + [nil], "optionals")
            try same(
                Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0.offset, $0.element) }), "dictionary")
            let holders = values.map { value in
                let holder = Holder<Value>()
                (holder.value, holder.values, holder.keyed) = (value, Array(values.prefix(3)), ["k": value])
                return holder
            }
            try same(holders, "objects")
            try same(values.map { BareHolder($0, [$0]) }, "objects without init()")
        }
    }

    @Test(arguments: everyForm) func kindsComeBack(_ form: BinaryEncodingOptions) throws {
        try check({ $0.kinds() }, form)
    }

    @Test(arguments: everyForm) func kindsInsideOthersComeBack(_ form: BinaryEncodingOptions) throws {
        try check({ $0.shapes() }, form)
    }

    @Test func eachKindComesBackAsARoot() throws {
        func check<T>(_ value: T, line: Int = #line) throws {
            #expect(difference(value, try roundTrip(value)) == nil, "line \(line)")
            #expect(difference([value, value], try roundTrip([value, value])) == nil, "line \(line)")
            let many = Array(repeating: value, count: 10)
            #expect(difference(many, try roundTrip(many)) == nil, "line \(line)")
            #expect(difference([value as T?], [try roundTrip(value as T?)]) == nil, "line \(line)")
        }
        try check(true)
        try check(Int128.min)
        try check(UInt128.max)
        try check("")
        try check(Data())
        try check([Int]())
        try check([String: Int]())
        try check(Set<String>())
        try check(Nothing())
        try check([Nothing(), Nothing()])
        try check(Single.only)
        try check(SingleLoad.only("x"))
        try check(SingleTuple.only(a: 1, b: ["x"]))
        try check(())
        try check((1, "x", (true, [nil, 2.5])))
        try check((a: Suit.hearts, b: Load.more(.more(.name("x")))))
        try check(Optional<Int>.none)
        try check(Optional<Int??>.some(.some(nil)))
        try check(Optional<Int??>.some(nil))
        try check(Optional(Optional(Nothing())))
        try check(Option<Option<Bool>>.present(.present(true)))
        try check(Option<Int>.many([1], "x"))
        try check(Box(content: Option<[Vertex]>.present([Vertex()])))
        try check(ContiguousArray(["a", "b"]))
        try check([1, 2, 3][1...])
        try check(["a": ["b": ["c": [1: [2.5: [true]]]]]])
        try check([1.5: "a"])
        try check([[1, 2]: "x"])
        try check(0..<5)
        try check("a"..."b")
        try check(IndexSet(integersIn: 3..<90))
        try check(Character("🇩🇪"))
        try check(Substring("abc"))
        try check(Expression.sum(.number(1), .call(name: "f", arguments: [.nothing])))
    }
}
