// Room:   AmberBinary / Decoding. One archive being read: header, schema, objects, values, hooks.
// Takes:  a reader over the archive and the schema block of the type asked for. Gives: the root in place.
// Touches: ByteReader; values through the row and column readers.

internal import AmberBytes
internal import AmberModel

/// The state of one decoding.
struct GraphReader {
    var input: ByteReader
    let limits: DecodingLimits
    let options: BinaryDecodingOptions
    var version = FormatVersion.current
    var definitions: [Definition] = [] {
        didSet { knownPlainSizes = nil }
    }
    private var knownPlainSizes: PlainSizes?
    var pools = InstancePools()
    /// Numbers of the column at hand; kept from column to column for its memory.
    var scratch = ColumnScratch()
    /// The strings that rows have numbered.
    var strings: [String] = []
    /// What waits until all objects are filled: collections that hash objects, hooks of structs that refer to some.
    var waiting: [() throws -> Void] = []
    /// What stands directly in the fields of objects and of the root and waits until all records can be read.
    var waitingFirst: [() throws -> Void] = []
    /// How many values around the one at hand wait for it.
    var waitDepth = 0
    /// Makes the objects that are archived by code of their own; `nil` if the archive has none.
    var foreign: ForeignReader?
    var dynamicTypes: [DynamicType] = []
    /// Whether values in existentials may have to wait: their places must then stay where they are.
    var existentialsMayWait = false
    /// What dynamic values keep of the archive's types; made when the first is read.
    var knownTypes: ArchivedTypes?
    var origins: [OriginKey: BinaryOrigin] = [:]
    /// References that are followed when all objects are whole.
    var references: [Int: DynamicReference] = [:]
    /// What stands for objects that gave way to others.
    var replacements = Replacements()
    /// Objects that are filled in the slow way.
    var refills: [Refill] = []
    /// Plans made for this archive alone.
    var ownPlans: [ReadPlan] = []
    /// The objects that unowned references lead to.
    var unowned = UnownedTargets()
    /// How deep the value at hand is nested in others.
    var depth = 0
    /// Who helps with large batches.
    var crew: Crew?
    /// Whether columns that nobody wants are looked at all the same, so that damage in them is noticed.
    var checksSkipped = true

    init(_ input: ByteReader, options: BinaryDecodingOptions) {
        self.input = input
        self.options = options
        limits = options.limits
    }

    /// Reads the archive's root into the one row of `rows`, which it initialises unless it throws.
    mutating func read(into rows: Rows, _ block: SchemaBlock) throws(DecodingFailure) {
        // Plans of recursive types hold themselves.
        defer { for plan in ownPlans { plan.resolve(.pending) } }
        let flags: Header.Flags
        (version, flags) = try Header.read(from: &input)
        let schema = try readSchema(flags, block)
        if flags.contains(.moreTypes) { try readMoreTypes() }
        if flags.contains(.objects) { try makePools(try readHeads(), schema) }
        var isRootRead = false
        var isSeen = false
        do throws(DecodingFailure) {
            try readBatch(into: rows, 0, schema.root)
            isRootRead = true
            try fillObjects()
            try readEnd()
            try finishForeign(&isSeen)
            isSeen = true
            try finishWaiting()
            try replaceObjects(rows, schema.root.target)
            try callHooks()
            try unowned.check()
        } catch {
            if isRootRead { rows.destroy(0, schema.root.target.witnesses) }
            (waiting, waitingFirst, foreign) = ([], [], nil)
            undoRefills()
            if isSeen { abandonObjects() } else { discardObjects() }
            throw error
        }
        finishRefills()
        releaseObjects()
    }

    // MARK: Types

    private mutating func readSchema(
        _ flags: Header.Flags, _ block: SchemaBlock
    ) throws(DecodingFailure) -> ReadSchema {
        let start = input.position
        if flags.contains(.fingerprint) {
            let fingerprint = try lifting { () throws(ByteError) in try input.read(UInt64.self) }
            guard fingerprint == block.fingerprint else {
                throw DecodingFailure(
                    .typeMismatch, offset: start,
                    "The archive was written without its schema, for other types than \(codingName(of: block.plan.type)) "
                        + "has here. Read it with the types that it was written with, or write it with `.embedded`.")
            }
        } else if !input.skip(ifEqual: block.bytes) {
            return try readForeignSchema(block)
        }
        definitions = block.types.definitions
        return try block.reading.get()
    }

    /// Reads the schema of an archive whose types differ from this program's.
    private mutating func readForeignSchema(_ block: SchemaBlock) throws(DecodingFailure) -> ReadSchema {
        let root = try readWrittenSchema()
        var matcher = SchemaMatcher(definitions, readsNewer: options.newerModels == .readKnownProperties)
        defer { ownPlans += matcher.named }
        return ReadSchema(
            root: try matcher.match(root, block.plan), known: [], candidates: Array(block.types.classes.values))
    }

    /// Reads the definitions of an archive's schema, and the type of its root.
    mutating func readWrittenSchema() throws(DecodingFailure) -> WireType {
        try lifting { () throws(ByteError) in
            let size = try input.readCount()
            let end = input.position
            guard size <= input.remaining else { throw ByteError(.truncated(needed: size), at: end) }
            let root = try WireType.read(from: &input)
            try readDefinitions()
            guard input.position == end + size else { throw ByteError(.inconsistent, at: input.position) }
            return root
        }
    }

    private mutating func readDefinitions() throws(ByteError) {
        let start = input.position
        let count = try input.readCount()
        // A definition takes three bytes at least.
        guard count <= input.remaining / 3 else { throw ByteError(.truncated(needed: count), at: start) }
        try input.budget.take(count, each: Definition.charge, at: start)
        for _ in 0..<count { definitions.append(try Definition.read(from: &input)) }
    }

    mutating func readMoreTypes() throws(DecodingFailure) {
        let dynamic = try lifting { () throws(ByteError) in
            try readDefinitions()
            let start = input.position
            let count = try input.readCount()
            guard count <= input.remaining / 2 else { throw ByteError(.truncated(needed: count), at: start) }
            var types: [(String, WireType)] = []
            for _ in 0..<count {
                let name = try input.readText()
                types.append((name, try WireType.read(from: &input)))
            }
            return types
        }
        dynamicTypes = dynamic.map { DynamicType(name: $0.0, wire: $0.1, plan: nil) }
        existentialsMayWait = dynamicTypes.contains { $0.mayWait(definitions) }
    }

    /// Which of the archive's structs are plain.
    var plainSizes: PlainSizes {
        mutating get {
            if let known = knownPlainSizes { return known }
            let sizes = PlainSizes(definitions)
            knownPlainSizes = sizes
            return sizes
        }
    }

    /// The read plan of a type in existentials, made when a value of it is met.
    ///
    /// - Returns: `nil` if this program doesn't have the type.
    mutating func dynamicPlan(_ number: Int) throws(DecodingFailure) -> ReadPlan? {
        guard number < dynamicTypes.count else { throw fault(.inconsistent) }
        if let plan = dynamicTypes[number].plan { return plan }
        let found = dynamicTypes[number]
        guard let type = TypeResolver.type(named: found.name) else {
            if PlanCache.shared.isAmbiguous(found.name) { throw DecodingFailure(ambiguous: found.name) }
            return nil
        }
        let target: ValuePlan
        do throws(SchemaFailure) { target = try PlanCache.shared.plan(forNamed: type) } catch {
            throw DecodingFailure(error)
        }
        var matcher = SchemaMatcher(definitions, readsNewer: options.newerModels == .readKnownProperties)
        defer { ownPlans += matcher.named }
        let plan = try matcher.match(found.wire, target)
        dynamicTypes[number].plan = plan
        return plan
    }

    // MARK: Objects

    /// Reads which classes have objects, and how many.
    mutating func readHeads() throws(DecodingFailure) -> [PoolHead] {
        let start = input.position
        let heads = try lifting { () throws(ByteError) in
            let count = try input.readCount()
            guard count > 0 else { throw ByteError(.inconsistent, at: start) }
            // A pool takes two bytes at least.
            guard count <= input.remaining / 2 else { throw ByteError(.truncated(needed: count), at: start) }
            var heads: [PoolHead] = []
            for _ in 0..<count {
                let number = try input.readCount()
                heads.append(PoolHead(definition: number, count: try input.readCount(), place: start))
            }
            return heads
        }
        var seen: Set<Int> = []
        for head in heads {
            guard head.definition < definitions.count, definitions[head.definition].kind == .object, head.count > 0,
                seen.insert(head.definition).inserted
            else { throw DecodingFailure(ByteError(.inconsistent, at: start)) }
        }
        return heads
    }

    /// Makes all objects, which are filled later.
    mutating func makePools(_ heads: [PoolHead], _ schema: ReadSchema) throws(DecodingFailure) {
        // Made only for classes that the schema doesn't know beforehand.
        var matcher: SchemaMatcher?
        defer { if let matcher { ownPlans += matcher.named } }
        for head in heads {
            let (plan, fields): (ClassPlan, FieldsPlan)
            if let known = schema.known(head.definition, options.objects) {
                (plan, fields) = (known.plan, known.fields)
            } else {
                var found =
                    matcher ?? SchemaMatcher(definitions, readsNewer: options.newerModels == .readKnownProperties)
                matcher = nil
                defer { matcher = found }
                (plan, fields) = try schema.classReader(head.definition, &found, options.objects)
            }
            try lifting { () throws(ByteError) in
                try input.budget.take(head.count, each: plan.instanceSize + 16, at: head.place)
            }
            pools.add(plan, fields, count: head.count)
        }
        try pools.makeInstances()
        if pools.holdForeign { foreign = foreignReader() }
    }

    // MARK: The end

    mutating func readEnd() throws(DecodingFailure) { try AmberBinary.readEnd(of: &input) }

    /// Goes one level deeper into nested values.
    @inline(__always)
    mutating func descend() throws(DecodingFailure) {
        depth += 1
        if depth > limits.depth {
            throw DecodingFailure(
                .limitExceeded, offset: input.position,
                "Values are nested more than \(limits.depth) deep. If the archive is to be trusted, raise "
                    + "`DecodingLimits.depth` and read it on a thread with a larger stack.")
        }
    }

    /// A fault of the archive at this place.
    func fault(_ kind: ByteError.Kind) -> DecodingFailure {
        DecodingFailure(ByteError(kind, at: input.position))
    }
}

/// The objects of one class, as an archive announces them.
struct PoolHead: Sendable {
    /// The number of the class's definition.
    var definition: Int
    var count: Int
    /// Where in the archive the pools are announced.
    var place: Int
}

/// A type of values in existentials.
struct DynamicType {
    var name: String
    var wire: WireType
    var plan: ReadPlan?
    /// The name as Swift writes it; made when a value is met that keeps it.
    var readable: String?

    /// Whether values of the type may have to wait until all objects are filled, as far as the archive tells.
    func mayWait(_ definitions: [Definition]) -> Bool {
        // These are built in place; what else looks like them may be made of them by code.
        if name == "Swift.Array<Any>" || name == "Swift.Dictionary<Swift.String, Any>" { return false }
        return wire.holdsMoreThanLeaves(definitions)
    }
}

extension WireType {
    /// Whether a value is, or holds, anything but numbers, texts, bytes and lists of them.
    fileprivate func holdsMoreThanLeaves(_ definitions: [Definition]) -> Bool {
        switch self {
        case .scalar, .string, .data, .codable: false
        case .optional(let payload): payload.holdsMoreThanLeaves(definitions)
        case .array(let element), .set(let element): element.holdsMoreThanLeaves(definitions)
        case .dictionary(let key, let value):
            key.holdsMoreThanLeaves(definitions) || value.holdsMoreThanLeaves(definitions)
        case .tuple(let members): members.contains { $0.type.holdsMoreThanLeaves(definitions) }
        case .named(let number):
            // A struct may have rules and hooks with code.
            number >= definitions.count || definitions[number].kind != .enumeration
                || definitions[number].cases.contains { $0.payload != nil }
        case .reference, .dynamic: true
        }
    }
}

/// How the archives of one schema are read into the types of this program.
final class ReadSchema: Sendable {
    /// A class, and the way to its properties.
    struct Class: Sendable {
        var plan: ClassPlan
        var fields: FieldsPlan
    }

    let root: ReadPlan
    /// The classes that are known beforehand, by the numbers of their definitions: when the schema is this program's.
    let known: [Class?]
    /// The classes of this program that the root's type names.
    let candidates: [ClassPlan]

    init(root: ReadPlan, known: [Class?], candidates: [ClassPlan]) {
        self.root = root
        self.known = known
        self.candidates = candidates
    }

    /// The class for a definition and the way to its properties, if they are known beforehand.
    func known(_ number: Int, _ objects: BinaryDecodingOptions.Objects) -> Class? {
        objects == .instances && number < known.count ? known[number] : nil
    }

    /// The class for a definition that isn't known beforehand, and the way to its properties.
    func classReader(
        _ number: Int, _ matcher: inout SchemaMatcher, _ objects: BinaryDecodingOptions.Objects
    ) throws(DecodingFailure) -> (ClassPlan, FieldsPlan) {
        let definition = matcher.definitions[number]
        guard objects == .instances, let plan = TypeResolver.classPlan(named: definition.name, preferring: candidates)
        else {
            let plan: ClassPlan
            do throws(SchemaFailure) {
                plan = try PlanCache.shared.plan(for: DynamicObject.self as AnyClass)
            } catch {
                throw DecodingFailure(error)
            }
            let isForeign = objects == .instances && ForeignClasses.type(named: definition.name) != nil
            return (plan, matcher.slowFields(definition, plan, isUnknown: !isForeign, isForeign: isForeign))
        }
        if TypeResolver.isAmbiguous(definition.name, candidates) { throw DecodingFailure(ambiguous: definition.name) }
        do throws(DecodingFailure) {
            return (plan, try matcher.match(definition, plan))
        } catch {
            throw error.within(.property(definition.name))
        }
    }
}

/// Reads the ballast, after which nothing may follow.
func readEnd(of input: inout ByteReader) throws(DecodingFailure) {
    try lifting { () throws(ByteError) in
        let start = input.position
        let size = try input.readCount()
        let ballast = try input.readBytesAreZero(size)
        guard ballast else { throw ByteError(.inconsistent, at: start) }
    }
    guard input.isAtEnd else {
        throw DecodingFailure(
            .truncated, offset: input.position, "\(input.remaining) bytes follow the end of the archive.")
    }
}
