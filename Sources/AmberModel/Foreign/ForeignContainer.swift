// Room:   AmberModel / Foreign. Foundation's collections: taken apart, made empty, made whole, filled.
// Takes:  a collection; or the objects that it shall hold. Gives: the other. What is in it is the very same objects.
// Touches: collections through FoundationStorage and their public methods.

internal import Foundation

/// Foundation's collections.
enum ForeignContainer: Sendable {
    case array, dictionary, set, orderedSet
    case mutableArray, mutableDictionary, mutableSet, mutableOrderedSet, countedSet

    /// Whether a collection can be given out before it holds anything.
    var isMutable: Bool {
        switch self {
        case .array, .dictionary, .set, .orderedSet: false
        default: true
        }
    }

    /// Whether elements are hashed; of a dictionary the keys are.
    var isHashed: Bool { self != .array && self != .mutableArray }

    /// A mutable collection without elements.
    func makeEmpty() -> NSObject {
        switch self {
        case .array, .mutableArray: NSMutableArray()
        case .dictionary, .mutableDictionary: NSMutableDictionary()
        case .set, .mutableSet: NSMutableSet()
        case .orderedSet, .mutableOrderedSet: NSMutableOrderedSet()
        case .countedSet: NSCountedSet()
        }
    }

    /// An immutable collection.
    func make(_ elements: [NSObject], keys: [NSObject]) -> NSObject {
        switch self {
        case .dictionary: NSDictionary(objects: elements, forKeys: keys)
        case .set: NSSet(array: elements)
        case .orderedSet: NSOrderedSet(array: elements)
        default: FoundationStorage.array(elements)
        }
    }

    /// Puts elements into a mutable collection that has none.
    func fill(_ object: NSObject, _ elements: [NSObject], keys: [NSObject], counts: [Int]) {
        switch object {
        case let array as NSMutableArray: array.addObjects(from: elements)
        case let dictionary as NSMutableDictionary:
            for (key, value) in zip(keys, elements) { dictionary.setObject(value, forKey: key) }
        case let set as NSCountedSet:
            for (element, count) in zip(elements, counts) { for _ in 0..<count { set.add(element) } }
        case let set as NSMutableSet: for element in elements { set.add(element) }
        case let set as NSMutableOrderedSet: for element in elements { set.add(element) }
        default: break
        }
    }
}

extension ForeignForm {
    private static func container<Object: NSObject>(
        _ name: String, _ container: ForeignContainer,
        _ write: @escaping @Sendable (Object, ForeignWriter) -> [(name: String, value: DynamicValue)]
    ) -> ForeignForm {
        ForeignForm(
            name: name, type: Object.self,
            write: { object, writer in (object as? Object).map { write($0, writer) } ?? [] },
            making: .container(container))
    }

    private static func list(_ elements: [AnyObject], _ writer: ForeignWriter) -> [(name: String, value: DynamicValue)]
    {
        [("elements", .array(elements.map { writer.element($0) }))]
    }

    private static func table(_ object: NSDictionary, _ writer: ForeignWriter) -> [(name: String, value: DynamicValue)]
    {
        let pairs = FoundationStorage.pairs(of: object)
        let order = writer.order(of: pairs.keys)
        return [
            ("keys", .array(order.map { writer.element(pairs.keys[$0]) })),
            ("values", .array(order.map { writer.element(pairs.values[$0]) })),
        ]
    }

    private static func members(_ object: NSSet, _ writer: ForeignWriter) -> [AnyObject] {
        let elements = FoundationStorage.objects(of: object)
        return writer.order(of: elements).map { elements[$0] }
    }

    static let containers: [ForeignForm] = [
        container("NSArray", .array) { (array: NSArray, writer) in
            list(FoundationStorage.objects(of: array), writer)
        },
        container("NSMutableArray", .mutableArray) { (array: NSMutableArray, writer) in
            list(FoundationStorage.objects(of: array as NSArray), writer)
        },
        container("NSDictionary", .dictionary) { (dictionary: NSDictionary, writer) in table(dictionary, writer) },
        container("NSMutableDictionary", .mutableDictionary) { (dictionary: NSMutableDictionary, writer) in
            table(dictionary, writer)
        },
        container("NSSet", .set) { (set: NSSet, writer) in list(members(set, writer), writer) },
        container("NSMutableSet", .mutableSet) { (set: NSMutableSet, writer) in list(members(set, writer), writer) },
        container("NSCountedSet", .countedSet) { (set: NSCountedSet, writer) in
            let elements = members(set, writer)
            return list(elements, writer) + [
                ("counts", .array(elements.map { .value(set.count(for: FoundationStorage.unboxed($0))) }))
            ]
        },
        container("NSOrderedSet", .orderedSet) { (set: NSOrderedSet, writer) in
            list(FoundationStorage.objects(of: set), writer)
        },
        container("NSMutableOrderedSet", .mutableOrderedSet) { (set: NSMutableOrderedSet, writer) in
            list(FoundationStorage.objects(of: set as NSOrderedSet), writer)
        },
    ]
}
