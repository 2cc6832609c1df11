// Room:   AmberKeyed / Coders. The records that are being written, and the plain values in them.
// Takes:  values and keys. Gives: entries, `$` escaped, values without a key numbered.
// Touches: nothing else. Never: an object; ``ArchivingCoder`` knows those.

public import Foundation

/// The part of ``ArchivingCoder`` that writes booleans, numbers and bytes.
public class RecordArchivingCoder: NSCoder {
    struct Frame {
        var entries: [PlistDictionary.Entry] = []
        var unkeyedCount = 0
        /// The key under which the record's parent holds it, for error messages.
        var key = ""
        /// Where each key stands, made once a record is long: objects may have any number of keys.
        var places: [String: Int]?

        init(key: String = "", capacity: Int = 0) {
            self.key = key
            if capacity > 0 { entries.reserveCapacity(capacity) }
        }

        func place(of key: String) -> Int? {
            if let places { return places[key] }
            for index in entries.indices where entries[index].key == key { return index }
            return nil
        }

        mutating func removeAll(where isRemoved: (PlistDictionary.Entry) -> Bool) {
            let kept = entries.filter { !isRemoved($0) }
            guard kept.count < entries.count else { return }
            entries = []
            places = nil
            for entry in kept { append(entry.value, entry.key) }
        }

        mutating func append(_ value: PlistValue, _ key: String) {
            entries.append(.init(key: key, value: value))
            if places != nil {
                places?[key] = entries.count - 1
            } else if entries.count == 24 {
                places = Dictionary(
                    entries.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { $1 })
            }
        }
    }

    /// The records that are being written, `$top` first.
    final var frames: [Frame] {
        @inline(__always) _read { yield framesCell.value }
        @inline(__always) _modify { yield &framesCell.value }
    }
    private let framesCell = Cell<[Frame]>([Frame()])
    /// What stopped the encoding.
    final var failure: KeyedFailure? {
        @inline(__always) _read { yield failureCell.value }
        @inline(__always) _modify { yield &failureCell.value }
    }
    private let failureCell = Cell<KeyedFailure?>(nil)
    var isFinished = false

    override init() {
        super.init()
    }

    deinit {
        framesCell.free()
        failureCell.free()
    }

    /// Always true: values have keys.
    public override var allowsKeyedCoding: Bool { true }

    /// The version that Foundation's archiver reports.
    public override var systemVersion: UInt32 { 2000 }

    /// What stopped the encoding, if anything did.
    public override var error: (any Error)? { failure?.encoding }

    func fail(_ code: KeyedFailure.Code, _ message: String) {
        guard failure == nil else { return }
        failure = KeyedFailure(code, message, path: frames.dropFirst().map(\.key))
    }

    /// Records that an object's own method found something wrong; the archive is not made.
    ///
    /// - Parameter error: What was wrong.
    public override func failWithError(_ error: any Error) {
        fail(.codingFailed, "An object reported: \(error)")
    }

    // MARK: Records

    /// Adds a value to the record that is being written, under a key as it is stored.
    func put(_ value: PlistValue, storedKey: String) {
        guard !isFinished else { return fail(.codingFailed, "The encoding is finished: nothing can be added.") }
        let last = frames.count - 1
        // A class and its superclass that use one key: the later value counts, as with Foundation's archiver.
        if let index = frames[last].place(of: storedKey) {
            frames[last].entries[index].value = value
        } else {
            frames[last].append(value, storedKey)
        }
    }

    func put(_ value: PlistValue, _ key: String) {
        put(value, storedKey: ArchiveKey.stored(key))
    }

    func putUnkeyed(_ value: PlistValue) {
        let last = frames.count - 1
        let key = ArchiveKey.unkeyed(frames[last].unkeyedCount)
        frames[last].unkeyedCount += 1
        put(value, storedKey: key)
    }

    /// Writes a boolean under a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    public override func encode(_ value: Bool, forKey key: String) {
        put(.bool(value), key)
    }

    /// Writes an integer under a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    public override func encode(_ value: Int32, forKey key: String) {
        put(.integer(Int64(value)), key)
    }

    /// Writes an integer under a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    public override func encode(_ value: Int64, forKey key: String) {
        put(.integer(value), key)
    }

    /// Writes an integer under a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    public override func encode(_ value: Int, forKey key: String) {
        put(.integer(Int64(value)), key)
    }

    /// Writes a real of four bytes under a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    public override func encode(_ value: Float, forKey key: String) {
        put(.float(value), key)
    }

    /// Writes a real of eight bytes under a key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    public override func encode(_ value: Double, forKey key: String) {
        put(.double(value), key)
    }

    /// Writes data as an object without a key.
    ///
    /// - Parameter data: The bytes.
    public override func encode(_ data: Data) {
        encode(data as NSData)
    }

    /// Writes an object that is made of property list classes, without a key.
    ///
    /// - Parameter propertyList: Arrays, dictionaries, strings, data, dates and numbers.
    public override func encodePropertyList(_ propertyList: Any) {
        encode(propertyList)
    }

    /// Writes an object that is made of property list classes under a key, as NSKeyedArchiver does.
    ///
    /// - Parameters:
    ///   - propertyList: Arrays, dictionaries, strings, data, dates and numbers.
    ///   - key: The key in the record of the object that is being encoded.
    public func encodePropertyList(_ propertyList: Any, forKey key: String) {
        encode(propertyList, forKey: key)
    }
}
