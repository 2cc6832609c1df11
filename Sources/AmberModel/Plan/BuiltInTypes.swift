// Room:   AmberModel / Plan. The types of the standard library and of Foundation that every coder knows.
// Takes:  a type. Gives: the scalar it is, the type it is archived as, or whether its stored properties are its value.
// Touches: nothing.

internal import Foundation
internal import Observation

enum BuiltInTypes {
    /// Types of fixed width.
    static let scalars: [ObjectIdentifier: ScalarKind] = {
        var scalars: [ObjectIdentifier: ScalarKind] = [
            ObjectIdentifier(Bool.self): .bool,
            ObjectIdentifier(Int8.self): .int8, ObjectIdentifier(Int16.self): .int16,
            ObjectIdentifier(Int32.self): .int32, ObjectIdentifier(Int64.self): .int64,
            ObjectIdentifier(Int.self): .int64,
            ObjectIdentifier(UInt8.self): .uint8, ObjectIdentifier(UInt16.self): .uint16,
            ObjectIdentifier(UInt32.self): .uint32, ObjectIdentifier(UInt64.self): .uint64,
            ObjectIdentifier(UInt.self): .uint64,
            ObjectIdentifier(Int128.self): .int128, ObjectIdentifier(UInt128.self): .uint128,
            ObjectIdentifier(Float.self): .float32, ObjectIdentifier(Double.self): .float64,
            ObjectIdentifier(CGFloat.self): .float64,
            ObjectIdentifier(Date.self): .date, ObjectIdentifier(UUID.self): .uuid,
            ObjectIdentifier(Decimal.self): .decimal,
        ]
        // A type of another size than its kind's isn't laid out as we think; it then takes the slower way or none.
        func drop<T>(_ type: T.Type, unless size: Int) {
            if MemoryLayout<T>.size != size { scalars[ObjectIdentifier(type)] = nil }
        }
        drop(CGFloat.self, unless: 8)
        drop(Int.self, unless: 8)
        drop(UInt.self, unless: 8)
        drop(Date.self, unless: 8)
        drop(UUID.self, unless: 16)
        drop(Decimal.self, unless: 20)
        return scalars
    }()

    /// Structs of other modules whose stored properties are their whole value.
    static func isTransparent(_ type: Any.Type) -> Bool {
        type == CGPoint.self || type == CGSize.self || type == CGRect.self

    }

    /// The type that a type is archived as, and how to get from one to the other.
    static func bridge(for type: Any.Type) -> (surrogate: Any.Type, access: BridgeAccess)? {
        if let known = fixedBridges[ObjectIdentifier(type)] { return known }
        if let generic = type as? any GenericBridged.Type { return generic.bridge }
        return nil
    }

    private static let fixedBridges: [ObjectIdentifier: (surrogate: Any.Type, access: BridgeAccess)] = [
        ObjectIdentifier(Character.self): pair(
            Bridge<Character, String>(
                { String($0) },
                {
                    guard $0.count == 1, let character = $0.first else {
                        throw BridgeError("\"\($0)\" is not one Character.")
                    }
                    return character
                })),
        ObjectIdentifier(Unicode.Scalar.self): pair(
            Bridge<Unicode.Scalar, UInt32>(
                { $0.value },
                {
                    guard let scalar = Unicode.Scalar($0) else { throw BridgeError("\($0) is not a Unicode scalar.") }
                    return scalar
                })),
        ObjectIdentifier(Substring.self): pair(Bridge<Substring, String>({ String($0) }, { Substring($0) })),
        ObjectIdentifier(URL.self): pair(
            Bridge<URL, URLParts>({ URLParts($0) }, { try $0.url() })),
        ObjectIdentifier(IndexSet.self): pair(
            Bridge<IndexSet, [Int]>(
                { set in set.rangeView.flatMap { [$0.lowerBound, $0.count] } }, { try indexSet($0) })),
        ObjectIdentifier(DynamicCase.self): pair(
            Bridge<DynamicCase, UnknownCaseParts>({ UnknownCaseParts($0) }, { DynamicCase($0) })),
        ObjectIdentifier(URLQueryItem.self): pair(
            Bridge<URLQueryItem, QueryItemParts>(
                { QueryItemParts(name: $0.name, value: $0.value) }, { URLQueryItem(name: $0.name, value: $0.value) })),
        ObjectIdentifier(Duration.self): pair(
            Bridge<Duration, Int128>({ $0.attoseconds }, { Duration(attoseconds: $0) })),
    ]

    private static func pair<V, S>(_ bridge: Bridge<V, S>) -> (surrogate: Any.Type, access: BridgeAccess) {
        (S.self, bridge)
    }

    private static func indexSet(_ parts: [Int]) throws -> IndexSet {
        var set = IndexSet()
        guard parts.count.isMultiple(of: 2) else { throw BridgeError("An index set has an odd number of bounds.") }
        for index in stride(from: 0, to: parts.count, by: 2) {
            let (end, overflow) = parts[index].addingReportingOverflow(parts[index + 1])
            guard parts[index] >= 0, parts[index + 1] > 0, !overflow, end < Int.max else {
                throw BridgeError("An index set has a range outside of Int.")
            }
            set.insert(integersIn: parts[index]..<end)
        }
        return set
    }

    /// Whether a value belongs to the one instance that holds it, so that a copy of the instance gets a new one.
    static func isOfOneInstance(_ type: Any.Type) -> Bool {
        type == ObservationRegistrar.self || type == ModelLife.self
    }

    /// An observed type that is made without an initializer gets a registrar of its own.
    static let makeRegistrar: Fallback = makeFallback { ObservationRegistrar() }
}

/// A URL as archives hold it: what was written, and the URL that it is relative to.
struct URLParts: Model {
    var text: String
    var base: [String]

    init(_ url: URL) {
        text = url.relativeString
        base = []
        var next = url.baseURL
        while let url = next {
            base.append(url.relativeString)
            next = url.baseURL
        }
    }

    func url() throws -> URL {
        var result: URL?
        for part in base.reversed() { result = URL(string: part, relativeTo: result) }
        // The empty URL has no text that Foundation parses; it stands for itself where there is a base.
        guard let url = URL(string: text, relativeTo: result) else { throw BridgeError("\"\(text)\" is not a URL.") }
        return url
    }

    static var rules: ModelRules { ModelRules(name: "URL") }
}

/// A part of a URL's query.
struct QueryItemParts: Model {
    var name: String
    var value: String?

    init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    static var rules: ModelRules { ModelRules(name: "URLQueryItem") }
}

/// The bounds of a range.
struct RangeBounds<Bound>: Model {
    var lower: Bound
    var upper: Bound

    init(lower: Bound, upper: Bound) {
        self.lower = lower
        self.upper = upper
    }

    static var rules: ModelRules { ModelRules(name: "Range") }
}

/// Generic types that are archived as values of another type.
protocol GenericBridged {
    static var bridge: (surrogate: Any.Type, access: BridgeAccess) { get }
}

extension Range: GenericBridged {
    static var bridge: (surrogate: Any.Type, access: BridgeAccess) {
        (
            RangeBounds<Bound>.self,
            Bridge<Range<Bound>, RangeBounds<Bound>>(
                { RangeBounds(lower: $0.lowerBound, upper: $0.upperBound) },
                {
                    guard $0.lower <= $0.upper else {
                        throw BridgeError("The range \($0.lower)..<\($0.upper) is upside down.")
                    }
                    return $0.lower..<$0.upper
                })
        )
    }
}

extension ClosedRange: GenericBridged {
    static var bridge: (surrogate: Any.Type, access: BridgeAccess) {
        (
            RangeBounds<Bound>.self,
            Bridge<ClosedRange<Bound>, RangeBounds<Bound>>(
                { RangeBounds(lower: $0.lowerBound, upper: $0.upperBound) },
                {
                    guard $0.lower <= $0.upper else {
                        throw BridgeError("The range \($0.lower)...\($0.upper) is upside down.")
                    }
                    return $0.lower...$0.upper
                })
        )
    }
}

extension KeyValuePairs: GenericBridged {
    static var bridge: (surrogate: Any.Type, access: BridgeAccess) {
        (
            [(key: Key, value: Value)].self,
            Bridge<KeyValuePairs<Key, Value>, [(key: Key, value: Value)]>(
                { Array($0) }, { makeKeyValuePairs($0) })
        )
    }
}

extension CollectionOfOne: GenericBridged {
    static var bridge: (surrogate: Any.Type, access: BridgeAccess) {
        (
            [Element].self,
            Bridge<CollectionOfOne<Element>, [Element]>(
                { Array($0) },
                {
                    guard $0.count == 1, let element = $0.first else {
                        throw BridgeError("A collection of one has \($0.count) elements.")
                    }
                    return CollectionOfOne(element)
                })
        )
    }
}

extension ArraySlice: GenericBridged {
    static var bridge: (surrogate: Any.Type, access: BridgeAccess) {
        ([Element].self, Bridge<ArraySlice<Element>, [Element]>({ Array($0) }, { ArraySlice($0) }))
    }
}

/// A type that holds a fixed number of elements side by side.
protocol FixedElements {
    static var fixedElements: (type: Any.Type, count: Int) { get }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: FixedElements {
    static var fixedElements: (type: Any.Type, count: Int) { (Element.self, count) }
}
