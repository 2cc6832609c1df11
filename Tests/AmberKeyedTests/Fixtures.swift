// Room:   AmberKeyedTests. Classes written for Foundation's archivers, unchanged.
// Takes:  nothing. Gives: graphs to archive.
// Touches: nothing.

import Foundation

final class Person: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    var name: String
    var age: Int
    var height: Double
    var isActive: Bool
    var friends: [Person]
    var tags: NSMutableArray
    var picture: Data?

    init(_ name: String, age: Int = 0, friends: [Person] = []) {
        self.name = name
        self.age = age
        self.friends = friends
        height = 1.5
        isActive = true
        tags = NSMutableArray()
    }

    required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") as String? else { return nil }
        self.name = name
        age = coder.decodeInteger(forKey: "age")
        height = coder.decodeDouble(forKey: "height")
        isActive = coder.decodeBool(forKey: "isActive")
        friends = coder.decodeObject(of: [NSArray.self, Person.self], forKey: "friends") as? [Person] ?? []
        tags = coder.decodeObject(of: [NSMutableArray.self, NSString.self], forKey: "tags") as? NSMutableArray ?? []
        picture = coder.decodeObject(of: NSData.self, forKey: "picture") as Data?
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(age, forKey: "age")
        coder.encode(height, forKey: "height")
        coder.encode(isActive, forKey: "isActive")
        coder.encode(friends, forKey: "friends")
        coder.encode(tags, forKey: "tags")
        coder.encode(picture, forKey: "picture")
    }
}

/// A link of a list, for depth.
final class Link: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var number: Int
    var next: Link?

    init(_ number: Int, _ next: Link?) {
        self.number = number
        self.next = next
    }

    required init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
        next = coder.decodeObject(of: Link.self, forKey: "next")
    }

    func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
        coder.encode(next, forKey: "next")
    }

    /// A list of `count` links.
    static func list(_ count: Int) -> Link {
        var head: Link?
        for number in (0..<count).reversed() { head = Link(number, head) }
        return head ?? Link(0, nil)
    }

    /// Takes the list apart from the front: letting go of its head would nest a deinit for each link.
    func takeApart() -> Int {
        var count = 1
        var current = next
        next = nil
        while let link = current {
            count += 1
            current = link.next
            link.next = nil
        }
        return count
    }
}

/// Every way of coding without keys.
final class Unkeyed: NSObject, NSCoding {
    var text: String?
    var number: Int32 = 0
    var real: Double = 0
    var data: Data?
    var list: [Int32] = []

    override init() {}

    required init?(coder: NSCoder) {
        text = coder.decodeObject() as? String
        unsafe coder.decodeValue(ofObjCType: "i", at: &number)
        unsafe coder.decodeValue(ofObjCType: "d", at: &real)
        data = coder.decodeData()
        list = [0, 0, 0]
        unsafe coder.decodeArray(ofObjCType: "i", count: 3, at: &list)
    }

    func encode(with coder: NSCoder) {
        coder.encode(text)
        unsafe coder.encodeValue(ofObjCType: "i", at: &number)
        unsafe coder.encodeValue(ofObjCType: "d", at: &real)
        coder.encode(data ?? Data())
        unsafe coder.encodeArray(ofObjCType: "i", count: 3, at: &list)
    }
}

/// Holds one object outright and one only if something else does.
final class Holder: NSObject, NSCoding {
    var strong: NSObject?
    var conditional: NSObject?

    init(strong: NSObject?, conditional: NSObject?) {
        self.strong = strong
        self.conditional = conditional
    }

    required init?(coder: NSCoder) {
        conditional = coder.decodeObject(forKey: "conditional") as? NSObject
        strong = coder.decodeObject(forKey: "strong") as? NSObject
    }

    func encode(with coder: NSCoder) {
        coder.encodeConditionalObject(conditional, forKey: "conditional")
        coder.encode(strong, forKey: "strong")
    }
}

class Shape: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

final class Circle: Shape {
    override class var supportsSecureCoding: Bool { true }
    var radius = 0.0
    override init() { super.init() }
    required init?(coder: NSCoder) {
        radius = coder.decodeDouble(forKey: "$radius")
        super.init(coder: coder)
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(radius, forKey: "$radius")
    }
}

/// Supports NSCoding and nothing more.
final class Insecure: NSObject, NSCoding {
    nonisolated(unsafe) static var made = 0
    override init() {}
    required init?(coder: NSCoder) { unsafe Insecure.made += 1 }
    func encode(with coder: NSCoder) {}
}

enum Outer {
    final class Inner: NSObject, NSSecureCoding {
        static var supportsSecureCoding: Bool { true }
        override init() {}
        required init?(coder: NSCoder) {}
        func encode(with coder: NSCoder) {}
    }
}

private final class Hidden: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

func makeHidden() -> NSObject { Hidden() }
