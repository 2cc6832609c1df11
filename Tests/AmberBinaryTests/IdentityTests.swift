// Room:   AmberBinaryTests. Who is whom: sharing, cycles, weak and unowned references, subclasses.
// Takes:  small graphs. Gives: the same graphs back, object for object.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

final class Member: Model, Labelled {
    var label = ""
    var age: Int32 = 0
    init() {}
    init(_ label: String) { self.label = label }
}

final class Firm: Model {
    var lead: Member?
    var owner: Member?
    var one: [Int] = []
    var other: [Int] = []
}

final class Ring: Model {
    var label = ""
    var next: Ring?
    var all: [Ring] = []
    var any: Any?
}

/// A parent that its child holds weakly, or without holding it at all.
final class Parent: Model {
    var child: Child?
    var children: [Child] = []
    var pledges: [Pledge] = []
    var bare: [Bare] = []
}

final class Child: Model {
    weak var parent: Parent?
    var label = ""
}

final class Keen: Model {
    weak var parent: Parent?
    static var rules: ModelRules { ModelRules().unconditional("parent") }
}

final class Pledge: Model {
    unowned var parent: Parent
    unowned var second: Parent?
    init(_ parent: Parent) { self.parent = parent }
}

final class Bare: Model {
    unowned(unsafe) var parent: Parent
    unowned(unsafe) var second: Parent?
    init(_ parent: Parent) { unsafe self.parent = parent }
}

protocol Pet: AnyObject {
    var name: String { get }
}

class Animal: Model, Pet {
    var name = ""
    required init() {}
    init(_ name: String) { self.name = name }
}

class Dog: Animal {
    var tricks = 0
    init(_ name: String, tricks: Int) {
        self.tricks = tricks
        super.init(name)
    }
    required init() { super.init() }
}

final class Puppy: Dog {
    var toys: [String] = []
    weak var mother: Dog?
}

final class Kennel: Model {
    var pets: [any Pet] = []
    var favourite: (any Pet)?
    var animals: [Animal] = []
}

@Suite struct IdentityTests {
    @Test(arguments: everyForm) func sharedInstanceStaysSharedAndIsStoredOnce(_ form: BinaryEncodingOptions) throws {
        let firm = Firm()
        firm.lead = Member("P-1")
        firm.owner = firm.lead
        let back = try roundTrip(firm, form)
        #expect(back.lead === back.owner && back.lead?.label == "P-1")
        back.lead?.age = 7
        #expect(back.owner?.age == 7)
        let text = try BinaryEncoder().encode(firm)
        #expect(text.ranges(of: Data("P-1".utf8)).count == 1)
    }

    @Test func equalIsNotIdentical() throws {
        let firm = Firm()
        (firm.lead, firm.owner) = (Member("same"), Member("same"))
        (firm.one, firm.other) = ([1, 2], [1, 2])
        let back = try roundTrip(firm)
        #expect(back.lead !== back.owner && back.lead?.label == back.owner?.label)
        back.one.append(3)
        #expect(back.other == [1, 2])
    }

    @Test(arguments: everyForm) func selfReferencesAndRingsClose(_ form: BinaryEncodingOptions) throws {
        let alone = Ring()
        alone.next = alone
        alone.all = [alone, alone]
        alone.any = alone
        let back = try roundTrip(alone, form)
        #expect(
            back.next === back && back.all.count == 2 && back.all.allSatisfy { $0 === back }
                && back.any as? Ring === back)
        let (a, b) = (Ring(), Ring())
        (a.next, b.next, a.any) = (b, a, [b, a])
        let pair = try roundTrip([a, b], form)
        #expect(pair[0].next === pair[1] && pair[1].next === pair[0])
        #expect((pair[0].any as? [Ring])?.first === pair[1])
        for ring in [alone, back, a, b] + pair { (ring.next, ring.all, ring.any) = (nil, [], nil) }
    }

    @Test(arguments: [1, 7, 8, 9, 100]) func weakReferencesAreConditional(_ count: Int) throws {
        let parent = Parent()
        parent.children = (0..<count).map { _ in Child() }
        for child in parent.children { child.parent = parent }
        let back = try roundTrip(parent)
        #expect(back.children.allSatisfy { $0.parent === back })
        let alone = try roundTrip(parent.children)
        #expect(alone.allSatisfy { $0.parent == nil })
        #expect(try BinaryEncoder().encode(parent.children[0]).range(of: Data("lead".utf8)) == nil)
    }

    @Test func unconditionalWeakReferencesBringTheirObjects() throws {
        let (keen, parent) = (Keen(), Parent())
        keen.parent = parent
        parent.child = Child()
        let archive = try BinaryEncoder().encode([keen])
        struct Pair: Model {
            var keen: Keen
            var parents: [Parent]
        }
        // Nothing holds the parent strongly after decoding: the reference is nil again, and nothing leaks.
        #expect(try BinaryDecoder().decode([Keen].self, from: archive)[0].parent == nil)
        let pair = try roundTrip(Pair(keen: keen, parents: [parent]))
        #expect(pair.keen.parent === pair.parents[0])
    }

    @Test(arguments: [1, 7, 8, 100]) func unownedReferencesPointIntoTheGraph(_ count: Int) throws {
        let parent = Parent()
        parent.pledges = (0..<count).map { _ in Pledge(parent) }
        parent.bare = (0..<count).map { _ in Bare(parent) }
        for index in 0..<count where index % 2 == 0 {
            parent.pledges[index].second = parent
            unsafe parent.bare[index].second = parent
        }
        let back = try roundTrip(parent)
        for (index, pledge) in back.pledges.enumerated() {
            #expect(pledge.parent === back && (pledge.second === back) == (index % 2 == 0))
            let isRight =
                unsafe back.bare[index].parent === back && (back.bare[index].second === back) == (index % 2 == 0)
            #expect(isRight)
        }
    }

    @Test(arguments: [1, 8]) func unownedReferenceToNothingArchivedIsAnEncodingFailure(_ count: Int) {
        let parent = Parent()
        let pledges = (0..<count).map { _ in Pledge(parent) }
        let failure = encodingFailure { try BinaryEncoder().encode(pledges) }
        #expect(failure?.description.contains("parent") == true)
        withExtendedLifetime(parent) {}
    }

    @Test(arguments: [1, 3, 30]) func subclassesComeBackAsThemselves(_ count: Int) throws {
        let animals = (0..<count).flatMap { index -> [Animal] in
            let (dog, puppy) = (Dog("d\(index)", tricks: index), Puppy("p\(index)", tricks: 1))
            puppy.mother = dog
            puppy.toys = ["ball"]
            return [Animal("a\(index)"), dog, puppy]
        }
        let kennel = Kennel()
        (kennel.animals, kennel.pets, kennel.favourite) = (animals, animals.reversed(), animals[1])
        let back = try roundTrip(kennel)
        #expect(difference(kennel, back) == nil)
        #expect(back.animals.map { "\(type(of: $0))" } == animals.map { "\(type(of: $0))" })
        #expect(back.pets.reversed().elementsEqual(back.animals) { $0 === $1 })
        #expect((back.favourite as? Dog)?.tricks == 0)
        #expect((back.animals[2] as? Puppy)?.mother === back.animals[1])
    }

    @Test func subclassIsRefusedWhereASiblingIsExpected() throws {
        let archive = try BinaryEncoder().encode([Animal("a"), Dog("b", tricks: 1)] as [Animal])
        #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode([Dog].self, from: archive) }
        #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode([Member].self, from: archive) }
        #expect(try BinaryDecoder().decode([Animal].self, from: archive).count == 2)
    }
}
