// Thousands of type shapes, composed at run time: what the plans see in memory against what Mirror sees, and a round trip of each.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

/// A type that shapes are composed of, with values of it.
private protocol ShapePart {
    static func sample(_ random: inout SeededGenerator) -> Self
}

// MARK: Leaves

private struct ShapeEmpty: Model, ShapePart {
    static func sample(_ random: inout SeededGenerator) -> ShapeEmpty { ShapeEmpty() }
}
private enum ShapeOnly: ShapePart {
    case only
    static func sample(_ random: inout SeededGenerator) -> ShapeOnly { .only }
}
private enum ShapePlain: String, CaseIterable, ShapePart {
    case red, green, blue
    static func sample(_ random: inout SeededGenerator) -> ShapePlain { random.pick(allCases) }
}
private final class ShapeNode: Model, ShapePart {
    var number: Int8 = 0
    weak var parent: ShapeNode?
    static func sample(_ random: inout SeededGenerator) -> ShapeNode {
        let node = ShapeNode()
        node.number = Int8(truncatingIfNeeded: random.next())
        return node
    }
    init() {}
}

extension Bool: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Bool { random.below(2) == 0 }
}
extension Int8: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Int8 { Int8(truncatingIfNeeded: random.next()) }
}
extension UInt16: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> UInt16 {
        UInt16(truncatingIfNeeded: random.next())
    }
}
extension Int: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Int { Int(truncatingIfNeeded: random.next()) }
}
extension UInt128: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> UInt128 {
        UInt128(random.next()) << 64 | UInt128(random.next())
    }
}
extension Float: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Float { Float(random.below(1000)) / 8 }
}
extension Double: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Double { Double(random.below(1_000_000)) / 3 }
}
extension String: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> String {
        String(repeating: random.pick(["a", "é", ""]), count: random.below(20))
    }
}
extension Character: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Character { random.pick(["x", "🇩🇪", "é"]) }
}
extension Date: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Date {
        Date(timeIntervalSinceReferenceDate: Double.sample(&random))
    }
}
extension UUID: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> UUID { UUID() }
}
extension Decimal: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Decimal { Decimal(random.below(1000)) / 8 }
}
extension Data: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Data { Data(count: random.below(30)) }
}
extension URL: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> URL {
        URL(fileURLWithPath: "/\(random.below(100))")
    }
}
extension SIMD4<Float>: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> SIMD4<Float> {
        SIMD4(1, 2, 3, Float.sample(&random))
    }
}

// MARK: What they are composed to

private struct ShapePair<A, B>: Model {
    var first: A
    var second: B
}
private struct ShapeTriple<A, B, C>: Model {
    let one: A
    var two: (B, label: C)
    private(set) var three: [A]
}
private enum ShapeEither<A, B> {
    case left(A)
    case right(B)
    case both(A, B)
    case labelled(x: B, y: (A, Int8))
    case neither
}
private indirect enum ShapeList<A> {
    case end
    case next(A, ShapeList<A>)
}
private final class ShapeSingle<A>: Model {
    var only: A
    init(_ only: A) { self.only = only }
}
private class ShapeBase<A>: Model {
    var base: A
    init(_ base: A) { self.base = base }
}
private final class ShapeDerived<A, B>: ShapeBase<A> {
    var derived: B
    var optional: A?
    init(_ base: A, _ derived: B) {
        self.derived = derived
        super.init(base)
    }
}

extension ShapePair: ShapePart where A: ShapePart, B: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> ShapePair {
        ShapePair(first: .sample(&random), second: .sample(&random))
    }
}
extension ShapeTriple: ShapePart where A: ShapePart, B: ShapePart, C: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> ShapeTriple {
        ShapeTriple(
            one: .sample(&random), two: (.sample(&random), .sample(&random)),
            three: (0..<random.below(12)).map { _ in .sample(&random) })
    }
}
extension ShapeEither: ShapePart where A: ShapePart, B: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> ShapeEither {
        switch random.below(5) {
        case 0: .left(.sample(&random))
        case 1: .right(.sample(&random))
        case 2: .both(.sample(&random), .sample(&random))
        case 3: .labelled(x: .sample(&random), y: (.sample(&random), .sample(&random)))
        default: .neither
        }
    }
}
extension ShapeList: ShapePart where A: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> ShapeList {
        random.below(2) == 0 ? .end : .next(.sample(&random), .next(.sample(&random), .end))
    }
}
extension ShapeSingle: ShapePart where A: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Self { make(.sample(&random)) }
    private static func make(_ value: A) -> Self { unsafe unsafeDowncast(ShapeSingle(value), to: Self.self) }
}
extension ShapeDerived: ShapePart where A: ShapePart, B: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Self {
        let made = ShapeDerived(.sample(&random), .sample(&random))
        if random.below(2) == 0 { made.optional = .sample(&random) }
        return unsafe unsafeDowncast(made, to: Self.self)
    }
}
extension Optional: ShapePart where Wrapped: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> Wrapped? {
        random.below(3) == 0 ? nil : .some(.sample(&random))
    }
}
extension Array: ShapePart where Element: ShapePart {
    fileprivate static func sample(_ random: inout SeededGenerator) -> [Element] {
        (0..<random.below(10)).map { _ in .sample(&random) }
    }
}

// MARK: Composing

private func pair(_ a: any ShapePart.Type, _ b: any ShapePart.Type, _ kind: Int) -> any ShapePart.Type {
    func open<A: ShapePart>(_ a: A.Type) -> any ShapePart.Type {
        func open<B: ShapePart>(_ b: B.Type) -> any ShapePart.Type {
            switch kind {
            case 0: ShapePair<A, B>.self
            case 1: ShapeEither<A, B>.self
            case 2: ShapeDerived<A, B>.self
            default: ShapeTriple<A, B, A>.self
            }
        }
        return open(b)
    }
    return open(a)
}

private func single(_ a: any ShapePart.Type, _ kind: Int) -> any ShapePart.Type {
    func open<A: ShapePart>(_ a: A.Type) -> any ShapePart.Type {
        switch kind {
        case 0: A?.self
        case 1: [A].self
        case 2: ShapeSingle<A>.self
        default: ShapeList<A>.self
        }
    }
    return open(a)
}

private var leaves: [any ShapePart.Type] {
    [
        ShapeEmpty.self, ShapeOnly.self, ShapePlain.self, ShapeNode.self, Bool.self, Int8.self, UInt16.self, Int.self,
        UInt128.self, Float.self, Double.self, String.self, Character.self, Date.self, UUID.self, Decimal.self,
        Data.self,
        URL.self, SIMD4<Float>.self,
    ]
}

private func composed(_ random: inout SeededGenerator, depth: Int) -> any ShapePart.Type {
    if depth == 0 { return random.pick(leaves) }
    let inner = composed(&random, depth: depth - 1)
    if random.below(3) == 0 { return single(inner, random.below(4)) }
    let other = composed(&random, depth: random.below(depth))
    return random.below(2) == 0 ? pair(inner, other, random.below(4)) : pair(other, inner, random.below(4))
}

/// A value with everything in it, as Mirror shows it.
private func shown(_ value: Any, _ depth: Int = 0) -> String {
    if depth > 30 { return "…" }
    switch value {
    case let data as Data: return "\([UInt8](data))"
    case is URL, is UUID, is Decimal, is Date, is Character, is String, is UInt128, is SIMD4<Float>: return "\(value)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty, mirror.superclassMirror == nil { return "\(type(of: value)) \(value)" }
    var parts = mirror.children.map { "\($0.label ?? ""): \(shown($0.value, depth + 1))" }
    var parent = mirror.superclassMirror
    while let found = parent {
        parts = found.children.map { "\($0.label ?? ""): \(shown($0.value, depth + 1))" } + parts
        parent = found.superclassMirror
    }
    return "\(type(of: value))(\(parts.joined(separator: ", ")))"
}

@Suite struct TypeShapeTests {
    /// Every pair of leaves, and as many larger shapes.
    private static func shapes(_ random: inout SeededGenerator, larger: Int) -> [any ShapePart.Type] {
        var types = leaves
        for leaf in leaves { for kind in 0..<4 { types.append(single(leaf, kind)) } }
        for a in leaves { for b in leaves { for kind in 0..<4 { types.append(pair(a, b, kind)) } } }
        for _ in 0..<larger { types.append(composed(&random, depth: 2 + random.below(2))) }
        return types
    }

    @Test func plansSeeWhatMirrorSees() throws {
        var random = SeededGenerator(seed: 20_261_130)
        var count = 0
        for type in Self.shapes(&random, larger: 1500) {
            func check<T: ShapePart>(_ type: T.Type) throws {
                for _ in 0..<2 {
                    let value = T.sample(&random)
                    try compare(value)
                    let plan = try PlanCache.shared.plan(for: T.self)
                    if case .reference = plan.shape { continue }
                    let back = try plan.close(plan.open(value))
                    #expect(shown(back) == shown(value), "\(T.self)")
                }
            }
            try check(type)
            count += 1
        }
        #expect(count > 3000)
    }

    /// The stored properties by their offsets against Mirror's children.
    private func compare<T>(_ value: T) throws {
        func check(_ field: FieldPlan, _ base: UnsafeRawPointer, _ child: Mirror.Child) {
            guard field.ownership == .strong else { return }
            #expect(field.sourceName == child.label?.replacing(".", with: ""))
            let loaded = unsafe field.plan.erased.load(from: base + field.offset)
            #expect(shown(loaded) == shown(child.value), "\(T.self).\(field.name)")
        }
        let plan = try PlanCache.shared.plan(for: T.self)
        let children = Array(Mirror(reflecting: value).children)
        switch plan.shape {
        case .structure(let structure):
            #expect(structure.fields.count == children.count)
            #expect(plan.size == MemoryLayout<T>.size)
            unsafe withUnsafePointer(to: value) { pointer in
                for (field, child) in zip(structure.fields, children) {
                    unsafe check(field, UnsafeRawPointer(pointer), child)
                }
            }
        case .reference:
            let object = value as AnyObject
            let fields = try PlanCache.shared.plan(for: Swift.type(of: object)).fields
            let inherited = Mirror(reflecting: value).superclassMirror.map { Array($0.children) } ?? []
            #expect(fields.count == inherited.count + children.count)
            for (field, child) in zip(fields, inherited + children) {
                unsafe check(field, UnsafeRawPointer(objectAddress(object)), child)
            }
        default: break
        }
    }

    @Test func everyShapeComesBack() throws {
        var random = SeededGenerator(seed: 7)
        for type in Self.shapes(&random, larger: 600) {
            func check<T: ShapePart>(_ type: T.Type) throws {
                let few = [T.sample(&random)]
                let many = (0..<9).map { _ in T.sample(&random) }
                #expect(shown(try roundTrip(few)) == shown(few), "\(T.self)")
                #expect(shown(try roundTrip(many)) == shown(many), "\(T.self)")
                let any = try roundTrip(few as [Any])
                #expect(shown(any[0]) == shown(few[0]), "\(T.self)")
            }
            try check(type)
        }
    }
}

// MARK: Values that change what holds them

private final class MeddledOwner: Model {
    nonisolated(unsafe) static weak var current: MeddledOwner?
    var items: [MeddlingItem] = []
    var groups: [[MeddlingItem]] = []
    var single = MeddlingItem(text: "single")
    init() {}
}

private struct MeddlingItem: Model {
    var text: String
    init(text: String) { self.text = text }

    func willEncode() throws {
        guard let owner = unsafe MeddledOwner.current else { return }
        owner.items.append(MeddlingItem(text: String(repeating: "new", count: 9)))
        owner.items.removeFirst()
        if !owner.groups.isEmpty { owner.groups[0].append(MeddlingItem(text: String(repeating: "more", count: 9))) }
        owner.single = MeddlingItem(text: String(repeating: "other", count: 9))
    }
}

extension TypeShapeTests {
    /// Whatever a hook does to the graph: an error, or an archive of what was there.
    @Test func hooksMayChangeTheArraysThatAreWritten() throws {
        for count in [1, 3, 7, 8, 40] {
            let owner = MeddledOwner()
            owner.items = (0..<count).map { MeddlingItem(text: String(repeating: "old\($0)", count: 9)) }
            owner.groups = (0..<count).map { _ in owner.items }
            unsafe MeddledOwner.current = owner
            defer { unsafe MeddledOwner.current = nil }
            for options in everyForm {
                guard let data = try? BinaryEncoder(options: options).encode([owner]) else { continue }
                let back = try BinaryDecoder().decode([MeddledOwner].self, from: data)
                #expect(back[0].items.allSatisfy { $0.text.hasPrefix("old") || $0.text.hasPrefix("new") })
                #expect(back[0].groups.allSatisfy { $0.allSatisfy { !$0.text.isEmpty } })
            }
        }
    }

    @Test func enumsOfManyCasesComeBack() throws {
        let values: [ManyCases] = (0..<200).map { index in
            switch index % 7 {
            case 0: .a(index)
            case 1: .b("\(index)")
            case 2: .c([index])
            case 3: .d(index.isMultiple(of: 2) ? nil : index)
            case 4: .e(Double(index), index)
            case 5: .f
            default: .g(index as Any)
            }
        }
        #expect(values.map { "\($0)" } == (try roundTrip(values)).map { "\($0)" })
        let same = [ManyCases](repeating: .c([1]), count: 20)
        #expect(same.map { "\($0)" } == (try roundTrip(same)).map { "\($0)" })
        let mixed: [Any] = (0..<100).map { [$0, "\($0)", Double($0), $0 > 5, [$0], Int8(1), UInt16(2)][$0 % 7] as Any }
        #expect(mixed.map { "\($0)" } == (try roundTrip(mixed)).map { "\($0)" })
    }
}

private enum ManyCases {
    case a(Int)
    case b(String)
    case c([Int])
    case d(Int?)
    case e(Double, Int)
    case f
    case g(Any)
}
