// Room:   AmberKeyed / Archive. Which classes may be made.
// Takes:  a class and the classes that the caller allows. Gives: leave, or a refusal that names all of them.
// Touches: class metadata. Never: an instance: the gate stands before anything is made.

import Foundation

/// The classes that a decoding call allows: an object passes if its class is one of them or inherits from one.
struct ClassGate {
    let classes: [AnyClass]

    init(_ classes: [AnyClass]) {
        self.classes = classes
    }

    /// Whether `type` is a kind of an allowed class.
    func allows(_ type: AnyClass) -> Bool {
        var current: AnyClass? = type
        while let candidate = current {
            for allowed in classes where allowed == candidate { return true }
            current = _getSuperclass(candidate)
        }
        return false
    }

    /// Whether `type` says of itself that it decodes securely.
    static func supportsSecureCoding(_ type: AnyClass) -> Bool {
        (type as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
    }

    /// The allowed classes as people read them.
    var names: String {
        let names = classes.map { ClassNames.shown($0) }
        return names.count <= 12 ? names.joined(separator: ", ") : names.prefix(12).joined(separator: ", ") + ", …"
    }

    private static let plainValues: Set<ObjectIdentifier> = Set(
        [
            NSString.self, NSMutableString.self, NSNumber.self, NSDecimalNumber.self, NSData.self, NSMutableData.self,
            NSDate.self, Swift.type(of: NSNumber(value: true)),
        ].map { (type: AnyClass) in ObjectIdentifier(type) })

    /// Whether `type` is text, a number, bytes or a date, of Foundation's own classes.
    static func isPlainValue(_ type: AnyClass) -> Bool {
        plainValues.contains(ObjectIdentifier(type))
    }

    /// Foundation's classes of plain values.
    static let values: [AnyClass] =
        propertyList + [
            NSURL.self, NSUUID.self, NSNull.self, NSSet.self, NSOrderedSet.self, NSIndexSet.self, NSValue.self,
        ]

    /// The classes that a property list is made of, as Foundation counts them.
    static let propertyList: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSString.self, NSData.self, NSDate.self, NSNumber.self,
    ]
}
