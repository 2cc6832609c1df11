// Room:   AmberModelTests. What the model layer reads from memory against what Mirror sees.
// Takes:  generated shapes of types: nesting, generics, alignment, empty types, tuples, enums, Foundation's types.
// Touches: values in memory, through plans.

import AmberModel
import AmberTestSupport
import Foundation
import Testing

struct Nil: Model {}
struct One<A>: Model { var a: A }
struct Two<A, B>: Model {
    var a: A
    var b: B
}
struct Three<A, B, C>: Model {
    var a: A
    var b: (B, c: C)
    var d: A?
}
final class Cell<A>: Model {
    var value: A
    init(_ value: A) { self.value = value }
}
class Base<A>: Model {
    var first: A
    init(_ first: A) { self.first = first }
}
final class Derived<A, B>: Base<A> {
    var second: B
    weak var link: Base<A>?
    init(_ first: A, _ second: B) {
        self.second = second
        super.init(first)
    }
}
enum Either<A, B> {
    case left(A)
    case right(B)
    case both(A, second: B)
    indirect case boxed(A)
    case neither
}
enum Few { case a, b, c }
enum Alone<A> { case only(A) }

@Suite struct ReflectionTests {
    /// The number of shapes compared.
    private final class Count { var shapes = 0 }

    @Test func memoryAccessSeesWhatMirrorSees() {
        let count = Count()
        func leaves(_ visit: (any Sample.Type, Any) -> Void) {
            visit(Leaf<UInt8>.self, UInt8(1))
            visit(Leaf<Bool>.self, true)
            visit(Leaf<Int16>.self, Int16(-2))
            visit(Leaf<Double>.self, 2.5)
            visit(Leaf<String>.self, "a text that is long enough for the heap")
            visit(Leaf<UInt128>.self, UInt128.max)
            visit(Leaf<Nil>.self, Nil())
            visit(Leaf<Few>.self, Few.c)
            visit(Leaf<[Int]>.self, [1, 2])
            visit(Leaf<Date>.self, Date(timeIntervalSinceReferenceDate: 1))
            visit(Leaf<Data>.self, Data([1]))
            visit(Leaf<Decimal>.self, Decimal(1))
            visit(Leaf<UUID>.self, UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
            visit(Leaf<String?>.self, String?.none as Any)
            visit(Leaf<Bool?>.self, true as Bool? as Any)
            visit(Leaf<Any>.self, 7)
            visit(Leaf<CGRect>.self, CGRect(x: 1, y: 2, width: 3, height: 4))
        }
        leaves { first, a in
            leaves { second, b in first.compare(a, with: second, b, count) }
        }
        #expect(count.shapes > 10_000)
    }

    private protocol Sample {
        static func compare(_ a: Any, with other: any Sample.Type, _ b: Any, _ count: Count)
        static func compare<A>(_ a: A, _ b: Any, _ count: Count)
    }

    private enum Leaf<T>: Sample {
        static func compare(_ a: Any, with other: any Sample.Type, _ b: Any, _ count: Count) {
            if let a = a as? T { other.compare(a, b, count) }
        }

        static func compare<A>(_ a: A, _ b: Any, _ count: Count) {
            guard let b = b as? T else { return }
            let two = Two(a: a, b: b)
            ReflectionTests.check(two, count)
            ReflectionTests.check(Two(a: b, b: a), count)
            ReflectionTests.check(Two(a: One(a: a), b: b), count)
            ReflectionTests.check(Two(a: two, b: One(a: two)), count)
            ReflectionTests.check(Two(a: Optional(two), b: Optional<A>.none), count)
            ReflectionTests.check(Three(a: a, b: (b, c: a), d: nil), count)
            ReflectionTests.check(Three(a: two, b: (b, c: (a, b, a)), d: two), count)
            ReflectionTests.check((a, b), count)
            ReflectionTests.check((x: a, (b, a), b), count)
            ReflectionTests.check([two, two], count)
            for choice in [Either<A, T>.left(a), .right(b), .both(a, second: b), .boxed(a), .neither] {
                ReflectionTests.check(choice, count)
                ReflectionTests.check(Optional(choice), count)
                ReflectionTests.check(Two(a: choice, b: a), count)
                ReflectionTests.check(Alone.only((choice, b)), count)
            }
            ReflectionTests.check(Alone.only(a), count)
            ReflectionTests.check(Alone.only(two), count)
            ReflectionTests.check(Optional(Alone.only(b)), count)
            ReflectionTests.checkObject(Cell(two), count)
            ReflectionTests.checkObject(Cell(a), count)
            ReflectionTests.checkObject(Derived(a, b), count)
            ReflectionTests.checkObject(Derived(two, a), count)
        }
    }

    private static func check<T>(_ value: T, _ count: Count) {
        count.shapes += 1
        do {
            let plan = try PlanCache.shared.plan(for: T.self)
            #expect(plan.size == MemoryLayout<T>.size && plan.stride == MemoryLayout<T>.stride)
            let wrong = unsafe withUnsafePointer(to: value) {
                unsafe compare(UnsafeMutableRawPointer(mutating: $0), plan, value)
            }
            if let wrong { Issue.record("\(T.self): \(wrong)") }
        } catch {
            Issue.record("\(T.self): \(error)")
        }
    }

    private static func checkObject(_ object: some AnyObject & ModelProtocol, _ count: Count) {
        count.shapes += 1
        do {
            let plan = try PlanCache.shared.plan(for: type(of: object) as AnyClass)
            var children: [(label: String?, value: Any)] = []
            var mirror: Mirror? = Mirror(reflecting: object)
            while let next = mirror {
                children = next.children.map { ($0.label, $0.value) } + children
                mirror = next.superclassMirror
            }
            guard plan.fields.map(\.name) == children.map({ $0.label ?? "" }) else {
                Issue.record("\(type(of: object)): \(plan.fields.map(\.name)) against \(children.map(\.label))")
                return
            }
            for (field, child) in zip(plan.fields, children) where field.ownership == .strong {
                let wrong = unsafe compare(objectAddress(object) + field.offset, field.plan, child.value)
                if let wrong { Issue.record("\(type(of: object)).\(field.name): \(wrong)") }
            }
        } catch {
            Issue.record("\(type(of: object)): \(error)")
        }
    }

    /// What differs between the value at an address, taken apart by its plan, and the value that Mirror takes apart.
    private static func compare(_ address: UnsafeMutableRawPointer, _ plan: ValuePlan, _ value: Any) -> String? {
        let seen = unsafe makeErasedAccess(plan.type).load(from: address)
        if let found = difference(seen, value) { return "the value itself\(found)" }
        switch plan.shape {
        case .structure(let structure):
            let children = Array(Mirror(reflecting: value).children)
            guard structure.fields.count == children.count else { return "\(children.count) children" }
            for (index, (field, child)) in zip(structure.fields, children).enumerated() {
                let label = child.label ?? ""
                guard label == field.name || label == ".\(index)" else { return "\(label) against \(field.name)" }
                if let found = unsafe compare(address + field.offset, field.plan, child.value) {
                    return "\(field.name): \(found)"
                }
            }
        case .array(let array):
            let children = Array(Mirror(reflecting: value).children)
            guard unsafe array.storage.count(at: address) == children.count else { return "another count" }
            for (index, child) in children.enumerated() {
                let element = unsafe array.storage.elements(at: address) + index * array.element.stride
                if let found = unsafe compare(element, array.element, child.value) { return "[\(index)]: \(found)" }
            }
        case .optional(let optional):
            let child = Mirror(reflecting: value).children.first
            guard unsafe (optional.payload.witnesses.optionalTag(address) == 0) == (child != nil) else {
                return "another nil"
            }
            if let child { return unsafe compare(address, optional.payload, child.value) }
        case .enumeration(let enumeration):
            let child = Mirror(reflecting: value).children.first
            let tag = enumeration.cases.count > 1 ? unsafe Int(plan.witnesses.enumTag(address)) : 0
            let name = child?.label ?? "\(value)"
            guard enumeration.cases[tag].name == name else { return "\(enumeration.cases[tag].name) against \(name)" }
        default: break
        }
        return nil
    }

    @Test func witnessesAgreeWithMemoryLayout() {
        func check<T>(_ type: T.Type) {
            let witnesses = ValueWitnesses(type)
            #expect(witnesses.size == MemoryLayout<T>.size && witnesses.stride == MemoryLayout<T>.stride)
            #expect(witnesses.alignmentMask + 1 == MemoryLayout<T>.alignment)
        }
        check(Int8.self)
        check(Nil.self)
        check(UInt128.self)
        check(String?.self)
        check(Any.self)
        check(SIMD16<Double>.self)
        check((Bool, Int, Bool).self)
        check(Either<String, Int>.self)
        check(Decimal.self)
        check(Data.self)
        check(Cell<Int>.self)
        #expect(ValueWitnesses(Int.self).isTrivial && !ValueWitnesses(String.self).isTrivial)
    }
}
