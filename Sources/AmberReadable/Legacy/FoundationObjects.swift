// Room:   AmberReadable / Legacy. Foundation's objects as the values that they stand for.
// Takes:  an object in an existential or a property; a value that a document holds. Gives: the other.
// Touches: nothing.

internal import AmberModel
internal import Foundation

enum FoundationObjects {
    /// The Swift value that an object of one of Foundation's value classes stands for; `nil` for any other value.
    static func value(of object: Any) -> Any? {
        guard type(of: object) is AnyClass else { return nil }
        switch object as AnyObject {
        case is NSNull: return Optional<Any>.none as Any
        case let text as NSString: return text as String
        case let number as NSNumber: return swiftValue(ReadableValue(number: number))
        case let date as NSDate: return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as NSData: return Data(referencing: data)
        case let uuid as NSUUID: return UUID(uuidString: uuid.uuidString)
        case let url as NSURL: return URL(string: url.relativeString, relativeTo: url.baseURL)
        // Elements as they are: Foundation's own ways bridge them, and all that they hold.
        case let array as NSArray: return FoundationStorage.objects(of: array).map { FoundationStorage.unboxed($0) }
        case let set as NSOrderedSet: return FoundationStorage.objects(of: set).map { FoundationStorage.unboxed($0) }
        case let set as NSSet: return FoundationStorage.objects(of: set).map { FoundationStorage.unboxed($0) }
        case let dictionary as NSDictionary:
            var result: [AnyHashable: Any] = [:]
            var texts: [String: Any] = [:]
            let pairs = FoundationStorage.pairs(of: dictionary)
            for (object, boxed) in zip(pairs.keys, pairs.values) {
                let (key, item) = (FoundationStorage.unboxed(object), FoundationStorage.unboxed(boxed))
                guard let name = (value(of: key) ?? key) as? AnyHashable else { return nil }
                result[name] = item
                if let text = name as? String { texts[text] = item }
            }
            return texts.count == result.count ? texts as Any : result as Any
        default: return nil
        }
    }

    private static func swiftValue(_ number: ReadableValue) -> Any {
        switch number {
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .unsigned(let value): UInt(value)
        case .float(let value): value
        case .double(let value): value
        case .number(let text): Decimal(string: text) ?? Decimal.nan
        default: 0
        }
    }

    /// The object of a class that a property is declared to hold.
    static func object(for value: Any, of base: AnyClass) -> AnyObject? {
        let made = object(for: value, mutable: isSubclassOfMutable(base))
        guard let made, isInstance(made, of: base) else { return nil }
        return made
    }

    private static func isSubclassOfMutable(_ type: AnyClass) -> Bool {
        [
            NSMutableString.self, NSMutableArray.self, NSMutableDictionary.self, NSMutableSet.self, NSMutableData.self,
            NSMutableOrderedSet.self,
        ].contains { (mutable: AnyClass) in type == mutable }
    }

    private static func object(for value: Any, mutable: Bool) -> AnyObject? {
        switch value {
        case let value as String: return mutable ? NSMutableString(string: value) : NSString(string: value)
        case let value as Bool where type(of: value) == Bool.self && type(of: value as Any) == Bool.self:
            return NSNumber(value: value)
        case let value as Double where type(of: value as Any) == Double.self: return NSNumber(value: value)
        case let value as Float where type(of: value as Any) == Float.self: return NSNumber(value: value)
        case let value as Int: return NSNumber(value: value)
        case let value as UInt: return NSNumber(value: value)
        case let value as Decimal: return NSDecimalNumber(decimal: value)
        case let value as Date:
            return NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
        case let value as Data: return mutable ? NSMutableData(data: value) : NSData(data: value)
        case let value as UUID: return NSUUID(uuidString: value.uuidString)
        case let value as URL: return NSURL(string: value.relativeString, relativeTo: value.baseURL)
        case let values as [Any]:
            let objects = values.map { object(for: $0, mutable: false) ?? NSNull() }
            return mutable ? FoundationStorage.mutableArray(objects) : FoundationStorage.array(objects)
        case let pairs as [AnyHashable: Any]:
            let result = NSMutableDictionary()
            for (key, value) in pairs {
                guard let key = object(for: key.base, mutable: false) as? NSObject else { return nil }
                result.setObject(object(for: value, mutable: false) ?? NSNull(), forKey: key)
            }
            return mutable ? result : result.copy() as AnyObject
        default:
            if isNilExistential(value) { return NSNull() }
            return type(of: value) is AnyClass ? value as AnyObject : nil
        }
    }
}
