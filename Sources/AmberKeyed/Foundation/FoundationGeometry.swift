// Room:   AmberKeyed / Foundation. NSValue: points, sizes, rectangles, ranges, insets, and plain C values.
// Takes:  a value, or its record. Gives: the other.
// Touches: nothing.

import Foundation

extension ArchivingCoder {
    func write(_ value: NSValue) {
        switch FoundationGeometry.typeCode(of: value) {
        case "{CGPoint=dd}", "{_NSPoint=dd}", "{NSPoint=dd}":
            put("NS.pointval", FoundationGeometry.text([Double(value.pointValue.x), Double(value.pointValue.y)]))
            put(.integer(1), "NS.special")
        case "{CGSize=dd}", "{_NSSize=dd}", "{NSSize=dd}":
            let size = value.sizeValue
            put("NS.sizeval", FoundationGeometry.text([Double(size.width), Double(size.height)]))
            put(.integer(2), "NS.special")
        case "{CGRect={CGPoint=dd}{CGSize=dd}}", "{_NSRect={_NSPoint=dd}{_NSSize=dd}}":
            let rect = value.rectValue
            let origin = FoundationGeometry.text([Double(rect.origin.x), Double(rect.origin.y)])
            let size = FoundationGeometry.text([Double(rect.width), Double(rect.height)])
            put("NS.rectval", "{\(origin), \(size)}" as NSString)
            put(.integer(3), "NS.special")
        case "{_NSRange=QQ}":
            put("NS.rangeval.location", NSNumber(value: value.rangeValue.location))
            put("NS.rangeval.length", NSNumber(value: value.rangeValue.length))
            put(.integer(4), "NS.special")
        case "{NSEdgeInsets=dddd}":
            let insets = value.edgeInsetsValue
            put(.double(Double(insets.top)), "NS.edgeval.top")
            put(.double(Double(insets.left)), "NS.edgeval.left")
            put(.double(Double(insets.bottom)), "NS.edgeval.bottom")
            put(.double(Double(insets.right)), "NS.edgeval.right")
            put(.integer(12), "NS.special")
        case let code:
            if let layout = OldStyleArray.Layout(code) {
                encode(code as NSString)
                let elements = FoundationGeometry.numbers(in: value, layout)
                return encode(OldStyleArray(number: layout.number, elements: elements))
            }
            guard let number = OldStyleArray.Number(code) else {
                return fail(.unsupportedType, "A value of the type code \(code) can't be archived.")
            }
            encode(code as NSString)
            putUnkeyed(FoundationGeometry.number(in: value, number))
        }
    }
}

enum FoundationGeometry {
    /// Numbers as Apple writes them: whole ones without a fraction, others with the digits that read back the same.
    static func text(_ numbers: [Double]) -> NSString {
        let parts = numbers.map { number in
            if let whole = Int64(exactly: number) { return String(whole) }
            return String(describing: number)
        }
        return "{\(parts.joined(separator: ", "))}" as NSString
    }

    /// The numbers in "{{1, 2}, {3, 4}}".
    static func numbers(_ text: String, count: Int) -> [Double]? {
        guard text.utf8.count <= 512 else { return nil }
        let parts = text.split(whereSeparator: { "{}, ".contains($0) })
        let numbers = parts.compactMap { Double($0) }
        return numbers.count == parts.count && numbers.count == count ? numbers : nil
    }
}
