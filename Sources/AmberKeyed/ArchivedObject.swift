// Room:   AmberKeyed. An object of a class that this program does not have.
// Takes:  its record. Gives: the class's name and all its keys, to look at, change and write back.
// Touches: nothing.

import AmberModel
public import Foundation

/// An archived object whose class is unknown here, or that was read for inspection: its class names and its values.
///
/// It takes the object's place in the graph, cycles and sharing included, and a ``KeyedEncoder`` writes it back as
/// the object it was read from.
public final class ArchivedObject: NSObject {
    /// One value of an archived object, of the kind the archive stores it as.
    public indirect enum Value {
        /// A reference to an object, or to nothing.
        case object(NSObject?)
        /// A boolean.
        case bool(Bool)
        /// An integer.
        case integer(Int64)
        /// An integer above `Int64.max`.
        case unsigned(UInt64)
        /// A real of four bytes.
        case float(Float)
        /// A real of eight bytes.
        case double(Double)
        /// Bytes that stand in the record itself.
        case data(Data)
        /// Text that stands in the record itself.
        case string(String)
        /// A date that stands in the record itself.
        case date(Date)
        /// A list that stands in the record itself, most often of objects.
        case list([Value])
        /// A dictionary that stands in the record itself.
        case dictionary([(key: String, value: Value)])
    }

    /// The name of the object's class in the archive.
    public let className: String
    /// The names of the class and its superclasses, as far as the archive gives them.
    public let classChain: [String]
    /// Classes that may stand in for it, best first (`$classhints`).
    public let classHints: [String]
    /// The object's keys as they are stored, in the order of the file.
    ///
    /// Values coded without a key are stored as `$0`, `$1`, …; a user's key that begins with `$` has one more.
    public var values: [(key: String, value: Value)]

    /// Makes an object of the class `className`.
    ///
    /// - Parameters:
    ///   - className: The name of the class.
    ///   - classChain: Its name and its superclasses' names; left empty, NSObject is its only superclass.
    ///   - classHints: Names of classes that may stand in for it.
    ///   - values: Its keys and values.
    public init(
        className: String, classChain: [String] = [], classHints: [String] = [],
        values: [(key: String, value: Value)] = []
    ) {
        self.className = className
        self.classChain = classChain.isEmpty ? [className, "NSObject"] : classChain
        self.classHints = classHints
        self.values = values
    }

    // Objects nested in each other would be freed by calls as deep: what nothing else holds is let go of one by one.
    deinit {
        var waiting = Self.taken(from: self)
        while var object = waiting.popLast() {
            guard isKnownUniquelyReferenced(&object) else { continue }
            waiting += Self.taken(from: object)
        }
    }

    /// The objects that an object leads to; an archived one keeps none of them.
    private static func taken(from object: NSObject) -> [NSObject] {
        var found: [NSObject] = []
        switch object {
        case let object as ArchivedObject:
            for (_, value) in object.values { value.collect(into: &found) }
            object.values = []
        case let array as NSArray: found = FoundationStorage.objects(of: array).compactMap { $0 as? NSObject }
        case let set as NSSet: found = FoundationStorage.objects(of: set).compactMap { $0 as? NSObject }
        case let dictionary as NSDictionary:
            found = FoundationStorage.pairs(of: dictionary).values.compactMap { $0 as? NSObject }
        default: break
        }
        return found
    }

    /// The value of a key as the object, number, text or bytes that it is; nil if there is none.
    ///
    /// - Parameter key: A key as the class used it.
    /// - Returns: The value, lists as arrays.
    public subscript(key: String) -> Any? {
        let stored = ArchiveKey.stored(key)
        return values.first { $0.key == stored }?.value.any
    }

    /// The class's name and the names of the keys.
    public override var description: String {
        "\(className)(\(values.map(\.key).joined(separator: ", ")))"
    }
}

extension ArchivedObject.Value {
    // Lists and dictionaries within a record are nested as deep as the limits of property lists allow.
    fileprivate func collect(into found: inout [NSObject]) {
        switch self {
        case .object(let object): if let object { found.append(object) }
        case .list(let values): for value in values { value.collect(into: &found) }
        case .dictionary(let pairs): for pair in pairs { pair.value.collect(into: &found) }
        default: break
        }
    }

    /// The value itself, without its kind.
    public var any: Any? {
        switch self {
        case .object(let value): value
        case .bool(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .float(let value): value
        case .double(let value): value
        case .data(let value): value
        case .string(let value): value
        case .date(let value): value
        case .list(let values): values.map(\.any)
        case .dictionary(let pairs): Dictionary(pairs.map { ($0.key, $0.value.any) }, uniquingKeysWith: { $1 })
        }
    }
}
