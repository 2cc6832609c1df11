// Types that are rare as properties: weak references to protocols, wrappers that keep their value in a class, generic types in
// existentials, optionals of optionals, tuples in enums.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private protocol RareDelegate: AnyObject {
    var title: String { get }
}

private protocol RareOther: AnyObject {}

private final class RareOwner: Model, RareDelegate, RareOther {
    var title = ""
    var views: [RareView] = []
    var anyone: Any?
    init() {}
}

private final class RareView: Model {
    weak var delegate: (any RareDelegate)?
    weak var both: (any RareDelegate & RareOther)?
    weak var anything: AnyObject?
    var number = 0
    init() {}
}

/// Made without an initializer.
private final class RareBareView: Model {
    weak var delegate: (any RareDelegate)?
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class RareStranger: Model {
    var number = 0
    init() {}
}

@propertyWrapper private final class RareReference<Value> {
    var wrappedValue: Value
    var changes = 0
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper private struct RarePublished<Value> {
    final class Publisher {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    enum Storage {
        case value(Value)
        case publisher(Publisher)
    }
    var storage: Storage
    init(wrappedValue: Value) { storage = .value(wrappedValue) }
    var wrappedValue: Value {
        get {
            switch storage {
            case .value(let value): value
            case .publisher(let publisher): publisher.value
            }
        }
        set { storage = .value(newValue) }
    }
    mutating func publish() { storage = .publisher(Publisher(wrappedValue)) }
}

@propertyWrapper private struct RareBoxed<Value> {
    final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private var box: Box
    init(wrappedValue: Value) { box = Box(wrappedValue) }
    var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
}

private final class RareWrapped: Model {
    @RareReference var count = 1
    @RarePublished var name = "a"
    @RarePublished var later: String? = nil
    @RareBoxed var list = [1]
    init() {}
    func publish() { _name.publish() }
    var isPublished: Bool { if case .publisher = _name.storage { true } else { false } }
}

struct RareGenericA<First, Second>: Model {
    var first: First
    var second: Second
}

struct RareGenericB<First, Second>: Model {
    var first: First
    var second: Second
}

final class RareGenericClassA<Value>: Model {
    var value: Value?
    init() {}
}

final class RareGenericClassB<Value>: Model {
    var value: Value?
    init() {}
}

private enum RareCase: Equatable {
    case tuple(Int, String?)
    case labelled(x: Double, y: (Int, Bool))
    case optional(Int???)
    case nothing

    static func == (left: RareCase, right: RareCase) -> Bool { "\(left)" == "\(right)" }
}

@Suite struct RareTypeTests {
    @Test func weakReferencesToProtocols() throws {
        let owner = RareOwner()
        owner.title = "owner"
        owner.views = (0..<12).map { _ in RareView() }
        for (index, view) in owner.views.enumerated() where index != 3 {
            (view.delegate, view.both, view.anything, view.number) = (owner, owner, owner.views[0], index)
        }
        for options in everyForm {
            let back = try roundTrip(owner, options)
            for (index, view) in back.views.enumerated() {
                #expect(view.delegate?.title == (index == 3 ? nil : "owner"))
                #expect(
                    (view.both as? RareOwner).map { ObjectIdentifier($0) }
                        == (index == 3 ? nil : ObjectIdentifier(back)))
                #expect((view.anything as? RareView).map { $0.number } == (index == 3 ? nil : 0))
            }
            let few = RareOwner()
            few.views = [owner.views[0]]
            owner.views[0].delegate = few
            let other = try roundTrip(few, options)
            #expect(other.views[0].delegate === other)
            owner.views[0].delegate = owner
        }
        // Nothing else holds the delegate.
        #expect(try roundTrip(owner.views[1]).delegate == nil)
        let bare = RareBareView(5)
        bare.delegate = owner
        owner.anyone = bare
        let back = try roundTrip(owner)
        #expect((back.anyone as? RareBareView)?.delegate === back)
        owner.anyone = nil
    }

    @Test func objectsOfAnotherProtocolAreNotStored() throws {
        final class Loose: Model {
            weak var delegate: AnyObject?
            var held: [RareStranger] = []
            init() {}
        }
        let loose = Loose()
        loose.held = [RareStranger()]
        loose.delegate = loose.held[0]
        let back = try roundTrip(loose)
        #expect(back.delegate === back.held[0] as AnyObject)
    }

    @Test func wrappersThatKeepTheirValueInAClass() throws {
        let wrapped = RareWrapped()
        (wrapped.count, wrapped.name, wrapped.later, wrapped.list) = (7, "b", "c", [1, 2, 3])
        wrapped.publish()
        for options in everyForm {
            let back = try roundTrip(wrapped, options)
            #expect(back.count == 7 && back.name == "b" && back.later == "c" && back.list == [1, 2, 3])
            #expect(back.isPublished)
            back.count = 8
        }
        #expect(wrapped.count == 7)
        let many = try roundTrip((0..<20).map { _ in wrapped })
        #expect(many.allSatisfy { $0.list == [1, 2, 3] })
    }

    @Test func genericTypesAreFoundByName() throws {
        let value = RareGenericA<[String: Int?], RareGenericA<Date, Int8>>(
            first: ["a": 1, "b": nil], second: .init(first: Date(timeIntervalSinceReferenceDate: 1), second: -1))
        let object = RareGenericClassA<[UUID]>()
        object.value = [UUID()]
        var data = try BinaryEncoder().encode([value, object] as [Any])
        // The same archive by the names of types that nothing has used yet.
        for name in ["RareGeneric", "RareGenericClass"] {
            while let place = data.range(of: Data("\(name)A<".utf8)) {
                data.replaceSubrange(place, with: Data("\(name)B<".utf8))
            }
        }
        let back = try BinaryDecoder().decode([Any].self, from: data)
        let found = try #require(back[0] as? RareGenericB<[String: Int?], RareGenericB<Date, Int8>>)
        #expect(found.first == value.first && found.second.first == value.second.first && found.second.second == -1)
        #expect((back[1] as? RareGenericClassB<[UUID]>)?.value == object.value)
    }

    @Test func namesOfFoundationTypesAreTheSameEverywhere() throws {
        let values: [Any] = [Date(timeIntervalSinceReferenceDate: 2), CGPoint(x: 1, y: 2), CGFloat(1.5), Decimal(3)]
        let data = try BinaryEncoder().encode(values)
        for name in ["10Foundation4DateV", "10Foundation7CGPointV", "10Foundation7CGFloatV", "10Foundation7DecimalV"] {
            #expect(data.range(of: Data(name.utf8)) != nil, "\(name)")
        }
        let back = try BinaryDecoder().decode([Any].self, from: data)
        #expect(back[0] as? Date == values[0] as? Date && back[1] as? CGPoint == values[1] as? CGPoint)
        // Archives that have the names of one platform.
        var old = try BinaryEncoder().encode([Date(timeIntervalSinceReferenceDate: 2)] as [Any])
        let place = try #require(old.range(of: Data("\u{12}10Foundation4DateV".utf8)))
        old.replaceSubrange(place, with: Data("\u{1c}20FoundationEssentials4DateV".utf8))
        #expect(try BinaryDecoder().decode([Any].self, from: old)[0] as? Date == values[0] as? Date)
    }

    @Test func optionalsOfOptionalsAndTuplesInEnums() throws {
        let cases: [RareCase] = [
            .tuple(1, nil), .tuple(2, "x"), .labelled(x: 0.5, y: (3, true)), .optional(nil), .optional(.some(nil)),
            .optional(.some(.some(nil))), .optional(4), .nothing,
        ]
        for options in everyForm {
            #expect(try roundTrip(cases, options) == cases)
            for item in cases { #expect(try roundTrip([item], options) == [item]) }
        }
        let nested: [String: Int??] = ["a": nil, "b": .some(nil), "c": 3]
        #expect(try roundTrip(nested) == nested)
        let any: Any = Int??.some(nil) as Any
        #expect("\(try roundTrip([any])[0])" == "\(any)")
    }
}
