// Room:   AmberKeyed / Coders. References to objects of which nobody knows yet whether they will be written.
// Takes:  the object's identity. Gives: a stand-in to write, and at the end the object's number or nil in its place.
// Touches: the records that hold a stand-in.

/// The open conditional references of one archive.
///
/// A stand-in is a reference counted down from the top of the numbers: an archive of that many objects can't be.
struct ConditionalReferences {
    private var targets: [ObjectIdentifier] = []
    private var records: [UInt32] = []

    private static let top = UInt32.max

    /// A stand-in for the object.
    mutating func add(_ target: ObjectIdentifier) -> PlistValue {
        targets.append(target)
        return .reference(Self.top - UInt32(targets.count - 1))
    }

    /// Notes that a record was finished while stand-ins were open: it may hold one.
    mutating func note(record: UInt32) {
        if !targets.isEmpty { records.append(record) }
    }

    /// Puts numbers in the places of the stand-ins.
    mutating func resolve(in document: inout ArchiveDocument, number: (ObjectIdentifier) -> UInt32?) {
        guard !targets.isEmpty else { return }
        let lowest = Self.top - UInt32(targets.count - 1)
        func resolved(_ dictionary: PlistDictionary) -> PlistDictionary {
            var dictionary = dictionary
            for index in dictionary.entries.indices {
                switch dictionary.entries[index].value {
                case .reference: dictionary.entries[index].value = resolved(dictionary.entries[index].value)
                case .array(let values): dictionary.entries[index].value = .array(values.map(resolved))
                default: break
                }
            }
            return dictionary
        }
        func resolved(_ value: PlistValue) -> PlistValue {
            guard case .reference(let reference) = value, reference >= lowest else { return value }
            return .reference(number(targets[Int(Self.top - reference)]) ?? 0)
        }
        document.top = resolved(document.top)
        for record in records {
            if case .dictionary(let dictionary) = document.objects[Int(record)] {
                document.objects[Int(record)] = .dictionary(resolved(dictionary))
            }
        }
        targets.removeAll()
    }
}
