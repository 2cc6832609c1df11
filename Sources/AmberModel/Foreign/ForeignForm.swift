// Room:   AmberModel / Foreign. How Foundation's classes are archived: the value that each stands for.
// Takes:  an object. Gives: its properties as dynamic values; an object made of such properties.
// Touches: objects through their public methods. Never: Foundation's own `init(coder:)`, which ends the process on what it doesn't expect.

internal import Foundation

/// One of Foundation's classes, as archives hold its objects.
struct ForeignForm: Sendable {
    enum Making: Sendable {
        case value(@Sendable (ForeignRecord) throws -> AnyObject)
        case container(ForeignContainer)
    }

    /// The name of the class in archives: the same on all platforms.
    let name: String
    let type: AnyClass
    let write: @Sendable (AnyObject, ForeignWriter) throws -> [(name: String, value: DynamicValue)]
    let making: Making
    /// The type of the value that objects stand for, if it is one.
    var valueType: Any.Type?

    /// Whether objects are collections.
    var isContainer: Bool {
        if case .container = making { return true }
        return false
    }

    private static let all: [ForeignForm] = simple + numbers + containers + composed + units
    private static let byType = Dictionary(
        all.map { (ObjectIdentifier($0.type), $0) }, uniquingKeysWith: { first, _ in first })
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static func form(of type: AnyClass) -> ForeignForm? { byType[ObjectIdentifier(type)] }
    static func form(named name: String) -> ForeignForm? { byName[name] }

    /// The form of an object of Foundation: by its class, or by the public class that a private one stands for.
    static func form(for object: AnyObject) -> ForeignForm? {
        let type: AnyClass = Swift.type(of: object)
        if let known = form(of: type) { return known }
        guard ForeignClasses.isFoundation(type), let object = object as? NSObject else { return nil }
        return form(of: object.classForCoder)
    }

    /// A class whose objects stand for one value of a Swift type.
    private static func single<Object: NSObject, Value>(
        _ name: String, _ get: @escaping @Sendable (Object) -> Value,
        _ make: @escaping @Sendable (Value) throws -> Object
    ) -> ForeignForm {
        ForeignForm(
            name: name, type: Object.self,
            write: { object, _ in
                guard let object = object as? Object else { return [] }
                return [("value", .value(get(object)))]
            }, making: .value { record in try make(record.value("value", as: Value.self)) }, valueType: Value.self)
    }

    private static let simple: [ForeignForm] = [
        single("NSString", { (string: NSString) -> String in string as String }, { $0 as NSString }),
        single(
            "NSMutableString", { (string: NSMutableString) -> String in string as String },
            { NSMutableString(string: $0) }
        ),
        single("NSData", { (data: NSData) -> Data in Data(referencing: data) }, { $0 as NSData }),
        single(
            "NSMutableData", { (data: NSMutableData) -> Data in Data(referencing: data) }, { NSMutableData(data: $0) }),
        single(
            "NSDate",
            { (date: NSDate) -> Date in Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate) },
            { NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }),
        single("NSUUID", { (uuid: NSUUID) -> UUID in uuid as UUID }, { $0 as NSUUID }),
        single(
            "NSURL",
            { (url: NSURL) -> URL in URL(string: url.relativeString, relativeTo: url.baseURL) ?? url as URL },
            { NSURL(string: $0.relativeString, relativeTo: $0.baseURL) ?? $0 as NSURL }),
        single("NSIndexSet", { (set: NSIndexSet) -> IndexSet in set as IndexSet }, { NSIndexSet(indexSet: $0) }),
        single(
            "NSMutableIndexSet", { (set: NSMutableIndexSet) -> IndexSet in set as IndexSet },
            { indexes in
                let set = NSMutableIndexSet()
                for range in indexes.rangeView { set.add(in: NSRange(location: range.lowerBound, length: range.count)) }
                return set
            }),
        single("NSIndexPath", { (path: NSIndexPath) -> IndexPath in path as IndexPath }, { $0 as NSIndexPath }),
        single(
            "NSCharacterSet", { (set: NSCharacterSet) -> CharacterSet in set as CharacterSet }, { $0 as NSCharacterSet }
        ),
        single(
            "NSMutableCharacterSet", { (set: NSMutableCharacterSet) -> CharacterSet in set as CharacterSet },
            // Where Foundation's mutable sets take no changes they can be made whole all the same.
            { NSMutableCharacterSet(bitmapRepresentation: $0.bitmapRepresentation) }),
        single("NSLocale", { (locale: NSLocale) -> Locale in locale as Locale }, { $0 as NSLocale }),
        single("NSTimeZone", { (zone: NSTimeZone) -> TimeZone in zone as TimeZone }, { $0 as NSTimeZone }),
        single("NSCalendar", { (calendar: NSCalendar) -> Calendar in calendar as Calendar }, { $0 as NSCalendar }),
        single(
            "NSDateComponents", { (components: NSDateComponents) -> DateComponents in components as DateComponents },
            { $0 as NSDateComponents }),
        single(
            "NSPersonNameComponents",
            { (name: NSPersonNameComponents) -> PersonNameComponents in name as PersonNameComponents },
            { $0 as NSPersonNameComponents }),
        single(
            "NSDateInterval", { (interval: NSDateInterval) -> DateInterval in interval as DateInterval },
            { interval in
                guard interval.duration >= 0, interval.duration.isFinite else {
                    throw ClosingError("A date interval ends before it begins.")
                }
                return interval as NSDateInterval
            }),
        single(
            "NSDecimalNumber", { (number: NSDecimalNumber) -> Decimal in number.decimalValue },
            { NSDecimalNumber(decimal: $0) }),
    ]

    private static let numbers: [ForeignForm] = [
        ForeignForm(
            name: "NSNull", type: NSNull.self, write: { _, _ in [] }, making: .value { _ in NSNull() }),
        ForeignForm(
            name: "NSNumber", type: NSNumber.self,
            write: { object, _ in
                guard let number = object as? NSNumber else { return [] }
                return [("value", .value(ForeignNumber.value(of: number)))]
            },
            making: .value { record in
                guard let value = record.leaf("value"), let number = ForeignNumber.number(value) else {
                    throw ClosingError("An NSNumber has no number.")
                }
                return number
            }),
    ]
}

/// The properties of an object that is being made.
struct ForeignRecord {
    let values: ArchivedValues
    let reader: ForeignReader

    /// A value of a Swift type.
    func value<T>(_ name: String, as type: T.Type) throws -> T { try values.value(name, as: type) }

    /// A Bool, number, String, Data, Date, UUID or Decimal.
    func leaf(_ name: String) -> Any? { values[name]?.value }

    /// An object of a class; nil if it is nil or missing.
    func object<T: AnyObject>(_ name: String, as type: T.Type) throws -> T? {
        guard case .object(let reference)? = values[name] else { return nil }
        let object = try reader.object(reference, in: .anything)
        guard let typed = object as? T else {
            throw ClosingError(
                "`\(name)` is a \(codingName(of: Swift.type(of: object))), not a \(codingName(of: type)).")
        }
        return typed
    }
}
