// Room:   AmberKeyed / Foundation. Foundation's archivable classes: what they are called and which of them we code.
// Takes:  a class or a name. Gives: the kind whose layout is written out in this folder, the name Apple's archives use.
// Touches: class metadata. Never: an instance.

import AmberModel
import Foundation

/// A Foundation class whose layout this module reads and writes itself.
enum FoundationKind {
    case string, mutableString, number, decimalNumber, data, mutableData
    case date, null, uuid, url
    case array, mutableArray, dictionary, mutableDictionary
    case set, mutableSet, countedSet, orderedSet, mutableOrderedSet
    case indexSet, mutableIndexSet, indexPath, value
    case attributedString, mutableAttributedString, characterSet, mutableCharacterSet
    case locale, timeZone, calendar, dateComponents, dateInterval
    case error, notification, regularExpression, textCheckingResult, affineTransform
    case measurement, unit, unitConverter, personNameComponents
}

enum FoundationClasses {
    /// The classes that are coded here, by the class an archive names.
    static let kinds: [ObjectIdentifier: FoundationKind] = [
        ObjectIdentifier(NSString.self): .string, ObjectIdentifier(NSMutableString.self): .mutableString,
        ObjectIdentifier(NSNumber.self): .number, ObjectIdentifier(NSDecimalNumber.self): .decimalNumber,
        ObjectIdentifier(NSData.self): .data, ObjectIdentifier(NSMutableData.self): .mutableData,
        ObjectIdentifier(NSDate.self): .date, ObjectIdentifier(NSNull.self): .null,
        ObjectIdentifier(NSUUID.self): .uuid, ObjectIdentifier(NSURL.self): .url,
        ObjectIdentifier(NSArray.self): .array, ObjectIdentifier(NSMutableArray.self): .mutableArray,
        ObjectIdentifier(NSDictionary.self): .dictionary,
        ObjectIdentifier(NSMutableDictionary.self): .mutableDictionary,
        ObjectIdentifier(NSSet.self): .set, ObjectIdentifier(NSMutableSet.self): .mutableSet,
        ObjectIdentifier(NSCountedSet.self): .countedSet, ObjectIdentifier(NSOrderedSet.self): .orderedSet,
        ObjectIdentifier(NSMutableOrderedSet.self): .mutableOrderedSet,
        ObjectIdentifier(NSIndexSet.self): .indexSet, ObjectIdentifier(NSMutableIndexSet.self): .mutableIndexSet,
        ObjectIdentifier(NSIndexPath.self): .indexPath, ObjectIdentifier(NSValue.self): .value,
        ObjectIdentifier(NSAttributedString.self): .attributedString,
        ObjectIdentifier(NSMutableAttributedString.self): .mutableAttributedString,
        ObjectIdentifier(NSCharacterSet.self): .characterSet,
        ObjectIdentifier(NSMutableCharacterSet.self): .mutableCharacterSet,
        ObjectIdentifier(NSLocale.self): .locale, ObjectIdentifier(NSTimeZone.self): .timeZone,
        ObjectIdentifier(NSCalendar.self): .calendar, ObjectIdentifier(NSDateComponents.self): .dateComponents,
        ObjectIdentifier(NSDateInterval.self): .dateInterval, ObjectIdentifier(NSError.self): .error,
        ObjectIdentifier(NSNotification.self): .notification,
        ObjectIdentifier(NSRegularExpression.self): .regularExpression,
        ObjectIdentifier(NSTextCheckingResult.self): .textCheckingResult,
        ObjectIdentifier(NSAffineTransform.self): .affineTransform,
        ObjectIdentifier(NSMeasurement.self): .measurement,
        ObjectIdentifier(UnitConverterLinear.self): .unitConverter,
        ObjectIdentifier(NSPersonNameComponents.self): .personNameComponents,
    ]

    /// The kinds that are read as themselves when an archive is inspected; everything else shows its keys.
    static let inspected: Set<FoundationKind> = [
        .string, .mutableString, .number, .data, .mutableData, .date, .null, .uuid, .url, .array, .mutableArray,
        .dictionary, .mutableDictionary, .set, .mutableSet, .countedSet, .orderedSet, .mutableOrderedSet, .indexSet,
        .mutableIndexSet, .indexPath,
    ]

    /// Names in Apple's archives whose class is called otherwise here.
    private static let namesToClasses: [String: AnyClass] = [
        "NSDecimalNumberPlaceholder": NSDecimalNumber.self,
        "NSSimpleRegularExpressionCheckingResult": NSTextCheckingResult.self,
        "NSExtendedRegularExpressionCheckingResult": NSTextCheckingResult.self,
        "NSComplexRegularExpressionCheckingResult": NSTextCheckingResult.self,
        "NSConcreteValue": NSValue.self, "NSConcreteAttributedString": NSAttributedString.self,
        "NSConcreteMutableAttributedString": NSMutableAttributedString.self,
        "__NSCFBoolean": NSNumber.self, "__NSCFNumber": NSNumber.self,
        "NSUnitConverterLinear": UnitConverterLinear.self, "NSUnitConverterReciprocal": reciprocalConverter,
    ]

    /// The kind of a class that is coded here.
    static func kind(of type: AnyClass) -> FoundationKind? {
        if let kind = kinds[ObjectIdentifier(type)] { return kind }
        return isFoundation(type) && type is Unit.Type ? .unit : nil
    }

    /// Whether `type` belongs to Foundation and not to a program that uses it.
    static func isFoundation(_ type: AnyClass) -> Bool {
        _typeName(type, qualified: true).hasPrefix("Foundation")
    }

    /// Whether instances of `type` are coded by their schema, not by methods of their own.
    static func isCodedBySchema(_ type: AnyClass) -> Bool {
        if type is any NSCoding.Type { return type is ModelObject.Type }
        return type is any ModelProtocol.Type || PlanCache.shared.archivesByProperties(type)
    }

    /// Whether Foundation's own `init(coder:)` of a class that is not coded here may be called.
    ///
    /// Several of them end the process on what they don't expect, or on anything at all; these are known not to.
    static func mayDecodeItself(_ type: AnyClass) -> Bool {
        type == NSURLQueryItem.self || type == reciprocalConverter
    }

    /// The converter of fuel efficiencies, whose class has no public name: it asks for one real and no more.
    private static let reciprocalConverter: AnyClass = Swift.type(of: UnitFuelEfficiency.milesPerGallon.converter)

    /// The name of a Foundation class in Apple's archives.
    static func archiveName(of type: AnyClass) -> String? {
        if type == NSDecimalNumber.self { return "NSDecimalNumber" }
        guard isFoundation(type) else { return nil }
        return NSStringFromClass(type)
    }

    /// The Foundation class that an archive calls `name`.
    static func type(named name: String) -> AnyClass? {
        if let known = namesToClasses[name] { return known }
        guard name.hasPrefix("NS"), name.utf8.count <= 80,
            name.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a || $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        return NSClassFromString(name)
    }
}
