// Room:   AmberKeyed / Coders. The coder that an object's init(coder:) is given.
// Takes:  an archive and what may be made of it. Gives: objects under keys, each made once, or the first failure.
// Touches: the objects, through their own coding methods. Never: a stored property.
//
// Containers are built from a stack of open ones, not by recursion; an object with an initializer of its own is made by
// a call, and calls nest only so deep before the rest goes on on a stack of its own (DeepCalls). The gate is asked
// before anything of an object is made.

public import AmberModel
public import Foundation

/// Reads a keyed archive made by this module, by Foundation or by an Apple system.
///
/// The coder can be used by hand as NSKeyedUnarchiver is: decode values by key, then look at ``error``. It is secure
/// unless told otherwise: an object is made only if its class is a kind of one that the call allows and supports secure
/// coding. A failure never ends the process: it is kept, and nothing more is decoded. ``KeyedDecoder`` is the shorter way
/// for a single root.
public final class UnarchivingCoder: AddressUnarchivingCoder {
    /// What becomes of objects whose class this program lacks.
    public enum UnknownClasses: Sendable {
        /// They are refused.
        case refused
        /// They become ``ArchivedObject``s.
        case kept
    }

    struct Slot {
        enum State {
            case untouched
            /// A container is open, or an initializer runs.
            case open
            case done
        }

        var state = State.untouched
        /// The finished object, or one that stands for an open container until it is finished.
        var object: AnyObject?
        var height: Int32 = 0
        var expansion = 1
    }

    /// Classes for names that differ from the classes' own. Set before anything is decoded.
    public var classMap: KeyedClassMap {
        get { resolver.map }
        set { resolver.map = newValue }
    }

    /// What becomes of objects whose class this program lacks.
    public var unknownClasses = UnknownClasses.refused

    /// Asked for the class of a name that nothing else knows; its superclasses' names come second.
    public var classForUnknownName: ((String, [String]) -> AnyClass?)? {
        get { resolver.unknown }
        set { resolver.unknown = newValue }
    }

    /// Whether models of newer versions are read by what their types know.
    var readsNewer = false

    /// Whether the nearest superclass that this program has may stand in for a class that it lacks.
    public var usesSuperclassesOfUnknown: Bool {
        get { resolver.usesChain }
        set { resolver.usesChain = newValue }
    }

    /// Called with each object that was decoded; what it returns takes the object's place.
    public var didDecode: ((Any) -> Any?)?

    /// Whether decoding methods may give out collections that hold themselves.
    ///
    /// Away from Apple's systems Foundation converts a collection and everything in it when it is cast to a Swift one:
    /// code that does so with a collection without end does not return. The root that ``KeyedDecoder`` gives is exempt.
    public var allowsEndlessCollections = false

    let limits: DecodingLimits
    let document: ArchiveDocument
    var slots: [Slot] {
        @inline(__always) _read { yield slotsCell.value }
        @inline(__always) _modify { yield &slotsCell.value }
    }
    private let slotsCell: Cell<[Slot]>
    var builds: [ContainerBuild] {
        @inline(__always) _read { yield buildsCell.value }
        @inline(__always) _modify { yield &buildsCell.value }
    }
    private let buildsCell = Cell<[ContainerBuild]>([])
    /// The numbers of the objects that have parts, in the order in which they were finished.
    var finishedNumbers: [Int] = []
    var backReferences = BackReferences()
    /// What the initializers that run have used of the present stack.
    var stack = StackMeter()
    /// The readers of models that are at work, each called by an object that the one before met.
    var modelReaders: [ModelReader] = []
    var gates: [ClassGate]
    var resolver = ClassTable.Resolver(map: KeyedClassMap(), unknown: nil, usesChain: true, onlyValues: false)
    let isSecure: Bool
    var classes = ClassTable()

    /// Opens an archive.
    ///
    /// - Parameters:
    ///   - data: A binary or XML keyed archive.
    ///   - requiringSecureCoding: Whether only allowed classes that support secure coding are made.
    ///   - archivers: The values of `$archiver` that are accepted.
    ///   - limits: How much reading may cost.
    /// - Throws: ``DecodingFailure`` if the data is no archive.
    public convenience init(
        reading data: Data, requiringSecureCoding: Bool = true,
        archivers: Set<String> = KeyedDecoder.standardArchivers, limits: DecodingLimits = DecodingLimits()
    ) throws(DecodingFailure) {
        let document = try reading { () throws(KeyedFailure) in
            try ArchiveDocument(try Plist.read(data, limits: limits), archivers: archivers)
        }
        self.init(document, requiringSecureCoding: requiringSecureCoding, limits: limits)
    }

    init(_ document: ArchiveDocument, requiringSecureCoding: Bool, limits: DecodingLimits) {
        self.document = document
        self.limits = limits
        isSecure = requiringSecureCoding
        slotsCell = Cell(Array(repeating: Slot(), count: document.objects.count))
        gates = [ClassGate([])]
        super.init(top: document.top)
    }

    deinit {
        // What refers to a stand-in goes first.
        slotsCell.free()
        buildsCell.free()
        backReferences.discard()
    }

    /// Whether only allowed classes that support secure coding are made.
    public override var requiresSecureCoding: Bool { isSecure }

    /// The classes that the present call allows; nil if everything is allowed.
    public override var allowedClasses: [AnyClass]? { isSecure ? gates.last?.classes : nil }

    /// The keys at the top of the archive.
    public var topLevelKeys: [String] { document.top.entries.map(\.key) }

    override var path: [String] {
        var steps: [String] = []
        for (index, frame) in frames.enumerated() {
            if let key = frame.currentKey { steps.append(key) }
            let end = index + 1 < frames.count ? frames[index + 1].openContainers : builds.count
            if frame.openContainers < end {
                for build in builds[frame.openContainers..<end] { steps.append(build.step) }
            }
        }
        return steps
    }

    func failure(_ code: KeyedFailure.Code, _ message: String) -> KeyedFailure {
        KeyedFailure(code, message, path: path)
    }

    /// Runs `body` with other allowed classes.
    func allowing<R>(_ classes: [AnyClass], _ body: () throws(KeyedFailure) -> R) throws(KeyedFailure) -> R {
        gates.append(ClassGate(classes))
        defer { gates.removeLast() }
        return try body()
    }

    /// The object that a value of the present record refers to.
    func object(for value: PlistValue?) throws(KeyedFailure) -> AnyObject? {
        guard let value else { return nil }
        guard case .reference(let number) = value else {
            throw failure(.typeMismatch, "Expected a reference to an object, found \(value.kindName).")
        }
        let object = try object(number)
        guard
            allowsEndlessCollections || Int(number) >= slots.count || slots[Int(number)].expansion <= limits.comparisons
        else {
            throw failure(
                .limitExceeded, "A collection holds itself, or so much that no Swift collection could be made of it.")
        }
        return object
    }

    private func kept(_ body: () throws(KeyedFailure) -> AnyObject?) -> Any? {
        guard failure == nil else { return nil }
        do throws(KeyedFailure) {
            return try body()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    override func value(_ key: String) -> PlistValue? {
        if let value = super.value(key) {
            return frames[frames.count - 1].base != nil && Dialect.isHidden(key) ? nil : value
        }
        guard frames[frames.count - 1].base != nil else { return nil }
        return Dialect.element(key, in: frames[frames.count - 1].record)
    }

    override func shownBytes(_ key: String) -> Data? {
        if key == "NS.bytes", let frame = frames.last, frame.base != nil, frame.record[key] == nil {
            return Dialect.bytes(in: frame.record)
        }
        return bytes(key)
    }

    // MARK: NSCoder

    /// Reads an object; in secure coding it must be of the classes that the surrounding call allows.
    ///
    /// - Parameter key: The key.
    /// - Returns: The object; nil if it is nil, is missing, or can't be decoded.
    public override func decodeObject(forKey key: String) -> Any? {
        kept { () throws(KeyedFailure) in try object(for: value(key)) }
    }

    /// Reads an object of one of some classes.
    ///
    /// - Parameters:
    ///   - classes: The classes; an object of any other makes the decoding fail. Nil allows what the surrounding call does.
    ///   - key: The key.
    /// - Returns: The object; nil if it is nil, is missing, or can't be decoded.
    public override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        guard let classes else { return decodeObject(forKey: key) }
        return kept { () throws(KeyedFailure) in
            try allowing(classes) { () throws(KeyedFailure) in try object(for: value(key)) }
        }
    }

    /// Reads the next object without a key.
    ///
    /// - Returns: The object; nil if it is nil, is missing, or can't be decoded.
    public override func decodeObject() -> Any? {
        kept { () throws(KeyedFailure) in try object(for: nextUnkeyed()) }
    }

    override func decodeText() -> String? {
        let text = kept { () throws(KeyedFailure) in
            try allowing([NSString.self]) { () throws(KeyedFailure) in try object(for: nextUnkeyed()) }
        }
        return text as? String
    }

    override func decodeOldStyleArray() -> OldStyleArray? {
        let array = kept { () throws(KeyedFailure) in
            try allowing([OldStyleArray.self]) { () throws(KeyedFailure) in try object(for: nextUnkeyed()) }
        }
        return array as? OldStyleArray
    }

    /// Reads the next data without a key.
    ///
    /// - Returns: The bytes; nil if the object there is no data.
    public override func decodeData() -> Data? {
        let data = kept { () throws(KeyedFailure) in
            try allowing([NSData.self]) { () throws(KeyedFailure) in try object(for: nextUnkeyed()) }
        }
        return data as? Data
    }

    /// Reads the next object without a key, made of property list classes alone.
    ///
    /// - Returns: The object; nil if it is nil, is missing, or can't be decoded.
    public override func decodePropertyList() -> Any? {
        kept { () throws(KeyedFailure) in
            try allowing(ClassGate.propertyList) { () throws(KeyedFailure) in try object(for: nextUnkeyed()) }
        }
    }

    /// Reads an object made of property list classes alone.
    ///
    /// - Parameter key: The key.
    /// - Returns: The object; nil if it is nil, is missing, or can't be decoded.
    public override func decodePropertyList(forKey key: String) -> Any? {
        decodeObject(of: ClassGate.propertyList, forKey: key)
    }

    /// The version of a class: keyed archives hold none.
    ///
    /// - Parameter className: A class's name.
    /// - Returns: `NSNotFound`.
    public override func version(forClassName className: String) -> Int { NSNotFound }

    /// Ends the decoding: there is nothing to release.
    public func finishDecoding() {}

    /// Ends the decoding, and says whether it went well.
    ///
    /// - Throws: ``DecodingFailure``: what stopped the decoding, whatever ``decodingFailurePolicy`` says.
    public func finish() throws(DecodingFailure) {
        finishDecoding()
        if let failure { throw failure.decoding }
    }
}
