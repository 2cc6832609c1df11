// Room:   AmberKeyed / Coders. A program's own subclasses of Foundation's collections.
// Takes:  the keys that Foundation's initializers ask a foreign coder for. Gives: what Apple's archives store instead.
// Touches: nothing else.
//
// Foundation's collections read `NS.objects` only from its own unarchiver, through methods nobody else can override;
// from any other coder they ask for `NS.object.0`, `NS.object.1`, … A subclass that calls super.init(coder:) is answered
// in that dialect, whichever of the two its record is written in. For a foreign coder they write that dialect too, or
// nothing of use: the part of the superclass is written here.

import Foundation

enum Dialect {
    /// The kind of the nearest Foundation class above a program's class, if it has two dialects.
    static func base(of type: AnyClass) -> FoundationKind? {
        var current: AnyClass? = _getSuperclass(type)
        while let candidate = current {
            if let kind = FoundationClasses.kinds[ObjectIdentifier(candidate)] {
                switch kind {
                case .array, .mutableArray, .dictionary, .mutableDictionary, .set, .mutableSet, .orderedSet,
                    .mutableOrderedSet, .string, .mutableString, .data, .mutableData:
                    return kind
                default: return nil
                }
            }
            current = _getSuperclass(candidate)
        }
        return nil
    }

    /// Keys that a foreign coder does not have.
    static func isHidden(_ key: String) -> Bool {
        key == "NS.objects" || key == "NS.keys" || key == "NS.string" || key == "NS.data"
    }

    /// The element that a numbered key asks for.
    static func element(_ key: String, in record: PlistDictionary) -> PlistValue? {
        for (prefix, list) in [("NS.object.", "NS.objects"), ("NS.key.", "NS.keys")] where key.hasPrefix(prefix) {
            guard let index = Int(key.dropFirst(prefix.count)), case .array(let values)? = record[list],
                values.indices.contains(index)
            else { return nil }
            return values[index]
        }
        return nil
    }

    /// The bytes that `NS.bytes` asks for.
    static func bytes(in record: PlistDictionary) -> Data? {
        switch record["NS.string"] ?? record["NS.data"] {
        case .string(let text): Data(text.utf8)
        case .data(let data): data
        default: nil
        }
    }
}

extension ArchivingCoder {
    /// Puts the part of a Foundation class into the record of an object whose class inherits from it, in place of what
    /// Foundation has written for a coder that it does not know.
    func rewrite(_ object: AnyObject, _ base: FoundationKind, _ number: UInt32) {
        frames[frames.count - 1].removeAll { entry in
            if Dialect.isHidden(entry.key) || entry.key.hasPrefix("NS.object.") || entry.key.hasPrefix("NS.key.")
                || entry.key == "NS.bytes"
            {
                return true
            }
            // Text and data have written themselves, without a key.
            return entry.key == ArchiveKey.unkeyed(0) && entry.value.reference == number
        }
        write(object, base)
    }
}
