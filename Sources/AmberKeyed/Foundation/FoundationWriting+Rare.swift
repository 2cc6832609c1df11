// Room:   AmberKeyed / Foundation. The rarer Foundation classes as Apple's archiver writes them.
// Takes:  an object of a known kind. Gives: the entries of its record.
// Touches: the object, through its public methods.

import Foundation

extension ArchivingCoder {
    func writeRare(_ object: AnyObject, _ kind: FoundationKind) {
        switch (kind, object) {
        case (.locale, let locale as NSLocale):
            put("NS.identifier", (locale as Locale).identifier as NSString)
        case (.timeZone, let zone as NSTimeZone):
            put("NS.name", zone.name as NSString)
            put("NS.data", zone.data.isEmpty ? nil : zone.data as NSData)
        case (.calendar, let calendar as NSCalendar):
            put("NS.identifier", calendar.calendarIdentifier.rawValue as NSString)
            put("NS.timezone", calendar.timeZone as NSTimeZone)
            put("NS.locale", calendar.locale.map { $0 as NSLocale })
            put(.integer(Int64(calendar.firstWeekday)), "NS.firstwkdy")
            put(.integer(Int64(calendar.minimumDaysInFirstWeek)), "NS.mindays")
        case (.dateComponents, let components as NSDateComponents):
            write(components)
        case (.dateInterval, let interval as NSDateInterval):
            put("NS.startDate", interval.startDate as NSDate)
            put("NS.endDate", interval.endDate as NSDate)
            put(.double(interval.duration), "NS.duration")
        case (.error, let error as NSError):
            put("NSDomain", error.domain as NSString)
            put(.integer(Int64(error.code)), "NSCode")
            let info = NSDictionary(
                objects: Array(error.userInfo.values), forKeys: error.userInfo.keys.map { $0 as NSString })
            put("NSUserInfo", info.count == 0 ? nil : info)
        case (.notification, let notification as NSNotification):
            put("NS.name", notification.name.rawValue as NSString)
            put("NS.object", notification.object)
            put("NS.userinfo", notification.userInfo.map { NSDictionary(dictionary: $0) })
        case (.regularExpression, let expression as NSRegularExpression):
            put("NSPattern", expression.pattern as NSString)
            put(.integer(Int64(expression.options.rawValue)), "NSOptions")
        case (.textCheckingResult, let result as NSTextCheckingResult):
            write(result)
        case (.affineTransform, let transform as NSAffineTransform):
            let matrix = transform.transformStruct
            let numbers = [matrix.m11, matrix.m12, matrix.m21, matrix.m22, matrix.tX, matrix.tY]
            let bytes = numbers.flatMap { number -> [UInt8] in
                let bits = Float(number).bitPattern
                return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
            }
            put(.data(Data(bytes)), "NSTransformStruct")
        case (.measurement, let measurement as NSMeasurement):
            put(.double(measurement.doubleValue), "NS.value")
            put("NS.unit", measurement.unit)
        case (.unit, let unit as Unit):
            put("NS.symbol", unit.symbol as NSString)
            if let dimension = unit as? Dimension { put("NS.converter", dimension.converter) }
        case (.unitConverter, let converter as UnitConverterLinear):
            put(.double(converter.coefficient), "NS.coefficient")
            put(.double(converter.constant), "NS.constant")
        case (.personNameComponents, let name as NSPersonNameComponents):
            put("NS.namePrefix", name.namePrefix)
            put("NS.givenName", name.givenName)
            put("NS.middleName", name.middleName)
            put("NS.familyName", name.familyName)
            put("NS.nameSuffix", name.nameSuffix)
            put("NS.nickname", name.nickname)
        default:
            fail(.unsupportedType, "\(type(of: object)) can't be archived.")
        }
    }

    private func write(_ components: NSDateComponents) {
        put("NS.calendar", components.calendar.map { $0 as NSCalendar })
        put("NS.timezone", components.timeZone.map { $0 as NSTimeZone })
        for (key, field) in DateComponentFields.all {
            put(.integer(Int64(components[keyPath: field])), key)
        }
        put(.bool(components.isLeapMonth), "NS.isLeapMonth")
    }

    private func write(_ result: NSTextCheckingResult) {
        put(.integer(Int64(result.range.location)), "NSRangeLocation")
        put(.integer(Int64(result.range.length)), "NSRangeLength")
        put("NSRegularExpression", result.regularExpression)
        let ranges = (0..<result.numberOfRanges).map { NSValue(range: result.range(at: $0)) }
        put("NSRangeArray", NSArray(array: ranges))
    }
}

/// The fields of date components by their keys in an archive.
enum DateComponentFields {
    static var all: [(String, ReferenceWritableKeyPath<NSDateComponents, Int>)] {
        [
            ("NS.era", \.era), ("NS.year", \.year), ("NS.quarter", \.quarter), ("NS.month", \.month),
            ("NS.day", \.day), ("NS.hour", \.hour), ("NS.minute", \.minute), ("NS.second", \.second),
            ("NS.nanosec", \.nanosecond), ("NS.weekOfYear", \.weekOfYear), ("NS.weekOfMonth", \.weekOfMonth),
            ("NS.yearForWOY", \.yearForWeekOfYear), ("NS.weekday", \.weekday),
            ("NS.weekdayOrdinal", \.weekdayOrdinal),
        ]
    }
}
