// Room:   AmberModel / Foreign. Values that say nothing, for the properties of an object that is not there yet.
// Takes:  a type. Gives: its empty text, list, set, or a new object of a Foundation class; nil where none is known.
// Touches: nothing.

internal import Foundation

enum EmptyValues {
    /// An empty value of exactly `type`, of those that can't be made of their parts.
    static func value(of type: Any.Type) -> Any? {
        if let make = known[ObjectIdentifier(type)] { return make() }
        switch type {
        case let type as any RangeReplaceableCollection.Type: return type.init()
        case let type as any SetAlgebra.Type: return type.init()
        case let type as any EmptyDictionary.Type: return type.empty
        default: return nil
        }
    }

    /// Whether `type` is a class that instances without an initializer may be made of: a program's own one, above which
    /// only its own ones and NSObject stand.
    static func isProgramClass(_ type: AnyClass) -> Bool {
        var current: AnyClass? = type
        while let candidate = current, candidate != NSObject.self {
            let module = String(reflecting: candidate).prefix { $0 != "." }
            if systemModules.contains(String(module)) { return false }
            current = _getSuperclass(candidate)
        }
        return true
    }

    private static let systemModules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Dispatch", "Synchronization", "_Concurrency", "Observation", "_StringProcessing",
    ]

    private static let known: [ObjectIdentifier: @Sendable () -> Any] = [
        ObjectIdentifier(Any.self): { () }, ObjectIdentifier(AnyObject.self): { NSObject() },
        ObjectIdentifier(AnyHashable.self): { AnyHashable(0) }, ObjectIdentifier(Character.self): { Character(" ") },
        ObjectIdentifier(URL.self): { URL(fileURLWithPath: "/") },
        ObjectIdentifier(URLComponents.self): { URLComponents() },
        ObjectIdentifier(Locale.self): { Locale(identifier: "") },
        ObjectIdentifier(TimeZone.self): { TimeZone.gmt },
        ObjectIdentifier(Calendar.self): { Calendar(identifier: .gregorian) },
        ObjectIdentifier(DateComponents.self): { DateComponents() },
        ObjectIdentifier(AttributedString.self): { AttributedString() },
        ObjectIdentifier(PersonNameComponents.self): { PersonNameComponents() },
        ObjectIdentifier(NSObject.self): { NSObject() },
        ObjectIdentifier(NSString.self): { NSString() },
        ObjectIdentifier(NSMutableString.self): { NSMutableString(string: "") },
        ObjectIdentifier(NSNumber.self): { NSNumber(value: 0) },
        ObjectIdentifier(NSDecimalNumber.self): { NSDecimalNumber.zero },
        ObjectIdentifier(NSData.self): { NSData() }, ObjectIdentifier(NSMutableData.self): { NSMutableData() },
        ObjectIdentifier(NSDate.self): { NSDate(timeIntervalSinceReferenceDate: 0) },
        ObjectIdentifier(NSNull.self): { NSNull() }, ObjectIdentifier(NSUUID.self): { NSUUID() },
        ObjectIdentifier(NSURL.self): { NSURL(fileURLWithPath: "/") },
        ObjectIdentifier(NSArray.self): { NSArray() }, ObjectIdentifier(NSMutableArray.self): { NSMutableArray() },
        ObjectIdentifier(NSDictionary.self): { NSDictionary() },
        ObjectIdentifier(NSMutableDictionary.self): { NSMutableDictionary(capacity: 0) },
        ObjectIdentifier(NSSet.self): { NSSet() }, ObjectIdentifier(NSMutableSet.self): { NSMutableSet(capacity: 0) },
        ObjectIdentifier(NSCountedSet.self): { NSCountedSet(capacity: 0) },
        ObjectIdentifier(NSOrderedSet.self): { NSOrderedSet() },
        ObjectIdentifier(NSMutableOrderedSet.self): { NSMutableOrderedSet(capacity: 0) },
        ObjectIdentifier(NSIndexSet.self): { NSIndexSet() },
        ObjectIdentifier(NSMutableIndexSet.self): { NSMutableIndexSet() },
        ObjectIdentifier(NSAttributedString.self): { NSAttributedString(string: "") },
        ObjectIdentifier(NSMutableAttributedString.self): { NSMutableAttributedString(string: "") },
        ObjectIdentifier(NSLock.self): { NSLock() }, ObjectIdentifier(NSRecursiveLock.self): { NSRecursiveLock() },
        ObjectIdentifier(DispatchQueue.self): { DispatchQueue(label: "empty") },
        ObjectIdentifier(OperationQueue.self): { OperationQueue() },
    ]
}

private protocol EmptyDictionary {
    static var empty: Any { get }
}

extension Dictionary: EmptyDictionary {
    fileprivate static var empty: Any { Self() }
}
