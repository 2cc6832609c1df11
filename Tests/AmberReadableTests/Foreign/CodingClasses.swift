// Classes written for Foundation's coders, unchanged: several ways in which such classes use their coder.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation

/// Reads its keys in another order than it writes them.
class ReadableCodingAnimal: NSObject, NSCoding {
    var name: String
    var legs: Int
    var weight = 1.5
    var isTame = false
    var friend: ReadableCodingAnimal?
    weak var owner: ReadableCodingOwner?
    var tags: [String] = []
    var photo: Data?

    init(_ name: String, legs: Int) { (self.name, self.legs) = (name, legs) }

    required init?(coder: NSCoder) {
        isTame = coder.decodeBool(forKey: "tame")
        photo = coder.decodeObject(forKey: "photo") as? Data
        friend = coder.decodeObject(forKey: "friend") as? ReadableCodingAnimal
        owner = coder.decodeObject(forKey: "owner") as? ReadableCodingOwner
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

final class ReadableCodingDog: ReadableCodingAnimal {
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

final class ReadableCodingOwner: Model {
    var name = ""
    var animals: [ReadableCodingAnimal] = []
    var favourite: ReadableCodingAnimal?
    var list: NSMutableArray = []
    var anything: Any?
    init() {}
}

final class ReadableSecurePoint: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let x: Int32
    let y: Float
    let next: ReadableSecurePoint?
    let labels: NSArray?
    let when: NSDate?

    init(_ x: Int32, _ y: Float, next: ReadableSecurePoint? = nil, labels: NSArray? = nil) {
        (self.x, self.y, self.next, self.labels) = (x, y, next, labels)
        when = NSDate(timeIntervalSinceReferenceDate: 0.1)
    }

    init?(coder: NSCoder) {
        guard coder.requiresSecureCoding, coder.containsValue(forKey: "x"), !coder.containsValue(forKey: "z") else {
            return nil
        }
        x = coder.decodeInt32(forKey: "x")
        y = coder.decodeFloat(forKey: "y")
        next = coder.decodeObject(of: ReadableSecurePoint.self, forKey: "next")
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
final class ReadableUnkeyedRow: NSObject, NSCoding {
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
final class ReadableReplaced: NSObject, NSCoding {
    var by: Any?
    init(by object: Any?) { by = object }
    init?(coder: NSCoder) { nil }
    func encode(with coder: NSCoder) {}
    override func replacementObject(for coder: NSCoder) -> Any? { by }
}

/// Says that it is of another class.
final class ReadableDisguised: ReadableCodingAnimal {
    override var classForCoder: AnyClass { ReadableCodingAnimal.self }
}

/// A class that no property and nobody allows.
final class ReadableUninvited: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

final class ReadableFailing: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {
        coder.failWithError(CocoaError(.coderReadCorrupt))
        return nil
    }
    func encode(with coder: NSCoder) { coder.encode(1, forKey: "one") }
}

final class ReadablePureSwiftCoding: NSCoding {
    let value: Int
    init(_ value: Int) { self.value = value }
    init?(coder: NSCoder) { value = coder.decodeInteger(forKey: "$value") }
    func encode(with coder: NSCoder) { coder.encode(value, forKey: "$value") }
}

final class ReadableSelfishNode: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var other: ReadableSelfishNode?
    override init() {}
    init?(coder: NSCoder) { other = coder.decodeObject(of: ReadableSelfishNode.self, forKey: "other") }
    func encode(with coder: NSCoder) { coder.encode(other, forKey: "other") }
}

/// A tree whose members know their parent, and each other by a mutable set.
final class ReadableFamilyMember: NSObject, NSCoding {
    let name: String
    var children: [ReadableFamilyMember] = []
    weak var parent: ReadableFamilyMember?
    var all = NSMutableSet()
    init(_ name: String) { self.name = name }
    init?(coder: NSCoder) {
        name = coder.decodeObject(forKey: "name") as? String ?? ""
        super.init()
        parent = coder.decodeObject(forKey: "parent") as? ReadableFamilyMember
        children = coder.decodeObject(forKey: "children") as? [ReadableFamilyMember] ?? []
        all = coder.decodeObject(forKey: "all") as? NSMutableSet ?? NSMutableSet()
    }
    func encode(with coder: NSCoder) {
        coder.encode(all, forKey: "all")
        coder.encode(children, forKey: "children")
        coder.encodeConditionalObject(parent, forKey: "parent")
        coder.encode(name, forKey: "name")
    }
}

final class ReadableNumbersOnly: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var array: NSArray?
    init(_ array: NSArray) { self.array = array }
    init?(coder: NSCoder) {
        array = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "array") as? NSArray
    }
    func encode(with coder: NSCoder) { coder.encode(array, forKey: "array") }
}
