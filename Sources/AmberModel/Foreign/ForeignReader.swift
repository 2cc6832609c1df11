// Room:   AmberModel / Foreign. Foreign objects made of their records: each once, each of a class that may be made.
// Takes:  records, and what finds them by reference. Gives: the objects, when all records of an archive have been read.
// Touches: the objects' own `init(coder:)`, or Foundation's public initializers.
//
// Collections that can change are made empty and filled afterwards, so that they may hold themselves. Whatever else refers
// to an object that is still being made fails. Calls nest as deep as objects are held by each other; DeepCalls gives them stacks.

package import Foundation

/// Which classes objects may be of in one place of an archive.
struct ForeignGate {
    /// Objects of these classes and of their subclasses may be made.
    var classes: [AnyClass] = []
    /// Whether no others may: those that Foundation codes, that support secure coding, or that a program allows.
    var isStrict = false

    /// Where nobody says which class is expected.
    static let anything = ForeignGate()

    /// The gate of what a collection holds: code that names classes names those of the elements too.
    func elements(isDeclared: Bool) -> ForeignGate { isDeclared ? .anything : self }
}

/// Makes the objects of one archive.
package final class ForeignReader {
    private enum State {
        case open
        case done(AnyObject)
    }

    private struct Fill {
        var container: ForeignContainer
        var object: NSObject
        var record: DynamicObject
        var gate: ForeignGate
    }

    /// What an object's initializer refers to while it still runs.
    private struct Unfinished: Error {
        var className: String
    }

    /// The record or the model that a reference stands for.
    private let find: (DynamicReference) throws(DecodingFailure) -> AnyObject
    private let allowed: [AnyClass]
    private var states: [ObjectIdentifier: State] = [:]
    private var types: [String: AnyClass?] = [:]
    private var fills: [Fill] = []
    /// Collections that wait for an object that holds them.
    private var late: [Fill] = []
    private var openCount = 0
    /// The objects that are made or filled, by their numbers in the archive: the innermost last.
    private var working: [(number: Int, type: AnyClass?, finishedBefore: Int)] = []
    /// The numbers of the objects that are there, in the order in which they were finished.
    private var finishedNumbers: [Int] = []
    private var objects: [Int: AnyObject] = [:]
    private var backReferences = BackReferences()
    private var depth = 0
    private var comparisons = 0
    private var additions = 0
    /// What reads the objects of one class in place of its `init(coder:)`.
    package var byHand: (type: AnyClass, read: (NSCoder) throws -> AnyObject)?
    /// Whether models were shown to code that may have kept them.
    package private(set) var hasShownModels = false

    /// How deep objects that are made by an initializer may be held by each other.
    private static let depthLimit = 2048
    /// How many steps comparing collections in sets, and counting in counted ones, may take.
    private static let workLimit = 1 << 20

    /// Makes a reader.
    package init(
        allowing allowed: [AnyClass], find: @escaping (DynamicReference) throws(DecodingFailure) -> AnyObject
    ) {
        self.allowed = allowed
        self.find = find
    }

    deinit {
        // What refers to a stand-in goes first.
        states.removeAll()
        objects.removeAll()
        fills.removeAll()
        late.removeAll()
        backReferences.discard()
    }

    /// Whether an object of an archive was made by its class's own code, or is about to be.
    package func isForeign(_ className: String) -> Bool { type(named: className) != nil }

    /// The object that a record stands for, if it was made.
    package func finished(_ record: AnyObject) -> AnyObject? {
        if case .done(let object)? = states[ObjectIdentifier(record)] { return object }
        return nil
    }

    /// The object that a reference stands for, with everything that it holds.
    ///
    /// `base` is the class that the place of the reference is declared with.
    package func object(_ reference: DynamicReference, as base: AnyClass?) throws(DecodingFailure) -> AnyObject {
        var gate = ForeignGate.anything
        if let base, base != NSObject.self { gate = ForeignGate(classes: [base], isStrict: true) }
        let found: AnyObject
        do {
            found = try resolve(reference, gate, isDeclared: true)
            try drain()
        } catch {
            throw failure(error)
        }
        guard let base, !isInstance(found, of: base) else { return found }
        throw DecodingFailure(
            .typeMismatch,
            "The archive holds a \(codingName(of: Swift.type(of: found))) where \(codingName(of: base)) is expected.")
    }

    /// The object that a reference stands for, for code that is going to look at it.
    func object(_ reference: DynamicReference, in gate: ForeignGate) throws -> AnyObject {
        let found = try resolve(reference, gate, isDeclared: false)
        try drain()
        return found
    }

    private func failure(_ error: any Error) -> DecodingFailure {
        switch error {
        case let failure as DecodingFailure: failure
        case let unfinished as Unfinished:
            DecodingFailure(
                .unfinishedObject,
                "A \(unfinished.className) refers to itself while its `init(coder:)` still runs. Encode one of the two "
                    + "references conditionally and set it after decoding, or adopt Model, whose instances exist before "
                    + "they are filled.")
        default: DecodingFailure(.corrupt, "\(error)")
        }
    }

    private func type(named name: String) -> AnyClass? {
        if let known = types[name] { return known }
        let found: AnyClass? = ForeignClasses.type(named: name)
        types[name] = .some(found)
        return found
    }

    // MARK: One object

    private func resolve(_ reference: DynamicReference, _ gate: ForeignGate, isDeclared: Bool) throws -> AnyObject {
        let found = try find(reference)
        guard let record = found as? DynamicObject, let type = type(named: record.className) else {
            if gate.isStrict, !isKind(Swift.type(of: found), of: gate.classes) {
                throw refused((found as? DynamicObject)?.className ?? codingName(of: Swift.type(of: found)), gate)
            }
            hasShownModels = true
            return found
        }
        switch states[ObjectIdentifier(record)] {
        case .done(let object):
            try check(Swift.type(of: object), gate)
            return object
        case .open:
            try check(type, gate)
            guard let standIn = standIn(for: reference.number, type) else {
                throw Unfinished(className: record.className)
            }
            return standIn
        case nil: break
        }
        try check(type, gate)
        guard depth < Self.depthLimit else {
            throw DecodingFailure(
                .limitExceeded,
                "Objects that are made by `init(coder:)` hold each other more than \(Self.depthLimit) deep.")
        }
        states[ObjectIdentifier(record)] = .open
        openCount += 1
        depth += 1
        working.append((reference.number, ForeignForm.form(of: type) == nil ? type : nil, finishedNumbers.count))
        defer {
            openCount -= 1
            depth -= 1
        }
        var result: Result<AnyObject, any Error>?
        // Four levels of ours stand for one of a coder's, whose frames are smaller.
        _ = DeepCalls.call(depth: depth * 4) {
            result = Result { try self.make(record, type, gate, isDeclared: isDeclared) }
            return nil
        }
        let work = working.removeLast()
        switch result {
        case .success(let object):
            states[ObjectIdentifier(record)] = .done(object)
            objects[work.number] = object
            finishedNumbers.append(work.number)
            try settle(work.number, object, since: work.finishedBefore)
            return object
        case .failure(let error):
            states[ObjectIdentifier(record)] = nil
            throw error
        case nil: throw DecodingFailure(.corrupt, "An object was not made.")
        }
    }

    /// What stands for an object whose `init(coder:)` still runs, for those that ask for it meanwhile.
    private func standIn(for number: Int, _ type: AnyClass) -> AnyObject? {
        guard number > 0, working.last?.number != 0, working.contains(where: { $0.number == number && $0.type != nil })
        else { return nil }
        var askers: [Int] = []
        if let last = working.last { askers.append(last.number) }
        if let last = working.last(where: { $0.type != nil }) { askers.append(last.number) }
        return backReferences.standIn(for: number, type, askers: askers)
    }

    /// Gives an object to those that asked for it before it was there.
    private func settle(_ number: Int, _ object: AnyObject, since first: Int) throws {
        guard backReferences.isAwaited(number) else { return }
        let objects = objects
        let numbers = finishedNumbers[first...]
        let isSettled = backReferences.settle(
            number, object, askers: { $0.compactMap { objects[$0] } }, others: { numbers.compactMap { objects[$0] } })
        guard isSettled else {
            throw DecodingFailure(
                .unfinishedObject,
                "An object that refers back to a \(codingName(of: Swift.type(of: object))) while that is still decoded keeps "
                    + "it where it can't be put right, in a closure for example. Set it after decoding.")
        }
    }

    private func check(_ type: AnyClass, _ gate: ForeignGate) throws {
        if isKind(type, of: gate.classes) { return }
        if !gate.isStrict, ForeignClasses.mayAppear(type, allowing: allowed) { return }
        throw refused(ForeignClasses.name(of: type), gate)
    }

    private func refused(_ name: String, _ gate: ForeignGate) -> DecodingFailure {
        if gate.isStrict {
            let names = gate.classes.map { ForeignClasses.name(of: $0) }.joined(separator: ", ")
            return DecodingFailure(.refusedType, "The archive holds a \(name) where only \(names) may be.")
        }
        return DecodingFailure(
            .refusedType,
            "The archive holds a \(name), which nothing here asks for. If it is meant, add the class to "
                + "`allowedClasses` in the decoder's options, let it support NSSecureCoding, or make it the type of a property."
        )
    }

    private func make(
        _ record: DynamicObject, _ type: AnyClass, _ gate: ForeignGate, isDeclared: Bool
    ) throws -> AnyObject {
        if let form = ForeignForm.form(of: type) {
            do {
                switch form.making {
                case .value(let make): return try make(ForeignRecord(values: record.values, reader: self))
                case .container(let container):
                    return try self.container(container, record, gate.elements(isDeclared: isDeclared))
                }
            } catch let failure as DecodingFailure {
                throw failure.within(.property(record.className))
            }
        }
        guard let coding = type as? any NSCoding.Type else {
            throw DecodingFailure(.unsupportedType, "\(record.className) is no NSCoding class.")
        }
        let coder = ReplayingCoder(self, record, type, gate)
        let made: AnyObject?
        if let byHand, byHand.type == type {
            do { made = try byHand.read(coder) } catch {
                throw (error as? DecodingFailure)
                    ?? coder.failure.map { failure($0) }
                    ?? DecodingFailure(.rejectedByHook, "The function threw: \(error)")
            }
        } else {
            made = coding.init(coder: coder) as AnyObject?
        }
        if let error = coder.failure {
            if error is Unfinished { throw error }
            throw failure(error).within(.property(record.className))
        }
        guard let made else {
            throw DecodingFailure(.rejectedByHook, "`init(coder:)` of \(record.className) gave nothing.")
        }
        #if canImport(Darwin)
            if let object = made as? NSObject, let awake = object.awakeAfter(using: coder) { return awake as AnyObject }
        #endif
        return made
    }

    // MARK: Collections

    private func container(
        _ container: ForeignContainer, _ record: DynamicObject, _ gate: ForeignGate
    ) throws -> AnyObject {
        if container.isMutable {
            let object = container.makeEmpty()
            fills.append(Fill(container: container, object: object, record: record, gate: gate))
            return object
        }
        let (elements, keys) = try parts(container, record, gate)
        return container.make(elements, keys: keys)
    }

    /// What a collection holds.
    private func parts(
        _ container: ForeignContainer, _ record: DynamicObject, _ gate: ForeignGate
    ) throws -> (elements: [NSObject], keys: [NSObject]) {
        let isTable = container == .dictionary || container == .mutableDictionary
        let stored = record.values[isTable ? "values" : "elements"]?.array ?? []
        let storedKeys = isTable ? record.values["keys"]?.array ?? [] : []
        guard !isTable || storedKeys.count == stored.count else {
            throw DecodingFailure(
                .corrupt, "A dictionary has \(storedKeys.count) keys and \(stored.count) values.")
        }
        if container.isHashed { try checkHashed(isTable ? storedKeys : stored) }
        // What is hashed, or can be put off, takes nothing that only stands for an object.
        let takesStandIns = container == .array || container == .dictionary
        let keys = try storedKeys.enumerated().map { try element($1, gate, $0, takesStandIns: false) }
        let elements = try stored.enumerated().map { try element($1, gate, $0, takesStandIns: takesStandIns) }
        // What is hashed must be whole.
        if container.isHashed { try drain() }
        return (elements, keys)
    }

    private func element(
        _ value: DynamicValue, _ gate: ForeignGate, _ index: Int, takesStandIns: Bool
    ) throws -> NSObject {
        if !takesStandIns { working.append((0, nil, 0)) }
        defer { if !takesStandIns { working.removeLast() } }
        do {
            var gate = gate
            // What collections hold may always be text, numbers, bytes and dates, which run no code of their own.
            if gate.isStrict { gate.classes += Self.plainClasses }
            guard case .object(let reference) = value else {
                return FoundationStorage.boxed(try self.value(value, in: gate) ?? NSNull())
            }
            return FoundationStorage.boxed(try resolve(reference, gate, isDeclared: false))
        } catch let failure as DecodingFailure {
            throw failure.within(.index(index))
        }
    }

    private static let plainClasses: [AnyClass] = [
        NSString.self, NSNumber.self, NSData.self, NSDate.self, NSNull.self,
    ]

    /// Fills the collections that were made.
    private func drain() throws {
        while true {
            if let fill = fills.popLast() {
                do { try self.fill(fill) } catch let error as Unfinished {
                    guard openCount > 0 else { throw error }
                    late.append(fill)
                }
            } else if openCount == 0, !late.isEmpty {
                fills = late
                late = []
            } else {
                return
            }
        }
    }

    private func fill(_ fill: Fill) throws {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.depthLimit else {
            throw DecodingFailure(.limitExceeded, "Collections hold each other more than \(Self.depthLimit) deep.")
        }
        let (elements, keys) = try parts(fill.container, fill.record, fill.gate)
        var counts: [Int] = []
        if fill.container == .countedSet {
            counts = try fill.record.values.value("counts", as: [Int].self)
            for count in counts {
                guard count > 0, count <= Self.workLimit - additions else {
                    throw DecodingFailure(.limitExceeded, "A counted set counts more than \(Self.workLimit).")
                }
                additions += count
            }
            guard counts.count == elements.count else {
                throw DecodingFailure(
                    .corrupt, "A counted set has \(elements.count) elements and \(counts.count) counts.")
            }
        }
        fill.container.fill(fill.object, elements, keys: keys, counts: counts)
    }

    /// Refuses collections in sets that take endless time to compare: Foundation hashes a collection by its count alone.
    private func checkHashed(_ values: [DynamicValue]) throws {
        var collections = 0
        var size = 0
        var path: Set<ObjectIdentifier> = []
        func look(_ value: DynamicValue, _ level: Int) throws {
            guard case .object(let reference) = value, let record = try find(reference) as? DynamicObject,
                let form = ForeignForm.form(named: record.className), form.isContainer
            else { return }
            size += 1
            guard level < 32, size <= Self.workLimit >> 4, path.insert(ObjectIdentifier(record)).inserted else {
                throw DecodingFailure(
                    .limitExceeded, "A set or dictionary is keyed by collections that take too long to compare.")
            }
            for (_, value) in record.values {
                for element in value.array ?? [] { try look(element, level + 1) }
            }
            path.remove(ObjectIdentifier(record))
        }
        for value in values {
            let before = size
            try look(value, 0)
            if size > before { collections += 1 }
        }
        let (work, overflow) = collections.multipliedReportingOverflow(by: size)
        comparisons += overflow ? Self.workLimit : work
        guard comparisons < Self.workLimit else {
            throw DecodingFailure(
                .limitExceeded, "Sets or dictionaries are keyed by collections that take too long to compare.")
        }
    }

    // MARK: Values

    /// A value as Foundation's coders would give it out: text, numbers, dates as objects.
    func value(_ value: DynamicValue, in gate: ForeignGate) throws -> Any? {
        switch value {
        case .null: return nil
        case .some(let value): return try self.value(value, in: gate)
        case .object(let reference): return try object(reference, in: gate)
        case .any(let any) where any.value.value != nil && !(any.value.value is CodableSnapshot):
            return try self.value(any.value, in: gate)
        case .value(let leaf):
            guard let object = Self.object(of: leaf) else { break }
            if gate.isStrict, !isKind(Swift.type(of: object), of: gate.classes) {
                throw refused(ForeignForm.form(for: object)?.name ?? "value", gate)
            }
            return object
        default: break
        }
        guard let plan = try? PlanCache.shared.plan(for: Any.self) else { return nil }
        return try ValueMaker { reference, base throws(DecodingFailure) in
            try self.object(reference, as: base)
        }.make(value, plan)
    }

    /// The elements of an array, whether it is one by itself or one of Foundation's.
    func elements(of value: DynamicValue) -> [DynamicValue]? {
        guard case .object(let reference) = value else { return value.array }
        let record = (try? find(reference)) as? DynamicObject
        return record?.className == "NSArray" ? record?.values["elements"]?.array : nil
    }

    /// The object of a plain value.
    private static func object(of leaf: Any) -> NSObject? {
        switch leaf {
        case let text as String: text as NSString
        case let date as Date: NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as Data: data as NSData
        case let uuid as UUID: uuid as NSUUID
        case let decimal as Decimal: NSDecimalNumber(decimal: decimal)
        default: ForeignNumber.number(leaf)
        }
    }
}
