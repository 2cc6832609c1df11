// Room:   AmberKeyed / Coders. The records that are being read, and the plain values in them.
// Takes:  keys. Gives: booleans, numbers and bytes, converted as Foundation converts them; zero where there is none.
// Touches: nothing else. Never: an object; ``UnarchivingCoder`` knows those.

public import Foundation

/// The part of ``UnarchivingCoder`` that reads booleans, numbers and bytes.
public class RecordUnarchivingCoder: NSCoder {
    struct Frame {
        let record: PlistDictionary
        var unkeyedCount = 0
        /// The key that is being read, for error messages.
        var currentKey: String?
        /// How many containers were open when the record was begun, for the same.
        var openContainers = 0
        /// The number and the class of the object that the record is of, if it makes itself of it.
        var number: Int?
        var type: AnyClass?
        /// How many objects were finished when the record was begun.
        var finishedBefore = 0
        /// The nearest Foundation class of a record whose class is a program's own subclass of it.
        var base: FoundationKind?
        /// The deepest nesting below the record, and how many values a walk through all of it would meet.
        var height = 0
        var expansion = 1
        /// Where the next key is expected: most classes read their keys in the order they wrote them.
        private var cursor = 0
        private var places: [String: Int]?

        init(_ record: PlistDictionary) {
            self.record = record
            if record.entries.count > 16 {
                places = Dictionary(
                    record.entries.enumerated().map { ($0.element.key, $0.offset) },
                    uniquingKeysWith: { first, _ in first })
            }
        }

        mutating func value(_ key: String) -> PlistValue? {
            if let places { return places[key].map { record.entries[$0].value } }
            let count = record.entries.count
            for step in 0..<count {
                let index = cursor + step < count ? cursor + step : cursor + step - count
                if record.entries[index].key == key {
                    cursor = index + 1
                    return record.entries[index].value
                }
            }
            return nil
        }
    }

    /// The records that are being read, `$top` first.
    final var frames: [Frame] {
        @inline(__always) _read { yield framesCell.value }
        @inline(__always) _modify { yield &framesCell.value }
    }
    private let framesCell: Cell<[Frame]>
    /// What stopped the decoding.
    final var failure: KeyedFailure? {
        @inline(__always) _read { yield failureCell.value }
        @inline(__always) _modify { yield &failureCell.value }
    }
    private let failureCell = Cell<KeyedFailure?>(nil)

    init(top: PlistDictionary) {
        framesCell = Cell([Frame(top)])
        super.init()
    }

    deinit {
        framesCell.free()
        failureCell.free()
    }

    /// Always true: values have keys.
    public override var allowsKeyedCoding: Bool { true }

    /// The version that Foundation's unarchiver reports.
    public override var systemVersion: UInt32 { 2000 }

    /// What stopped the decoding, if anything did. Everything that is asked for afterwards is nil or zero.
    public override var error: (any Error)? { failure?.decoding }

    /// What objects that ask are told about failures; `.setErrorAndReturn` unless it is set.
    ///
    /// By `.setErrorAndReturn` the first failure is kept in ``error``, and whatever is asked for afterwards is nil or
    /// zero. `.raiseException` can raise nothing here, where there are no exceptions, and never ends the process for an
    /// archive's sake: the failure is kept in the same way, and thrown at the end by ``UnarchivingCoder/finish()`` and by
    /// ``KeyedDecoder``, which do so under either policy.
    public override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy {
        get { policy }
        set { policy = newValue }
    }
    private var policy = NSCoder.DecodingFailurePolicy.setErrorAndReturn

    /// The record of the object that is being decoded.
    var currentRecord: PlistDictionary? { frames.last?.record }

    /// The way to what is being read.
    var path: [String] { frames.compactMap(\.currentKey) }

    func fail(_ code: KeyedFailure.Code, _ message: String) {
        guard failure == nil else { return }
        failure = KeyedFailure(code, message, path: path)
    }

    /// Ends the decoding with an error that an object found.
    ///
    /// - Parameter error: What was wrong.
    public override func failWithError(_ error: any Error) {
        fail(.codingFailed, "An object reported: \(error)")
    }

    /// The value under a key as it is stored.
    func value(storedKey key: String) -> PlistValue? {
        guard failure == nil else { return nil }
        frames[frames.count - 1].currentKey = key
        return frames[frames.count - 1].value(key)
    }

    func value(_ key: String) -> PlistValue? {
        value(storedKey: ArchiveKey.stored(key))
    }

    /// The next value without a key.
    func nextUnkeyed() -> PlistValue? {
        let last = frames.count - 1
        let key = ArchiveKey.unkeyed(frames[last].unkeyedCount)
        frames[last].unkeyedCount += 1
        return value(storedKey: key)
    }

    private func integer<T: FixedWidthInteger>(_ key: String, _ type: T.Type) -> T {
        guard let value = value(key) else { return 0 }
        guard let wide = value.integerValue else {
            fail(.typeMismatch, "Expected a number, found \(value.kindName).")
            return 0
        }
        if case .float = value { return T(clamping: wide) }
        if case .double = value { return T(clamping: wide) }
        guard let number = T(exactly: wide) else {
            fail(.typeMismatch, "\(wide) does not fit in \(type).")
            return 0
        }
        return number
    }

    private func real(_ key: String) -> Double {
        guard let value = value(key) else { return 0 }
        guard let number = value.doubleValue else {
            fail(.typeMismatch, "Expected a number, found \(value.kindName).")
            return 0
        }
        return number
    }

    /// Whether the record has a value, nil included, under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether there is one.
    public override func containsValue(forKey key: String) -> Bool {
        value(key) != nil
    }

    /// Reads a boolean.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; false if there is none.
    public override func decodeBool(forKey key: String) -> Bool {
        guard let value = value(key) else { return false }
        guard let number = value.doubleValue else {
            fail(.typeMismatch, "Expected a boolean, found \(value.kindName).")
            return false
        }
        return number != 0
    }

    /// Reads an integer.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; zero if there is none.
    public override func decodeCInt(forKey key: String) -> Int32 { integer(key, Int32.self) }

    /// Reads an integer.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; zero if there is none.
    public override func decodeInt32(forKey key: String) -> Int32 { integer(key, Int32.self) }

    /// Reads an integer.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; zero if there is none.
    public override func decodeInt64(forKey key: String) -> Int64 { integer(key, Int64.self) }

    /// Reads an integer.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; zero if there is none.
    public override func decodeInteger(forKey key: String) -> Int { integer(key, Int.self) }

    /// Reads a real.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; zero if there is none.
    public override func decodeFloat(forKey key: String) -> Float { Float(real(key)) }

    /// Reads a real.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; zero if there is none.
    public override func decodeDouble(forKey key: String) -> Double { real(key) }

    /// Bytes that stand in the record itself.
    func bytes(_ key: String) -> Data? {
        switch value(key) {
        case .data(let data): return data
        case nil: return nil
        case let value?:
            fail(.typeMismatch, "Expected bytes, found \(value.kindName).")
            return nil
        }
    }
}
