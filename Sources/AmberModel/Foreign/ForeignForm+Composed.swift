// Room:   AmberModel / Foreign. Foundation's classes that hold more than one value.
// Takes:  an object. Gives: its properties as dynamic values; an object made of such properties.
// Touches: objects through their public methods.

internal import Foundation

extension ForeignForm {
    /// A class of several values.
    private static func form<Object: NSObject>(
        _ name: String,
        _ write: @escaping @Sendable (Object, ForeignWriter) throws -> [(name: String, value: DynamicValue)],
        _ make: @escaping @Sendable (ForeignRecord) throws -> Object
    ) -> ForeignForm {
        ForeignForm(
            name: name, type: Object.self,
            write: { object, writer in
                guard let object = object as? Object else { return [] }
                return try write(object, writer)
            }, making: .value { try make($0) })
    }

    static let composed: [ForeignForm] = [
        form("NSValue", { (value: NSValue, _) in try ForeignGeometry.values(of: value) }, ForeignGeometry.value),
        form("NSAttributedString", { (string: NSAttributedString, writer) in try runs(string, writer) }) {
            NSAttributedString(attributedString: try attributed($0))
        },
        form(
            "NSMutableAttributedString", { (string: NSMutableAttributedString, writer) in try runs(string, writer) },
            attributed),
        form(
            "NSRegularExpression",
            { (expression: NSRegularExpression, _) in
                [("pattern", .value(expression.pattern)), ("options", .value(expression.options.rawValue))]
            }
        ) { record in
            let options = NSRegularExpression.Options(rawValue: try record.value("options", as: UInt.self))
            let known: NSRegularExpression.Options = [
                .caseInsensitive, .allowCommentsAndWhitespace, .ignoreMetacharacters, .dotMatchesLineSeparators,
                .anchorsMatchLines, .useUnixLineSeparators, .useUnicodeWordBoundaries,
            ]
            return try NSRegularExpression(
                pattern: record.value("pattern", as: String.self), options: options.intersection(known))
        },
        form(
            "NSError",
            { (error: NSError, writer) in
                [
                    ("domain", .value(error.domain)), ("code", .value(error.code)),
                    ("userInfo", error.userInfo.isEmpty ? .null : writer.reference(error.userInfo as NSDictionary)),
                ]
            }
        ) { record in
            let info = try record.object("userInfo", as: NSDictionary.self)
            return NSError(
                domain: try record.value("domain", as: String.self), code: try record.value("code", as: Int.self),
                userInfo: info as? [String: Any])
        },
        form(
            "NSNotification",
            { (notification: NSNotification, writer) in
                [
                    ("name", .value(notification.name.rawValue)),
                    ("object", notification.object.map { writer.value($0) } ?? .null),
                    ("userInfo", notification.userInfo.map { writer.reference($0 as NSDictionary) } ?? .null),
                ]
            }
        ) { record in
            let info = try record.object("userInfo", as: NSDictionary.self)
            return NSNotification(
                name: Notification.Name(try record.value("name", as: String.self)),
                object: try record.reader.value(record.values["object"] ?? .null, in: .anything),
                userInfo: info as? [AnyHashable: Any])
        },
        form(
            "NSURLQueryItem",
            { (item: NSURLQueryItem, _) in
                [("name", .value(item.name)), ("value", item.value.map { .value($0) } ?? .null)]
            }
        ) { record in
            NSURLQueryItem(
                name: try record.value("name", as: String.self), value: try record.value("value", as: String?.self))
        },
    ]

    private static func runs(
        _ string: NSAttributedString, _ writer: ForeignWriter
    ) throws -> [(name: String, value: DynamicValue)] {
        guard let runs = AttributeRuns.runs(of: string) else {
            throw ClosingError("An attributed string has an empty run.")
        }
        return [
            ("text", .value(string.string)), ("lengths", .array(runs.map { .value($0.length) })),
            ("attributes", .array(runs.map { writer.reference($0.attributes) })),
        ]
    }

    @Sendable
    private static func attributed(_ record: ForeignRecord) throws -> NSMutableAttributedString {
        let string = NSMutableAttributedString(string: try record.value("text", as: String.self))
        let lengths = try record.value("lengths", as: [Int].self)
        let attributes = record.values["attributes"]?.array ?? []
        guard lengths.count == attributes.count else {
            throw ClosingError("An attributed string has \(lengths.count) runs and \(attributes.count) attributes.")
        }
        var position = 0
        for (length, value) in zip(lengths, attributes) {
            guard length > 0, length <= string.length - position, case .object(let reference) = value,
                let pairs = try record.reader.object(reference, in: .anything) as? NSDictionary
            else { throw ClosingError("An attributed string's runs don't fit its text.") }
            let (keys, values) = FoundationStorage.pairs(of: pairs)
            for (key, value) in zip(keys, values) {
                guard let name = key as? NSString else { throw ClosingError("An attribute's name is no string.") }
                string.addAttribute(
                    NSAttributedString.Key(name as String), value: FoundationStorage.unboxed(value),
                    range: NSRange(location: position, length: length))
            }
            position += length
        }
        return string
    }
}

/// NSValue: points, sizes, rectangles, ranges, insets.
enum ForeignGeometry {
    static func values(of value: NSValue) throws -> [(name: String, value: DynamicValue)] {
        func numbers(_ kind: String, _ numbers: CGFloat...) -> [(name: String, value: DynamicValue)] {
            [("kind", .value(kind)), ("numbers", .array(numbers.map { .value(Double($0)) }))]
        }
        switch typeCode(of: value) {
        case "{CGPoint=dd}", "{_NSPoint=dd}", "{NSPoint=dd}":
            return numbers("point", value.pointValue.x, value.pointValue.y)
        case "{CGSize=dd}", "{_NSSize=dd}", "{NSSize=dd}":
            return numbers("size", value.sizeValue.width, value.sizeValue.height)
        case "{CGRect={CGPoint=dd}{CGSize=dd}}", "{_NSRect={_NSPoint=dd}{_NSSize=dd}}":
            let rect = value.rectValue
            return numbers("rect", rect.origin.x, rect.origin.y, rect.width, rect.height)
        case "{NSEdgeInsets=dddd}":
            let insets = value.edgeInsetsValue
            return numbers("insets", insets.top, insets.left, insets.bottom, insets.right)
        case "{_NSRange=QQ}":
            let range = value.rangeValue
            return [
                ("kind", .value("range")), ("location", .value(range.location)), ("length", .value(range.length)),
            ]
        case let code:
            guard code.count == 1, let number = code.first.flatMap({ CNumber(rawValue: $0) }) else {
                throw ClosingError("An NSValue of the type code \(code) can't be archived.")
            }
            return [("kind", .value("number \(code)")), ("number", .value(number.number(in: value)))]
        }
    }

    @Sendable
    static func value(_ record: ForeignRecord) throws -> NSValue {
        let kind = try record.value("kind", as: String.self)
        func numbers(_ count: Int) throws -> [CGFloat] {
            let numbers = try record.value("numbers", as: [Double].self)
            guard numbers.count == count else { throw ClosingError("A \(kind) has \(numbers.count) numbers.") }
            return numbers.map { CGFloat($0) }
        }
        switch kind {
        case "point":
            let point = try numbers(2)
            return NSValue(point: NSPoint(x: point[0], y: point[1]))
        case "size":
            let size = try numbers(2)
            return NSValue(size: NSSize(width: size[0], height: size[1]))
        case "rect":
            let rect = try numbers(4)
            return NSValue(rect: NSRect(x: rect[0], y: rect[1], width: rect[2], height: rect[3]))
        case "insets":
            let insets = try numbers(4)
            return NSValue(
                edgeInsets: NSEdgeInsets(top: insets[0], left: insets[1], bottom: insets[2], right: insets[3]))
        case "range":
            return NSValue(
                range: NSRange(
                    location: try record.value("location", as: Int.self),
                    length: try record.value("length", as: Int.self)))
        default:
            guard kind.hasPrefix("number "), kind.utf8.count == 8, let code = kind.last,
                let number = CNumber(rawValue: code), let leaf = record.leaf("number")
            else { throw ClosingError("An NSValue of the kind \(kind) is not known.") }
            return number.value(of: leaf)
        }
    }
}
