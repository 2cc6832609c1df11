// Classes written for Foundation's coders, unchanged, in binary archives.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

/// Reads its keys in another order than it writes them.
private class CodingAnimal: NSObject, NSCoding {
    var name: String
    var legs: Int
    var weight = 1.5
    var isTame = false
    var friend: CodingAnimal?
    weak var owner: CodingOwner?
    var tags: [String] = []
    var photo: Data?

    init(_ name: String, legs: Int) { (self.name, self.legs) = (name, legs) }

    required init?(coder: NSCoder) {
        isTame = coder.decodeBool(forKey: "tame")
        photo = coder.decodeObject(forKey: "photo") as? Data
        friend = coder.decodeObject(forKey: "friend") as? CodingAnimal
        owner = coder.decodeObject(forKey: "owner") as? CodingOwner
        tags = coder.decodeObject(forKey: "tags") as? [String] ?? []
        weight = coder.decodeDouble(forKey: "weight")
        legs = coder.decodeInteger(forKey: "legs")
        guard let name = coder.decodeObject(forKey: "name") as? String else { return nil }
        self.name = name
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(legs, forKey: "legs")
        coder.encode(weight, forKey: "weight")
        coder.encode(isTame, forKey: "tame")
        coder.encode(friend, forKey: "friend")
        coder.encodeConditionalObject(owner, forKey: "owner")
        coder.encode(tags, forKey: "tags")
        if let photo { coder.encode(photo, forKey: "photo") }
    }
}

private final class CodingDog: CodingAnimal {
    var tricks = 0

    override init(_ name: String, legs: Int = 4) { super.init(name, legs: legs) }

    required init?(coder: NSCoder) {
        tricks = coder.decodeInteger(forKey: "tricks")
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(tricks, forKey: "tricks")
    }
}

private final class CodingOwner: Model {
    var name = ""
    var animals: [CodingAnimal] = []
    var favourite: CodingAnimal?
    var list: NSMutableArray = []
    var anything: Any?
    init() {}
}

private final class SecurePoint: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let x: Int32
    let y: Float
    let next: SecurePoint?
    let labels: NSArray?
    let when: NSDate?

    init(_ x: Int32, _ y: Float, next: SecurePoint? = nil, labels: NSArray? = nil) {
        (self.x, self.y, self.next, self.labels) = (x, y, next, labels)
        when = NSDate(timeIntervalSinceReferenceDate: 0.1)
    }

    init?(coder: NSCoder) {
        guard coder.requiresSecureCoding, coder.containsValue(forKey: "x"), !coder.containsValue(forKey: "z") else {
            return nil
        }
        x = coder.decodeInt32(forKey: "x")
        y = coder.decodeFloat(forKey: "y")
        next = coder.decodeObject(of: SecurePoint.self, forKey: "next")
        labels = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "labels") as? NSArray
        when = coder.decodeObject(of: NSDate.self, forKey: "when")
    }

    func encode(with coder: NSCoder) {
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
        coder.encode(next, forKey: "next")
        coder.encode(labels, forKey: "labels")
        coder.encode(when, forKey: "when")
    }
}

/// Writes values in a row, as the oldest classes do.
private final class UnkeyedRow: NSObject, NSCoding {
    var numbers: [Int32] = [1, -2, 3]
    var title: NSString = "row"
    var bytes = Data([9, 8, 7])
    var ratio = 0.5

    override init() {}

    init?(coder: NSCoder) {
        numbers = [0, 0, 0]
        unsafe numbers.withUnsafeMutableBytes {
            unsafe coder.decodeArray(ofObjCType: "i", count: 3, at: $0.baseAddress!)
        }
        title = coder.decodeObject() as? NSString ?? "?"
        bytes = coder.decodeData() ?? Data()
        unsafe coder.decodeValue(ofObjCType: "d", at: &ratio)
    }

    func encode(with coder: NSCoder) {
        unsafe numbers.withUnsafeBytes { unsafe coder.encodeArray(ofObjCType: "i", count: 3, at: $0.baseAddress!) }
        coder.encode(title)
        coder.encode(bytes)
        unsafe coder.encodeValue(ofObjCType: "d", at: &ratio)
    }
}

/// Archives another object in its place.
private final class Replaced: NSObject, NSCoding {
    var by: Any?
    init(by object: Any?) { by = object }
    init?(coder: NSCoder) { nil }
    func encode(with coder: NSCoder) {}
    override func replacementObject(for coder: NSCoder) -> Any? { by }
}

/// Says that it is of another class.
private final class Disguised: CodingAnimal {
    override var classForCoder: AnyClass { CodingAnimal.self }
}

/// A class that no property and nobody allows.
private final class Uninvited: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

private final class Failing: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {
        coder.failWithError(CocoaError(.coderReadCorrupt))
        return nil
    }
    func encode(with coder: NSCoder) { coder.encode(1, forKey: "one") }
}

private final class PureSwiftCoding: NSCoding {
    let value: Int
    init(_ value: Int) { self.value = value }
    init?(coder: NSCoder) { value = coder.decodeInteger(forKey: "$value") }
    func encode(with coder: NSCoder) { coder.encode(value, forKey: "$value") }
}

private final class SelfishNode: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var other: SelfishNode?
    override init() {}
    init?(coder: NSCoder) { other = coder.decodeObject(of: SelfishNode.self, forKey: "other") }
    func encode(with coder: NSCoder) { coder.encode(other, forKey: "other") }
}

/// A tree whose members know their parent, and each other by a mutable set.
private final class FamilyMember: NSObject, NSCoding {
    let name: String
    var children: [FamilyMember] = []
    weak var parent: FamilyMember?
    var all = NSMutableSet()
    init(_ name: String) { self.name = name }
    init?(coder: NSCoder) {
        name = coder.decodeObject(forKey: "name") as? String ?? ""
        super.init()
        parent = coder.decodeObject(forKey: "parent") as? FamilyMember
        children = coder.decodeObject(forKey: "children") as? [FamilyMember] ?? []
        all = coder.decodeObject(forKey: "all") as? NSMutableSet ?? NSMutableSet()
    }
    func encode(with coder: NSCoder) {
        coder.encode(all, forKey: "all")
        coder.encode(children, forKey: "children")
        coder.encodeConditionalObject(parent, forKey: "parent")
        coder.encode(name, forKey: "name")
    }
}

private final class NumbersOnly: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var array: NSArray?
    init(_ array: NSArray) { self.array = array }
    init?(coder: NSCoder) {
        array = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "array") as? NSArray
    }
    func encode(with coder: NSCoder) { coder.encode(array, forKey: "array") }
}

private func isSame(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left as AnyObject === right as AnyObject
}

private enum ForeignLeaks {}

private final class ForeignLeakRoot: Model {
    var tracked: [Tracked<ForeignLeaks>] = []
    var list = NSMutableArray()
    var keeper: TrackedKeeper?
    var anything: Any = 0
    var set: Set<Tracked<ForeignLeaks>> = []
    var wrapped: [ForeignLeakCase] = []
    init() {}
}

private enum ForeignLeakCase {
    case object(NSObject)
    case any(Any)
}

/// Keeps a model that it reads.
private final class TrackedKeeper: NSObject, NSCoding {
    let tracked: Tracked<ForeignLeaks>
    init(_ tracked: Tracked<ForeignLeaks>) { self.tracked = tracked }
    init?(coder: NSCoder) {
        guard let tracked = coder.decodeObject(forKey: "tracked") as? Tracked<ForeignLeaks> else { return nil }
        self.tracked = tracked
    }
    func encode(with coder: NSCoder) { coder.encode(tracked, forKey: "tracked") }
}

@Suite struct CodingClassTests {
    @Test func nothingLeaksWhateverIsDamaged() throws {
        let data = try {
            let root = ForeignLeakRoot()
            root.tracked = (0..<9).map { Tracked("\($0)") }
            for (index, object) in root.tracked.enumerated() {
                object.next = index > 0 ? root.tracked[index - 1] : nil
                object.inner = ["x\(index)"]
            }
            root.list.add(root.tracked[0])
            root.list.add(NSMutableArray(array: [root.tracked[1], "text"]))
            root.keeper = TrackedKeeper(root.tracked[2])
            root.anything = [root.tracked[3], root.list] as [Any]
            root.set = [root.tracked[4], root.tracked[5]]
            root.wrapped = [.object(root.keeper!), .any([root.tracked[6]]), .object(NSMutableString(string: "s"))]
            return try BinaryEncoder().encode(root)
        }()
        #expect(livingObjects(ForeignLeaks.self) == 0)
        _ = try BinaryDecoder().decode(ForeignLeakRoot.self, from: data)
        #expect(livingObjects(ForeignLeaks.self) == 0)
        forEachPrefix(of: data) { _ = try? BinaryDecoder().decode(ForeignLeakRoot.self, from: $0) }
        #expect(livingObjects(ForeignLeaks.self) == 0)
        forEachFlippedBit(of: data) { part in
            // What is read all the same may hold itself.
            let before = livingObjects(ForeignLeaks.self)
            if let failure = decodingFailure({ try BinaryDecoder().decode(ForeignLeakRoot.self, from: part) }) {
                #expect(livingObjects(ForeignLeaks.self) == before, "\(failure)")
            }
        }
    }

    @Test func classesComeBackWithTheirGraph() throws {
        let owner = CodingOwner()
        owner.name = "Ada"
        let (cat, dog) = (CodingAnimal("Tom", legs: 4), CodingDog("Rex"))
        (cat.friend, cat.isTame, cat.tags, cat.photo) = (dog, true, ["a", "b"], Data([1]))
        (dog.tricks, dog.owner, cat.owner) = (3, owner, owner)
        owner.animals = [cat, dog, cat]
        owner.favourite = dog
        owner.list.add(dog)
        owner.list.add(owner.list)
        owner.anything = ["dog": dog]
        for options in everyForm {
            let back = try roundTrip(owner, options)
            #expect(back.animals.count == 3)
            let (cat, dog) = (back.animals[0], try #require(back.animals[1] as? CodingDog))
            #expect(type(of: cat) == CodingAnimal.self)
            #expect(back.animals[2] === cat)
            #expect(cat.name == "Tom" && cat.legs == 4 && cat.weight == 1.5 && cat.isTame)
            #expect(cat.tags == ["a", "b"] && cat.photo == Data([1]))
            #expect(isSame(cat.friend, dog) && dog.tricks == 3 && dog.photo == nil)
            #expect(cat.owner === back && dog.owner === back)
            #expect(isSame(back.favourite, dog))
            #expect(isSame(FoundationStorage.objects(of: back.list)[0], dog))
            #expect(isSame(FoundationStorage.objects(of: back.list)[1], back.list))
            #expect(isSame((back.anything as? [String: Any])?["dog"], dog))
        }
    }

    @Test func conditionalObjectsAreLeftOutWhereNothingHoldsThem() throws {
        let owner = CodingOwner()
        let dog = CodingDog("Rex")
        dog.owner = owner
        let data = try BinaryEncoder().encode(dog)
        let back = try BinaryDecoder().decode(CodingDog.self, from: data)
        #expect(back.name == "Rex" && back.owner == nil)
        #expect(!String(decoding: data, as: UTF8.self).contains("CodingOwner"))
    }

    @Test func secureClassesReadWhatTheyAskFor() throws {
        let point = SecurePoint(7, 1.1, next: SecurePoint(-1, .infinity), labels: ["a", "b"])
        for options in everyForm {
            let back = try #require(try roundTrip(point as Any, options) as? SecurePoint)
            #expect(back.x == 7 && back.y == 1.1 && back.next?.x == -1 && back.next?.y == .infinity)
            #expect(back.labels == ["a", "b"] && back.when == point.when)
        }
    }

    @Test func valuesInARow() throws {
        let row = UnkeyedRow()
        (row.numbers, row.title) = ([5, 6, 7], "other")
        let back = try roundTrip(row)
        #expect(back.numbers == [5, 6, 7] && back.title == "other" && back.bytes == row.bytes && back.ratio == 0.5)
    }

    @Test func replacementsAndDisguises() throws {
        // Its properties name the classes that may be made.
        try BinaryDecoder.register(CodingOwner.self)
        let dog = CodingDog("Rex")
        let back = try roundTrip([Replaced(by: dog), dog, Replaced(by: "text")] as [Any])
        #expect(isSame(back[0], back[1]))
        #expect(back[0] is CodingDog)
        #expect(back[2] is NSString)
        let owner = CodingOwner()
        #expect(try roundTrip([Replaced(by: owner)] as [Any])[0] is CodingOwner)
        #expect(encodingFailure { try BinaryEncoder().encode(Replaced(by: nil) as Any) }?.code == .unsupportedType)
        let disguised = try roundTrip([Disguised("X", legs: 2)] as [CodingAnimal])
        #expect(type(of: disguised[0]) == CodingAnimal.self)
        #expect(try roundTrip(PureSwiftCoding(4)).value == 4)
    }

    @Test func onlyClassesThatMayAppearAreMade() throws {
        let data = try BinaryEncoder().encode([Uninvited()] as [Any])
        let failure = decodingFailure { try BinaryDecoder().decode([Any].self, from: data) }
        #expect(failure?.code == .refusedType)
        #expect(failure?.reason.contains("allowedClasses") == true)
        let allowing = BinaryDecoder(options: .init(allowedClasses: [Uninvited.self]))
        #expect(try allowing.decode([Any].self, from: data)[0] is Uninvited)
        // A property's class stands for itself and its subclasses.
        let other = try BinaryEncoder().encode([SecurePoint(1, 1)] as [Any])
        #expect(decodingFailure { try BinaryDecoder().decode([CodingAnimal].self, from: other) }?.code == .refusedType)
        let mixed = try BinaryEncoder().encode(NumbersOnly([1, SecurePoint(1, 1)]))
        #expect(decodingFailure { try BinaryDecoder().decode(NumbersOnly.self, from: mixed) }?.code == .refusedType)
        #expect(try roundTrip(NumbersOnly([1, "text"])).array == [1, "text"])
    }

    @Test func failuresNameTheWay() throws {
        let failure = decodingFailure { try roundTrip([Failing()] as [Any]) }
        #expect(failure?.code == .rejectedByHook)
        #expect("\(failure!)".contains("Failing"))
    }

    @Test func objectsThatHoldEachOtherComeBack() throws {
        let node = SelfishNode()
        node.other = node
        defer { node.other = nil }
        let selfish = try roundTrip(node)
        #expect(isSame(selfish.other, selfish))
        selfish.other = nil

        let (first, second) = (SelfishNode(), SelfishNode())
        (first.other, second.other) = (second, first)
        defer { first.other = nil }
        let pair = try roundTrip([first, second] as [Any])
        let back = try #require(pair[0] as? SelfishNode)
        #expect(isSame(back.other, pair[1]))
        #expect(isSame(back.other?.other, back))
        back.other = nil

        let parent = FamilyMember("parent")
        parent.children = [FamilyMember("one"), FamilyMember("two")]
        for child in parent.children {
            child.parent = parent
            child.all.add(parent)
            parent.all.add(child)
        }
        for options in everyForm {
            let back = try roundTrip(parent, options)
            #expect(back.children.map(\.name) == ["one", "two"])
            #expect(back.children.allSatisfy { isSame($0.parent, back) && $0.all.count == 1 && $0.all.contains(back) })
            #expect(FoundationStorage.objects(of: back.all as NSSet).count == 2)
            for child in back.children { child.all.removeAllObjects() }
            back.all.removeAllObjects()
        }
        for child in parent.children { child.all.removeAllObjects() }
    }

    @Test func longChainsHaveALimit() throws {
        func chain(_ count: Int) -> SelfishNode {
            let first = SelfishNode()
            var last = first
            for _ in 1..<count {
                last.other = SelfishNode()
                last = last.other!
            }
            return first
        }
        let (short, long) = try (BinaryEncoder().encode(chain(1231)), BinaryEncoder().encode(chain(5000)))
        let results = onSmallStack { () -> (Int, DecodingFailure?) in
            var count = 0
            var node = try? BinaryDecoder().decode(SelfishNode.self, from: short)
            while let next = node {
                count += 1
                node = next.other
            }
            return (count, decodingFailure { try BinaryDecoder().decode(SelfishNode.self, from: long) })
        }
        #expect(results.0 == 1231)
        #expect(results.1?.code == .limitExceeded)
    }

    @Test func programsWithoutTheClassKeepTheObject() throws {
        let owner = CodingOwner()
        owner.anything = CodingDog("Rex")
        let data = try BinaryEncoder().encode(owner)
        let back = try BinaryDecoder(options: .init(objects: .dynamic)).decode(Any.self, from: data)
        let object = try #require((back as? DynamicObject)?["anything"])
        guard case .object(let reference) = object, let dog = reference.object as? DynamicObject else {
            Issue.record("\(object)")
            return
        }
        #expect(dog["name"]?.string == "Rex" && dog["legs"]?.int == 4)
        // Written again, and read by a program that has the class.
        let again = try BinaryEncoder().encode(back)
        #expect((try BinaryDecoder().decode(CodingOwner.self, from: again).anything as? CodingDog)?.name == "Rex")
    }

    @Test func changedBytesAreErrorsOrObjects() throws {
        let owner = CodingOwner()
        owner.animals = [CodingAnimal("a", legs: 1), CodingDog("b")]
        (owner.animals[0].friend, owner.animals[1].owner) = (owner.animals[1], owner)
        owner.list = [owner.animals[0], owner, SecurePoint(1, 2)]
        let data = try BinaryEncoder().encode(owner)
        forEachPrefix(of: data) { part in
            #expect(decodingFailure { try BinaryDecoder().decode(CodingOwner.self, from: part) } != nil)
        }
        forEachFlippedBit(of: data) { _ = try? BinaryDecoder().decode(CodingOwner.self, from: $0) }
        var random = SeededGenerator(seed: 20_261_130)
        for _ in 0..<2000 { _ = try? BinaryDecoder().decode(CodingOwner.self, from: random.damage(data)) }
    }
}
