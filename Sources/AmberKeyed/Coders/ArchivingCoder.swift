// Room:   AmberKeyed / Coders. The coder that an object's encode(with:) is given.
// Takes:  objects and values under keys. Gives: a keyed archive; behaves as NSKeyedArchiver does.
// Touches: the objects, through their own coding methods. Never: a stored property.
//
// Each object gets its number when it is first referred to and its record when its encode(with:) has run. Objects
// are known by identity. They are encoded where they are met, as NSKeyedArchiver does, up to a depth; deeper ones wait
// in a queue, so that a list of any length needs no more stack than a short one.

public import AmberModel
public import Foundation

/// Writes NSCoding objects as a keyed archive that Foundation and Apple's systems read.
///
/// The coder can be used by hand as NSKeyedArchiver is: encode values under keys, then call ``finishEncoding()``. Unlike
/// its model it knows objects by identity and never by equality, keeps the kinds of numbers apart, writes cycles, and
/// takes time in proportion to the number of objects. ``KeyedEncoder`` is the shorter way for a single root.
///
/// Points, sizes and rectangles need a key here: away from Apple's systems Foundation's `encode(_: CGPoint)` without one
/// ends the process for every coder but its own, and can't be overridden.
public final class ArchivingCoder: AddressArchivingCoder {
    /// The form of the property list that is written.
    public var outputFormat = KeyedFormat.binary
    /// Names for classes that differ from the classes' own.
    public var classMap = KeyedClassMap()
    /// Called before an object is written for the first time; what it returns is written in its place, nil as nil.
    public var willEncode: ((Any) -> Any?)?
    /// Called after an object was written.
    public var didEncode: ((Any) -> Void)?

    final var document: ArchiveDocument {
        @inline(__always) _read { yield documentCell.value }
        @inline(__always) _modify { yield &documentCell.value }
    }
    private let documentCell = Cell(ArchiveDocument())

    /// The property of a model that is being written, for error messages.
    var currentKey = ""

    private let isSecure: Bool
    private let nestingLimit = 100
    /// What has a number.
    private struct Tables {
        var numbers = IdentityTable()
        /// Every object that has a number: bridged ones live nowhere else, and an address must not be used twice.
        var held: [AnyObject] = []
        var strings = StringTable()
        var scalars = NumberTable()
        /// The classes that were looked up last, by their addresses: a graph has few.
        var lastClasses: [WrittenClass?] = Array(repeating: nil, count: 16)
    }
    private let tablesCell = Cell(Tables())
    private var tables: Tables {
        @inline(__always) _read { yield tablesCell.value }
        @inline(__always) _modify { yield &tablesCell.value }
    }
    private var booleans: [Bool: UInt32] = [:]
    private var replacements: [ObjectIdentifier: AnyObject?] = [:]
    /// Foundation's objects that dynamic ones stand for.
    var standIns: [ObjectIdentifier: AnyObject] = [:]
    var classNumbers: [String: UInt32] = [:]
    var classesByType: [ObjectIdentifier: UInt32] = [:]
    private var pending: [(object: AnyObject, number: UInt32, key: String)] = []
    private var conditionals = ConditionalReferences()
    private var classes: [ObjectIdentifier: WrittenClass] = [:]

    /// Makes a coder with nothing encoded yet.
    ///
    /// - Parameter requiringSecureCoding: Whether objects that don't support secure coding are refused.
    public init(requiringSecureCoding: Bool = true) {
        isSecure = requiringSecureCoding
        super.init()
    }

    deinit {
        documentCell.free()
        tablesCell.free()
    }

    /// Whether objects that don't support secure coding are refused.
    public override var requiresSecureCoding: Bool { isSecure }

    /// The archive: ends the encoding if it was not ended yet.
    ///
    /// - Returns: The property list in ``outputFormat``.
    /// - Throws: ``EncodingFailure`` if any object could not be encoded.
    public func archive() throws(EncodingFailure) -> Data {
        try writing { () throws(KeyedFailure) in try finished() }
    }

    func finished() throws(KeyedFailure) -> Data {
        finishEncoding()
        if let failure { throw failure }
        switch outputFormat {
        case .binary: return BinaryPlistWriter.data(for: document)
        case .xml: return try XMLPlistWriter.data(for: document.plist)
        }
    }

    /// Ends the encoding: nothing can be added any more.
    public func finishEncoding() {
        guard !isFinished else { return }
        drain()
        isFinished = true
        document.top = PlistDictionary(frames[0].entries)
        conditionals.resolve(in: &document) { tables.numbers[$0] }
    }

    // MARK: References

    func putObject(_ object: Any?, storedKey: String) {
        put(.reference(reference(to: object, key: storedKey)), storedKey: storedKey)
    }

    private func putConditional(_ object: Any?, storedKey: String) {
        put(object.map { conditional($0 as AnyObject) } ?? .reference(0), storedKey: storedKey)
    }

    /// A reference to an object that counts only if something else in the archive holds it.
    func conditional(_ object: AnyObject) -> PlistValue {
        guard let target = replaced(object) else { return .reference(0) }
        if let number = tables.numbers[ObjectIdentifier(target)] { return .reference(number) }
        if let value = bareValue(of: target) {
            // Values have no identity: whether one is written elsewhere is asked of its content.
            return .reference(knownNumber(of: value) ?? 0)
        }
        tables.held.append(target)
        return conditionals.add(ObjectIdentifier(target))
    }

    func noteConditional(record: UInt32) {
        conditionals.note(record: record)
    }

    /// What is known of an object's class.
    private func writtenClass(of object: AnyObject) -> WrittenClass {
        let type: AnyClass = type(of: object)
        let place = Int((UInt64(UInt(bitPattern: ObjectIdentifier(type))) &* 0x9e37_79b9_7f4a_7c15) >> 60)
        if let last = tables.lastClasses[place], last.type == type { return last }
        let known = classes[ObjectIdentifier(type)] ?? WrittenClass(of: object)
        classes[ObjectIdentifier(type)] = known
        tables.lastClasses[place] = known
        return known
    }

    private func modelPlan(of known: WrittenClass) -> ClassPlan? {
        guard known.isModel, known.plan == nil else { return known.plan }
        do throws(SchemaFailure) {
            known.plan = try PlanCache.shared.plan(for: known.type)
        } catch {
            fail(.unsupportedType, error.reason)
        }
        return known.plan
    }

    // MARK: Objects

    /// The number of `object`, which is encoded if it has none yet.
    func reference(to object: Any?, key: String) -> UInt32 {
        guard let object, failure == nil else { return 0 }
        if type(of: object) == String.self, let string = object as? String, willEncode == nil {
            return number(of: .string(string))
        }
        return reference(toObject: nativeObject(in: object) ?? object as AnyObject, key: key)
    }

    /// The number of `object`, which is encoded if it has none yet.
    func reference(toObject object: AnyObject, key: String) -> UInt32 {
        guard failure == nil else { return 0 }
        let known = writtenClass(of: object)
        // Values first: they have no identity to be looked up.
        if willEncode == nil, let value = bareValue(of: object, known) { return number(of: value) }
        if willEncode == nil, known.kind != nil { return newReference(to: object, known, key) }
        if let number = tables.numbers[ObjectIdentifier(object)] { return number }
        guard let target = replaced(object) else { return 0 }
        if target === object {
            if let value = bareValue(of: object, known) { return number(of: value) }
            return newReference(to: object, known, key)
        }
        if let value = bareValue(of: target) { return number(of: value) }
        return newReference(to: target, writtenClass(of: target), key)
    }

    /// The number of an object that is written as itself, and has a record.
    private func newReference(to object: AnyObject, _ known: WrittenClass, _ key: String) -> UInt32 {
        let number = UInt32(document.objects.count)
        let old = tables.numbers.number(of: ObjectIdentifier(object), new: number)
        if old != number { return old }
        document.objects.append(.reference(0))
        tables.held.append(object)
        if frames.count > nestingLimit {
            pending.append((object, number, key))
        } else {
            encode(object, known, number: number, key: key)
        }
        return number
    }

    private func replaced(_ object: AnyObject) -> AnyObject? {
        let identifier = ObjectIdentifier(object)
        if tables.numbers[identifier] != nil { return object }
        if !replacements.isEmpty, let known = replacements[identifier] { return known }
        let known = writtenClass(of: object)
        if willEncode == nil, known.kind != nil { return object }
        var result: AnyObject? = object
        if known.isObject {
            result = downcast(object, NSObject.self).replacementObject(for: self)
                .map { nativeObject(in: $0) ?? $0 as AnyObject }
        }
        if known.isReplaced || result !== object, let model = result as? any ReplacedWhenEncoded {
            result = replacement(of: model)
        }
        if let current = result, let willEncode { result = willEncode(current).map { $0 as AnyObject } }
        if result !== object {
            tables.held.append(object)
            replacements[identifier] = result
        }
        return result
    }

    /// Keeps an object alive as long as the coder: what has been asked for its address must not give that to another.
    func hold(_ object: AnyObject) { tables.held.append(object) }

    /// The kind of an object that is coded here.
    func kind(of object: AnyObject) -> FoundationKind? { writtenClass(of: object).kind }

    /// The value of an object that is stored without a record.
    func bareValue(of object: AnyObject) -> PlistValue? { bareValue(of: object, writtenClass(of: object)) }

    private func bareValue(of object: AnyObject, _ known: WrittenClass) -> PlistValue? {
        switch known.kind {
        case .string: (object as? NSString).map { .string($0 as String) }
        case .number: (object as? NSNumber).map { FoundationNumber.value(of: $0) }
        default: nil
        }
    }

    private func knownNumber(of value: PlistValue) -> UInt32? {
        switch value {
        case .string(let string): tables.strings.number(of: string)
        case .bool(let bool): booleans[bool]
        default: ExactNumber(value).flatMap { tables.scalars.number(of: $0) }
        }
    }

    /// The number of a bare value; equal values of one kind share it, since they have no identity to lose.
    func number(of value: PlistValue) -> UInt32 {
        let number = UInt32(document.objects.count)
        switch value {
        case .string(let string):
            let known = tables.strings.number(of: string, new: number)
            if known != number { return known }
            if string == ArchiveDocument.nullText {
                // Bare, this text would be read as nil.
                document.objects.append(.reference(0))
                document.objects[Int(number)] = .dictionary([
                    "NS.string": value, ArchiveKey.classReference: .reference(classNumber(of: NSString.self)),
                ])
                return number
            }
        case .bool(let bool):
            if let known = booleans[bool] { return known }
            booleans[bool] = number
        default:
            if let key = ExactNumber(value) {
                let known = tables.scalars.number(of: key, new: number)
                if known != number { return known }
            }
        }
        document.objects.append(value)
        return number
    }

    private func encode(_ object: AnyObject, _ known: WrittenClass, number: UInt32, key: String) {
        if known.kind == .data, let data = object as? NSData {
            document.objects[Int(number)] = .data(data as Data)
            didEncode?(object)
            return
        }
        frames.append(Frame(key: key, capacity: known.entryCount))
        let classReference: UInt32
        if let kind = known.kind {
            write(object, kind)
            classReference = classNumber(of: object, kind, known)
        } else if known.isArchived, let object = object as? ArchivedObject {
            write(object)
            classReference = classNumber(of: object)
        } else if known.isDynamic, let object = object as? DynamicObject {
            classReference = write(dynamic: object)
        } else if let plan = modelPlan(of: known) {
            write(model: object, plan)
            classReference = classNumber(of: plan.type)
        } else if !known.isRefused, let coding = known.coding {
            classReference = encode(object, as: coding, known, number)
        } else {
            fail(
                .unsupportedType,
                known.isRefused
                    ? "\(type(of: object)) can't be archived here. Keep what it was made of instead."
                    : "\(type(of: object)) is no NSCoding class. Adopt NSCoding, or exclude the value.")
            classReference = 0
        }
        var frame = frames.removeLast()
        frame.entries.append(.init(key: ArchiveKey.classReference, value: .reference(classReference)))
        known.entryCount = min(frame.entries.count, 64)
        document.objects[Int(number)] = .dictionary(PlistDictionary(frame.entries))
        conditionals.note(record: number)
        didEncode?(object)
    }

    /// Lets an object write itself; gives the number of its class.
    private func encode<Coding: NSCoding>(
        _ object: AnyObject, as coding: Coding.Type, _ known: WrittenClass, _ number: UInt32
    ) -> UInt32 {
        var type: AnyClass = known.type
        if known.isObject { type = downcast(object, NSObject.self).classForKeyedArchiver ?? type }
        let isItself = type == known.type
        let supportsSecureCoding = isItself ? known.supportsSecureCoding : ClassGate.supportsSecureCoding(type)
        if isSecure, !supportsSecureCoding {
            fail(.classRefused, "\(ClassNames.shown(type)) does not support secure coding.")
        } else {
            instance(object, of: coding).encode(with: self)
            if let base = isItself ? known.base : Dialect.base(of: type) { rewrite(object, base, number) }
        }
        if isItself, let number = known.number { return number }
        let classReference = classNumber(of: type)
        if isItself { known.number = classReference }
        return classReference
    }

    /// Encodes what waited for its turn. Only at the top: the frames of `$top` stay where they are.
    private func drain() {
        var next = 0
        while next < pending.count {
            let (object, number, key) = pending[next]
            encode(object, writtenClass(of: object), number: number, key: key)
            next += 1
            if next == 1024 {
                pending.removeFirst(next)
                next = 0
            }
        }
        pending.removeAll()
    }

    // MARK: NSCoder: objects

    /// Writes an object, or nil, under a key.
    ///
    /// - Parameters:
    ///   - object: An NSCoding object, or a Swift value that bridges to one.
    ///   - key: The key in the record of the object that is being encoded.
    public override func encode(_ object: Any?, forKey key: String) {
        putObject(object, storedKey: ArchiveKey.stored(key))
        if frames.count == 1 { drain() }
    }

    /// Writes an object, or nil, as the next value without a key.
    ///
    /// - Parameter object: An NSCoding object, or a Swift value that bridges to one.
    public override func encode(_ object: Any?) {
        let last = frames.count - 1
        let key = ArchiveKey.unkeyed(frames[last].unkeyedCount)
        frames[last].unkeyedCount += 1
        putObject(object, storedKey: key)
        if frames.count == 1 { drain() }
    }

    /// Writes a reference to an object under a key if anything else in the archive holds the object, else nil.
    ///
    /// - Parameters:
    ///   - object: The object; whether it is held elsewhere is decided when the encoding ends.
    ///   - key: The key in the record of the object that is being encoded.
    public override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        putConditional(object, storedKey: ArchiveKey.stored(key))
    }

    /// Writes a reference without a key if anything else in the archive holds the object, else nil.
    ///
    /// - Parameter object: The object.
    public override func encodeConditionalObject(_ object: Any?) {
        let last = frames.count - 1
        let key = ArchiveKey.unkeyed(frames[last].unkeyedCount)
        frames[last].unkeyedCount += 1
        putConditional(object, storedKey: key)
    }

    /// Writes a root object without a key.
    ///
    /// - Parameter rootObject: The object.
    public override func encodeRootObject(_ rootObject: Any) {
        encode(rootObject)
    }
}
