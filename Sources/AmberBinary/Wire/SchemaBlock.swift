// Room:   AmberBinary / Wire. The schema of one root type, prepared once: what is copied into every archive of it.
// Takes:  the plan of the root. Gives: its wire type, the definitions it names, their bytes and their fingerprint.
// Touches: plans; a lock round the cache.

internal import AmberBytes
internal import AmberModel
internal import Synchronization

/// The types of an archive by number, and the numbers of types.
struct TypeTable: Sendable {
    private(set) var definitions: [Definition] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// Definitions that were taken over from other archives.
    var imports: [ImportKey: Int] = [:]
    /// The classes by the numbers of their definitions.
    private(set) var classes: [Int: ClassPlan] = [:]
    private var nesting = 0
    private static let nestingLimit = 64
    private var postponed: [(number: Int, plan: ClassPlan)] = []
    /// Why the first class that can't be archived can't be.
    private(set) var failure: SchemaFailure?

    /// The type that values of a plan have in an archive. Names what has no number yet.
    mutating func wireType(of plan: ValuePlan) -> WireType {
        switch plan.shape {
        case .pending: preconditionFailure("A plan is used before it is built.")
        case .scalar(let kind): return .scalar(kind)
        case .string: return .string
        case .data: return .data
        case .optional(let optional):
            // A reference has a number for nil of its own.
            if case .reference = optional.payload.shape { return wireType(of: optional.payload) }
            return .optional(wireType(of: optional.payload))
        case .array(let array): return .array(wireType(of: array.element))
        case .collection(let collection):
            let key = wireType(of: collection.key)
            guard let value = collection.value else { return .set(key) }
            return .dictionary(key, wireType(of: value))
        case .structure(let structure):
            guard let name = structure.name else {
                return .tuple(members(of: structure.fields))
            }
            if let number = numbers[ObjectIdentifier(structure)] { return .named(number) }
            let number = reserve(ObjectIdentifier(structure))
            definitions[number] = Definition(
                kind: .structure, name: name, version: structure.version, members: members(of: structure.fields),
                cases: [])
            return .named(number)
        case .enumeration(let enumeration):
            if let number = numbers[ObjectIdentifier(enumeration)] { return .named(number) }
            let number = reserve(ObjectIdentifier(enumeration))
            var cases: [Definition.Case] = []
            for item in enumeration.cases {
                var payload: WireType?
                if let plan = item.payload { payload = wireType(of: plan) }
                cases.append(.init(name: item.name, rawValue: item.rawValue, payload: payload))
            }
            definitions[number] = Definition(
                kind: .enumeration, name: enumeration.name, version: 0, members: [], cases: cases)
            return .named(number)
        case .reference(let reference):
            if reference.base == AnyModelClass.self { return .reference }
            do throws(SchemaFailure) {
                _ = number(of: try PlanCache.shared.plan(for: reference.base))
            } catch {
                failure = failure ?? error
            }
            return .reference
        case .dynamic: return .dynamic
        case .codable: return .codable
        case .bridged(let bridged): return wireType(of: bridged.surrogate)
        }
    }

    /// The number of a class's definition.
    mutating func number(of plan: ClassPlan) -> Int {
        if let number = numbers[ObjectIdentifier(plan)] { return number }
        let number = reserve(ObjectIdentifier(plan))
        classes[number] = plan
        if nesting < Self.nestingLimit { define(number, plan) } else { postponed.append((number, plan)) }
        while nesting == 0, let (number, plan) = postponed.popLast() { define(number, plan) }
        return number
    }

    /// Defines a class, and what its properties name. Classes that name each other in a long chain wait for their turn.
    private mutating func define(_ number: Int, _ plan: ClassPlan) {
        nesting += 1
        defer { nesting -= 1 }
        definitions[number] = Definition(
            kind: .object, name: plan.name, version: plan.version, members: members(of: plan.fields), cases: [])
    }

    private mutating func reserve(_ id: ObjectIdentifier) -> Int {
        let number = reserve()
        numbers[id] = number
        return number
    }

    /// A number for a definition that is made next.
    mutating func reserve() -> Int {
        definitions.append(Definition(kind: .structure, name: "", version: 0, members: [], cases: []))
        return definitions.count - 1
    }

    mutating func define(_ number: Int, _ definition: Definition) { definitions[number] = definition }

    private mutating func members(of fields: [FieldPlan]) -> [WireType.Member] {
        var members: [WireType.Member] = []
        for field in fields { members.append(.init(name: field.name, type: wireType(of: field.plan))) }
        return members
    }
}

/// The schema of one root type.
final class SchemaBlock: Sendable {
    let plan: ValuePlan
    let root: WireType
    let types: TypeTable
    /// The count of bytes that follow, the root's type, the number of definitions, the definitions.
    let bytes: [UInt8]
    /// FNV-1a of the bytes.
    let fingerprint: UInt64
    /// The size of the archive that was written last.
    let expectedSize: Atomic<Int>
    /// Room in bytes for an archive that is a little larger than that.
    var expectedRoom: Int {
        let size = expectedSize.load(ordering: .relaxed)
        return size + size / 8 + 16
    }
    /// How archives with this very schema are read.
    let reading: Result<ReadSchema, DecodingFailure>
    /// The short way, if the type is that simple.
    let message: FlatMessage?

    init(_ plan: ValuePlan) {
        self.plan = plan
        var types = TypeTable()
        root = types.wireType(of: plan)
        self.types = types
        bytes = Self.encode(root: root, types.definitions)
        fingerprint = Self.fingerprint(of: bytes)
        expectedSize = Atomic(bytes.count + 64)
        var matcher = SchemaMatcher(types.definitions)
        do throws(DecodingFailure) {
            var classes: [ReadSchema.Class?] = Array(repeating: nil, count: types.definitions.count)
            for (number, plan) in types.classes {
                classes[number] = .init(plan: plan, fields: try matcher.match(types.definitions[number], plan))
            }
            reading = .success(
                ReadSchema(
                    root: try matcher.match(root, plan), known: classes, candidates: Array(types.classes.values)))
        } catch {
            reading = .failure(error)
        }
        message = (try? reading.get()).flatMap { [bytes] in FlatMessage(plan, $0.root, schema: bytes) }
    }

    static func encode(root: WireType, _ definitions: [Definition]) -> [UInt8] {
        var body = ByteWriter()
        root.write(to: &body)
        body.write(count: definitions.count)
        for definition in definitions { definition.write(to: &body) }
        var block = ByteWriter()
        block.write(count: body.count)
        block.write(contentsOf: body)
        return block.contents
    }

    /// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
    static func fingerprint(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    // MARK: One for each type

    private static let cache = Mutex<[ObjectIdentifier: SchemaBlock]>([:])
    private static let recent = RecentBlocks()

    static func block(for type: Any.Type) throws(SchemaFailure) -> SchemaBlock {
        if let known = recent.block(for: type) { return known }
        if let known = cache.withLock({ $0[ObjectIdentifier(type)] }) {
            recent.remember(known, for: type)
            return known
        }
        let made = SchemaBlock(try PlanCache.shared.plan(for: type))
        if let failure = made.types.failure { throw failure }
        return cache.withLock { blocks in
            if let known = blocks[ObjectIdentifier(type)] { return known }
            blocks[ObjectIdentifier(type)] = made
            return made
        }
    }
}
