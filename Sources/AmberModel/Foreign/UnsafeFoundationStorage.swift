// Room:   AmberModel / Foreign. What Foundation's collections really hold.
// Takes:  a collection. Gives: the very objects in it.
// Touches: one stored property of the collection, reading; where it isn't as expected, the public methods.
//
// Away from Apple's systems Foundation converts what it hands out: an NSMutableArray inside an NSArray comes out as a
// new Swift array each time it is asked for, with everything below it converted too. Identity and mutability are lost,
// a walk down the graph takes time in the square of its size, and one that holds itself never ends.
//
// Invariants
// 1. A property is read only if the runtime says that the class has one of that name whose type is exactly the one
//    read here, and only from an instance of exactly a class so checked: a subclass may hold its elements elsewhere.
// 2. The offset is the runtime's; the instance is alive for the whole call: the caller holds it.
// 3. The value is copied out (and so retained) before the function returns. Nothing is ever written.

package import Foundation
@_spi(Reflection) import Swift

package enum FoundationStorage {
    /// A stored property of a Foundation class, if it is there and of the type expected.
    private struct Field<Value>: Sendable {
        private let offset: Int?
        private let types: [ObjectIdentifier]

        init(_ name: String, in type: AnyClass, and subclasses: [AnyClass] = []) {
            var found: Int?
            #if !canImport(Darwin)
                // The option 1 says that the type is a class.
                _ = unsafe _forEachField(of: type, options: .init(rawValue: 1)) { label, offset, fieldType, _ in
                    guard unsafe String(cString: label) == name else { return true }
                    if fieldType == Value.self { found = offset }
                    return false
                }
            #endif
            offset = found
            types = ([type] + subclasses).map { ObjectIdentifier($0) }
        }

        func value(in object: AnyObject) -> Value? {
            guard let offset, types.contains(ObjectIdentifier(Swift.type(of: object))) else { return nil }
            let base = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
            return withExtendedLifetime(object) {
                unsafe (base + offset).assumingMemoryBound(to: Value.self).pointee
            }
        }
    }

    private static let array = Field<[AnyObject]>("_storage", in: NSArray.self, and: [NSMutableArray.self])
    private static let dictionary = Field<[NSObject: AnyObject]>(
        "_storage", in: NSDictionary.self, and: [NSMutableDictionary.self])
    private static let set = Field<Set<NSObject>>(
        "_storage", in: NSSet.self, and: [NSMutableSet.self, NSCountedSet.self])
    private static let ordered = Field<NSArray>("_orderedStorage", in: NSOrderedSet.self)
    private static let mutableOrdered = Field<NSMutableArray>("_mutableOrderedStorage", in: NSMutableOrderedSet.self)

    /// What a collection keeps of a value that is no NSObject.
    private static let box: (type: AnyClass, value: Field<Any>)? = {
        guard let stored = array.value(in: NSArray(object: Boxed()))?.first else { return nil }
        let type: AnyClass = Swift.type(of: stored)
        if type == Boxed.self { return nil }
        return (type, Field<Any>("value", in: type))
    }()

    private final class Boxed {}

    /// The value that an element of a collection stands for: the element itself, unless Foundation wrapped it.
    package static func unboxed(_ element: AnyObject) -> Any {
        guard let box, Swift.type(of: element) == box.type else { return element }
        return box.value.value(in: element) ?? element
    }

    /// A value as collections keep it: itself if it is an NSObject.
    package static func boxed(_ value: Any) -> NSObject {
        if type(of: value) is AnyClass, let object = value as? NSObject { return object }
        return objects(of: NSArray(object: value)).first as? NSObject ?? NSNull()
    }

    /// An array of objects, without a look at each.
    package static func array(_ elements: [AnyObject]) -> NSArray {
        unsafe elements.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return NSArray() }
            return unsafe NSArray(objects: base, count: buffer.count)
        }
    }

    /// A mutable array of objects, without a look at each.
    package static func mutableArray(_ elements: [AnyObject]) -> NSMutableArray {
        unsafe elements.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return NSMutableArray() }
            return unsafe NSMutableArray(objects: base, count: buffer.count)
        }
    }

    /// The elements of an array, in order.
    package static func objects(of object: NSArray) -> [AnyObject] {
        if let elements = array.value(in: object) { return elements }
        return (0..<object.count).map { object.object(at: $0) as AnyObject }
    }

    /// The keys and values of a dictionary, in one order.
    package static func pairs(of object: NSDictionary) -> (keys: [AnyObject], values: [AnyObject]) {
        if let pairs = dictionary.value(in: object) { return (Array(pairs.keys), Array(pairs.values)) }
        let keys = object.allKeys
        return (keys.map { $0 as AnyObject }, keys.map { (object.object(forKey: $0) ?? NSNull()) as AnyObject })
    }

    /// The elements of a set, in no order.
    package static func objects(of object: NSSet) -> [AnyObject] {
        if let elements = set.value(in: object) { return Array(elements) }
        return object.allObjects.map { $0 as AnyObject }
    }

    /// The elements of a counted set and how often it counts each.
    package static func counts(of object: NSCountedSet) -> [(object: AnyObject, count: Int)] {
        objects(of: object as NSSet).map { ($0, object.count(for: $0)) }
    }

    /// The elements of an ordered set, in order.
    package static func objects(of object: NSOrderedSet) -> [AnyObject] {
        if let elements = ordered.value(in: object) { return objects(of: elements) }
        if let elements = mutableOrdered.value(in: object) { return objects(of: elements) }
        return (0..<object.count).map { object.object(at: $0) as AnyObject }
    }
}
