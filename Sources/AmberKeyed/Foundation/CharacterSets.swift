// Room:   AmberKeyed / Foundation. The forms in which archives hold sets of characters.
// Takes:  the record that is being read. Gives: the set.
// Touches: nothing else.

import Foundation

extension UnarchivingCoder {
    func characters() throws(KeyedFailure) -> CharacterSet {
        var set: CharacterSet
        let direct = try string("NSString")
        let text = direct == nil ? try string("NSStringObject") : direct
        let inline = try data("NSBitmap")
        let bitmap = inline == nil ? try data("NSBitmapObject") : inline
        let first = try whole("NSBuiltinID")
        let number = first == nil ? try whole("NSBuiltinID2") : first
        if let text {
            set = CharacterSet(charactersIn: text)
        } else if let range = try whole("NSRange") {
            let location = range >> 32
            let length = range & 0xffff_ffff
            guard location >= 0, location + length <= 0x11_0000,
                let closed = Self.scalars(from: location, count: length)
            else { throw failure(.malformed, "A character set's range is out of bounds.") }
            set = length == 0 ? CharacterSet() : CharacterSet(charactersIn: closed)
        } else if let bitmap {
            // Plane 0, then for each further plane its number and its bits.
            guard bitmap.count >= 8192, (bitmap.count - 8192) % 8193 == 0 else {
                throw failure(.malformed, "A character set's bitmap has a wrong length.")
            }
            set = CharacterSet(bitmapRepresentation: bitmap)
            if try whole("NSIsInverted2") ?? 0 != 0 { set.invert() }
        } else if let number {
            guard let builtin = Self.builtin(number) else {
                throw failure(.malformed, "The built-in character set \(number) is not known.")
            }
            set = builtin
        } else {
            set = CharacterSet()
        }
        if try whole("NSIsInverted") ?? 0 != 0 { set.invert() }
        return set
    }

    /// The scalars of a range of code points; the surrogates in it, which are none, are cut off its ends.
    private static func scalars(from location: Int, count: Int) -> ClosedRange<Unicode.Scalar>? {
        guard count > 0 else { return "\0"..."\0" }
        var first = location
        var last = location + count - 1
        if (0xd800...0xdfff).contains(first) { first = 0xe000 }
        if (0xd800...0xdfff).contains(last) { last = 0xd7ff }
        guard first <= last, let low = Unicode.Scalar(UInt32(first)), let high = Unicode.Scalar(UInt32(last)) else {
            return nil
        }
        return low...high
    }

    // CoreFoundation's numbers of the predefined sets.
    private static func builtin(_ number: Int) -> CharacterSet? {
        switch number {
        case 1: .controlCharacters
        case 2: .whitespaces
        case 3: .whitespacesAndNewlines
        case 4: .decimalDigits
        case 5: .letters
        case 6: .lowercaseLetters
        case 7: .uppercaseLetters
        case 8: .nonBaseCharacters
        case 9: .decomposables
        case 10: .alphanumerics
        case 11: .punctuationCharacters
        case 12: .illegalCharacters
        case 13: .capitalizedLetters
        case 14: .symbols
        case 15: .newlines
        default: nil
        }
    }
}
