// Room:   AmberKeyed / Foundation. The rarer Foundation classes from their records.
// Takes:  the record that is being read, and its kind. Gives: the object, or what is wrong with the record.
// Touches: Foundation's public initializers. Never: its init(coder:), which traps on what it does not expect.

import AmberModel
import Foundation

extension UnarchivingCoder {
    func readRare(_ kind: FoundationKind, _ type: AnyClass) throws(KeyedFailure) -> AnyObject {
        switch kind {
        case .locale:
            return NSLocale(localeIdentifier: try string("NS.identifier") ?? "")
        case .timeZone: return try timeZone()
        case .calendar: return try calendar()
        case .dateComponents: return try dateComponents()
        case .dateInterval:
            let start = try needed("NS.startDate", NSDate.self)
            let duration: Double
            if value(storedKey: "NS.duration") != nil {
                duration = try real("NS.duration")
            } else {
                duration = try needed("NS.endDate", NSDate.self).timeIntervalSince(start as Date)
            }
            guard duration >= 0, duration.isFinite else { throw failure(.malformed, "A date interval ends early.") }
            return NSDateInterval(start: start as Date, duration: duration)
        case .error:
            guard let domain = try string("NSDomain") else { throw failure(.malformed, "An error has no domain.") }
            var info: [String: Any] = [:]
            for (key, value) in try information("NSUserInfo") ?? [] {
                guard let name = key as? NSString else {
                    throw failure(.typeMismatch, "A key of an error's NSUserInfo is no text.")
                }
                info[name as String] = value
            }
            return NSError(domain: domain, code: try whole("NSCode") ?? 0, userInfo: info)
        case .notification:
            guard let name = try string("NS.name") else { throw failure(.malformed, "A notification has no name.") }
            let sender = try object(for: value(storedKey: "NS.object"))
            var info: [AnyHashable: Any]?
            for (key, value) in try information("NS.userinfo") ?? [] {
                info = info ?? [:]
                // As the keys of Swift's dictionaries: text is a String.
                if let text = key as? NSString { info?[text as String] = value } else { info?[key] = value }
            }
            return NSNotification(name: Notification.Name(name), object: sender, userInfo: info)
        case .regularExpression: return try regularExpression()
        case .textCheckingResult: return try textCheckingResult()
        case .affineTransform: return try affineTransform()
        case .measurement:
            let unit = try needed("NS.unit", Unit.self)
            return NSMeasurement(doubleValue: try real("NS.value"), unit: unit)
        case .unit: return try unit(type)
        case .unitConverter:
            return UnitConverterLinear(
                coefficient: try real("NS.coefficient"), constant: try real("NS.constant"))
        case .personNameComponents:
            let name = NSPersonNameComponents()
            name.namePrefix = try string("NS.namePrefix")
            name.givenName = try string("NS.givenName")
            name.middleName = try string("NS.middleName")
            name.familyName = try string("NS.familyName")
            name.nameSuffix = try string("NS.nameSuffix")
            name.nickname = try string("NS.nickname")
            return name
        default:
            throw failure(.unsupportedType, "\(ClassNames.shown(type)) can't be read.")
        }
    }

    /// What a dictionary holds: of anything that the caller allows, and of the classes that such are made of.
    private func information(_ key: String) throws(KeyedFailure) -> [(key: NSObject, value: AnyObject)]? {
        let allowed =
            (gates.last?.classes ?? []) + ClassGate.propertyList + [NSURL.self, NSNull.self, NSUUID.self, NSError.self]
        let object = try allowing(allowed) { () throws(KeyedFailure) -> AnyObject? in
            try self.object(for: value(storedKey: key))
        }
        guard let object else { return nil }
        guard let dictionary = object as? NSDictionary else {
            throw failure(.typeMismatch, "\(key) is no dictionary.")
        }
        let pairs = FoundationStorage.pairs(of: dictionary)
        var result: [(key: NSObject, value: AnyObject)] = []
        for (key, value) in zip(pairs.keys, pairs.values) {
            guard let key = key as? NSObject else { continue }
            result.append((key, value))
        }
        return result
    }

    private func timeZone() throws(KeyedFailure) -> NSTimeZone {
        guard let name = try string("NS.name"), name.utf8.count <= 256 else {
            throw failure(.malformed, "A time zone has no name.")
        }
        // The system's own rules are newer than an archive's. The archive's stand in where the name is unknown here.
        if let zone = NSTimeZone(name: name) { return zone }
        let data = try data("NS.data")
        if let data, data.starts(with: Array("TZif".utf8)), data.count >= 44,
            let zone = NSTimeZone(name: name, data: data)
        {
            return zone
        }
        throw failure(.malformed, "The time zone \"\(name)\" is not known.")
    }

    private func calendar() throws(KeyedFailure) -> NSCalendar {
        guard let identifier = try string("NS.identifier"),
            let calendar = NSCalendar(identifier: NSCalendar.Identifier(rawValue: identifier))
        else { throw failure(.malformed, "A calendar's identifier is missing or not known.") }
        if let zone = try field("NS.timezone", NSTimeZone.self) { calendar.timeZone = zone as TimeZone }
        if let locale = try field("NS.locale", NSLocale.self) { calendar.locale = locale as Locale }
        if let first = try whole("NS.firstwkdy"), (1...7).contains(first) { calendar.firstWeekday = first }
        if let days = try whole("NS.mindays"), (1...7).contains(days) { calendar.minimumDaysInFirstWeek = days }
        return calendar
    }

    private func dateComponents() throws(KeyedFailure) -> NSDateComponents {
        let components = NSDateComponents()
        components.calendar = try field("NS.calendar", NSCalendar.self).map { $0 as Calendar }
        components.timeZone = try field("NS.timezone", NSTimeZone.self).map { $0 as TimeZone }
        for (key, field) in DateComponentFields.all {
            guard let value = try whole(key) else { continue }
            // Writers of 32 bits say "undefined" with the largest of theirs.
            if value != Int.max, value != Int(Int32.max) { components[keyPath: field] = value }
        }
        if let isLeapMonth = try whole("NS.isLeapMonth") { components.isLeapMonth = isLeapMonth != 0 }
        return components
    }

    private func regularExpression() throws(KeyedFailure) -> NSRegularExpression {
        guard let pattern = try string("NSPattern") else {
            throw failure(.malformed, "A regular expression has no pattern.")
        }
        let options = NSRegularExpression.Options(rawValue: UInt(truncatingIfNeeded: try whole("NSOptions") ?? 0))
        do {
            return try NSRegularExpression(pattern: pattern, options: options.intersection(Self.knownOptions))
        } catch {
            throw failure(.malformed, "\"\(pattern.prefix(80))\" is no regular expression.")
        }
    }

    private static var knownOptions: NSRegularExpression.Options {
        [
            .caseInsensitive, .allowCommentsAndWhitespace, .ignoreMetacharacters, .dotMatchesLineSeparators,
            .anchorsMatchLines, .useUnixLineSeparators, .useUnicodeWordBoundaries,
        ]
    }

    private func textCheckingResult() throws(KeyedFailure) -> NSTextCheckingResult {
        let expression = try needed("NSRegularExpression", NSRegularExpression.self)
        var ranges: [NSRange] = []
        let list = try allowing([NSArray.self, NSValue.self]) { () throws(KeyedFailure) -> AnyObject? in
            try self.object(for: value(storedKey: "NSRangeArray"))
        }
        if let list = list as? NSArray {
            for element in FoundationStorage.objects(of: list) {
                guard let value = element as? NSValue,
                    FoundationGeometry.typeCode(of: value) == "{_NSRange=QQ}"
                else { throw failure(.malformed, "A search result's ranges are no ranges.") }
                ranges.append(value.rangeValue)
            }
        } else {
            ranges = [NSRange(location: try whole("NSRangeLocation") ?? 0, length: try whole("NSRangeLength") ?? 0)]
        }
        guard !ranges.isEmpty, ranges.count <= 4096 else { throw failure(.malformed, "A search result has no range.") }
        return TextCheckingResults.result(ranges, expression)
    }

    private func affineTransform() throws(KeyedFailure) -> NSAffineTransform {
        guard let data = try data("NSTransformStruct"), data.count == 24 else {
            throw failure(.malformed, "An affine transform does not have six numbers.")
        }
        let bytes = [UInt8](data)
        let numbers = (0..<6).map { index -> CGFloat in
            let bits = bytes[index * 4..<index * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return CGFloat(Float(bitPattern: bits))
        }
        let transform = NSAffineTransform()
        transform.transformStruct = NSAffineTransformStruct(
            m11: numbers[0], m12: numbers[1], m21: numbers[2], m22: numbers[3], tX: numbers[4], tY: numbers[5])
        return transform
    }

    private func unit(_ type: AnyClass) throws(KeyedFailure) -> Unit {
        guard let symbol = try string("NS.symbol") else { throw failure(.malformed, "A unit has no symbol.") }
        guard let dimension = type as? Dimension.Type else {
            guard let unit = type as? Unit.Type else { throw failure(.malformed, "A unit's class is no unit.") }
            return unit.init(symbol: symbol)
        }
        let converter = try needed("NS.converter", UnitConverter.self)
        return dimension.init(symbol: symbol, converter: converter)
    }
}
