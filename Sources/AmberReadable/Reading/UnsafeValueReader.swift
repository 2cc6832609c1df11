// Room:   AmberReadable / Reading. Documents to values, straight into memory.
// Takes:  nodes and the text plans of what they shall be. Gives: memory of the plan's type.
// Touches: uninitialised memory; instances that nobody else has seen.
//
// Invariants
// 1. `read` is given uninitialised memory of the plan's type; it has initialised it, unless it throws.
// 2. Instances are the reader's until `finish`: see UnsafeInstances.
// 3. Nothing hashes or converts objects before all are whole: in the first pass sets of objects stay empty, and `sawWaiting`
//    tells that the value must be read again.

internal import AmberModel
internal import Foundation

/// What a reader does beyond the plan.
struct ReadingRules {
    /// Whether `$` keys are markers.
    var isReadable = true
    var nonFinite = NonFiniteStrategy.text
    var readsNewer = false
    var makesDynamicObjects = false
    /// Whether objects of Foundation's are values that carry the names of their classes.
    var keepsForms = false
    var limits = DecodingLimits()
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    var dates = MappedDateStrategy.iso8601
    /// Classes by names of documents.
    var classNames: [String: AnyClass] = [:]
    /// Whether elements that can't be read are left out of arrays.
    var isLossy = false
    /// Classes with an `init(coder:)` of their own that documents may hold anywhere.
    var allowedClasses: [AnyClass] = []
    /// Such classes by names of documents.
    var codingClassNames: [String: AnyClass] = [:]
    /// Whether arrays and objects without a class are mutable among the values of such objects.
    var makesCollectionsMutable = false
    /// What reads the root in place of a class's own code.
    var byHand: ((NSCoder) throws -> Void)?
}

/// Reads one document.
@safe
struct ValueReader: ~Copyable {
    let document: Document
    let schema: TextSchema
    var rules: ReadingRules
    /// The node that paths in errors begin at, if it isn't the document's root.
    var origin: Int?
    /// What stands for cases of an enum, where a mapping says so.
    var cases: CaseMap?
    var instances = Instances()
    /// Values of unknown classes and unknown properties, put in place at the end.
    var loose: [LooseValues] = []
    /// The objects that unowned references lead to.
    var unowned = UnownedTargets()
    var references: [(reference: DynamicReference, instance: Int)] = []
    /// Properties that are read again when all objects are whole.
    var deferred: [(instance: Int, field: Int, node: Int)] = []
    /// Properties that are set on whole objects.
    var computed: [(instance: Int, field: Int, node: Int)] = []
    var sawWaiting = false
    /// Whether structs that refer to objects wait for their hooks.
    var hasUntoldStructs = false
    /// What stands for objects that gave way to others.
    var replacements = Replacements()
    var isFinal = false
    /// The node that an alias led to, when the place it stood in is read next.
    var aliasTarget: Int?
    /// Whether something that hashes objects was left empty in the first pass.
    var sawHashed = false
    /// Objects that are made by code of their own.
    var foreign = ForeignRecords()
    /// How many instances were filled.
    var filled = 0
    /// How many values may still be made: aliases can name the same ones often.
    var budget: Int
    var depth = 0
    var aliases = AliasTable()

    init(_ document: Document, _ schema: TextSchema, _ rules: ReadingRules) {
        self.document = document
        self.schema = schema
        self.rules = rules
        budget = max(rules.limits.allowance(forArchiveOf: document.textCount) / 16, document.count)
    }

    // MARK: Values

    /// Makes the value of a node in uninitialised memory.
    mutating func read(
        _ node: Int, _ text: TextPlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        switch text.kind {
        case .scalar(let kind) where document.kind(node).isPlainNumber && kind.isInteger && kind != .bool:
            try unsafe readInteger(node, kind, at: address)
        case .string where document.kind(node) == .string || document.kind(node) == .escaped:
            unsafe address.initializeMemory(as: String.self, to: document.string(node))
        default: try unsafe readAny(node, text, at: address)
        }
    }

    // Levels of nesting are levels of these functions: they are cut so that each has a small frame in debug builds too.

    private mutating func readAny(
        _ given: Int, _ text: TextPlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        var node = given
        if document.kind(node) == .jump || document.kind(node) == .value || document[node].hasMarker {
            guard let plain = try unsafe resolve(given, text, at: address) else { return }
            node = plain
            if text.isDynamic, node != document.landing(given) { aliasTarget = node }
        }
        budget -= 1
        if budget < 0 { throw tooMany(node) }
        switch text.kind {
        case .scalar(let kind): try unsafe readScalar(node, kind, text.plan, at: address)
        case .string: try unsafe readString(node, at: address)
        case .optional(let optional, let payload): try unsafe readOptional(node, optional, payload, at: address)
        case .reference(let reference):
            unsafe storeReference(objectAddress(try instance(node, reference.base)), at: address, .strong)
        default:
            depth += 1
            defer { depth -= 1 }
            if depth > rules.limits.depth { throw tooDeep(node) }
            try unsafe readContainer(node, text, at: address)
        }
    }

    /// The node to be read for a plan; `nil` if a value was there already, which is stored.
    private mutating func resolve(
        _ given: Int, _ text: TextPlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) -> Int? {
        switch try plainNode(given, text) {
        case .node(let plain): return plain
        case .value(let value):
            guard unsafe text.plan.erased.store(value, at: address) else { throw mismatch(given, text.plan.type) }
            return nil
        }
    }

    private func readString(_ node: Int, at address: UnsafeMutableRawPointer) throws(DecodingFailure) {
        guard isText(node) else { throw mismatch(node, String.self) }
        unsafe address.initializeMemory(as: String.self, to: document.string(node))
    }

    private mutating func readOptional(
        _ node: Int, _ optional: OptionalPlan, _ payload: TextPlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        if document.kind(node) == .null { return unsafe optional.storeNil(at: address) }
        try unsafe read(someNode(node) ?? node, payload, at: address)
        unsafe optional.storeSome(at: address)
    }

    private mutating func readContainer(
        _ node: Int, _ text: TextPlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        switch text.kind {
        case .structure(let fields): try unsafe readStructure(node, fields, text.plan, at: address)
        case .array(let array, let element): try unsafe readArray(node, array, element, text.plan, at: address)
        case .collection(let collection): try unsafe readCollection(node, collection, text.plan, at: address)
        case .enumeration(let enumeration): try unsafe readEnumeration(node, enumeration, text.plan, at: address)
        case .dynamic(let dynamic): try unsafe readDynamic(node, dynamic, text.plan, at: address)
        case .bridged(let bridged, let surrogate): try unsafe readBridged(node, bridged, surrogate, text, at: address)
        default: try unsafe readOther(node, text, at: address)
        }
    }

    private mutating func readOther(
        _ node: Int, _ text: TextPlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        switch text.kind {
        case .data: unsafe address.initializeMemory(as: Data.self, to: try data(node))
        case .url(let bridged, let surrogate):
            if document.kind(node) == .object {
                return try unsafe readBridged(node, bridged, surrogate, text, at: address)
            }
            guard isText(node), let url = URL(string: document.string(node)) else { throw mismatch(node, URL.self) }
            unsafe address.initializeMemory(as: URL.self, to: url)
        case .codable(let access): try unsafe readCodable(node, access, text.plan, at: address)
        default: throw mismatch(node, text.plan.type)
        }
    }

    private mutating func readDynamic(
        _ node: Int, _ dynamic: DynamicPlan, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        let isAlias = aliasTarget == node
        aliasTarget = nil
        if let base = dynamic.base, rules.isReadable,
            try unsafe readForeign(node, base, dynamic, plan, at: address)
        {
            return
        }
        var value = try natural(node, isAlias: isAlias)
        if value is ForeignPlaceholder { return unsafe storePlaceholder(dynamic, at: address) }
        if let base = dynamic.base { value = FoundationObjects.object(for: value, of: base) ?? value }
        if unsafe dynamic.access.store(value, at: address) { return }
        if document.kind(node) == .object, !document[node].hasMarker, plan.type != AnyHashable.self {
            throw failure(
                .typeMismatch, node,
                "An object without `$class` was found where \(codingName(of: plan.type)) is expected: name its class.")
        }
        throw mismatch(node, plan.type)
    }

    func isText(_ node: Int) -> Bool { document.kind(node) == .string || document.kind(node) == .escaped }

    // MARK: Arrays

    private mutating func readArray(
        _ node: Int, _ array: ArrayPlan, _ element: TextPlan, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        guard document.kind(node) == .array else { throw mismatch(node, plan.type) }
        let count = document.length(node)
        let stride = array.element.stride
        try pay(count, stride, node)
        let first = unsafe array.storage.makeArray(at: address, count: count)
        var child = node &+ 1
        var done = 0
        let isLossy = rules.isLossy
        rules.isLossy = false
        defer { rules.isLossy = isLossy }
        for index in 0..<count {
            do throws(DecodingFailure) {
                // Objects are filled later, when it is too late to leave one out.
                if isLossy, element.reachesObjects, let error = trial(child, element) { throw error }
                try unsafe read(child, element, at: first + done &* stride)
                done &+= 1
            } catch {
                if !isLossy || error.code == .limitExceeded {
                    unsafe array.storage.setCount(done, at: address)
                    unsafe plan.witnesses.destroy(address)
                    throw error.within(.index(index))
                }
            }
            child = document.end(child)
        }
        if done == 0, count > 0 {
            unsafe plan.witnesses.destroy(address)
            _ = unsafe array.storage.makeArray(at: address, count: 0)
        } else {
            unsafe array.storage.setCount(done, at: address)
        }
    }

    /// Takes memory for values out of the budget.
    mutating func pay(_ count: Int, _ stride: Int, _ node: Int) throws(DecodingFailure) {
        let (cost, overflow) = count.multipliedReportingOverflow(by: max(stride / 16, 1))
        budget -= overflow ? Int.max / 2 : cost
        if budget < 0 { throw tooMany(node) }
    }

    // MARK: Failures

    func tooMany(_ node: Int) -> DecodingFailure {
        failure(.limitExceeded, node, "The document expands to more values than the limits allow.")
    }

    func tooDeep(_ node: Int) -> DecodingFailure {
        failure(
            .limitExceeded, node,
            "Values are nested more than \(rules.limits.depth) deep. If the document is to be trusted, raise "
                + "`DecodingLimits.depth` and read it on a thread with a larger stack.")
    }

    func failure(_ code: DecodingFailure.Code, _ node: Int, _ reason: String) -> DecodingFailure {
        let offset = document.sourceOffset(node)
        return DecodingFailure(code, offset: offset, position: offset.flatMap { document.position(of: $0) }, reason)
    }

    /// The name of a type in documents: the one that a model's rules give it.
    func name(of type: Any.Type) -> String {
        if let object = type as? AnyClass {
            guard type is any ModelProtocol.Type, let plan: ClassPlan = try? PlanCache.shared.plan(for: object) else {
                return ForeignClasses.name(of: object)
            }
            return plan.name
        }
        if type is any ModelProtocol.Type, let plan: ValuePlan = try? PlanCache.shared.plan(for: type),
            case .structure(let structure) = plan.shape, let name = structure.name
        {
            return name
        }
        return TypeNames.name(of: type)
    }

    func mismatch(_ node: Int, _ type: Any.Type) -> DecodingFailure {
        let name = self.name(of: type)
        if document.kind(node) == .null {
            return failure(
                .missingValue, node, "null was found where \(name) is expected. Make the property an Optional.")
        }
        return failure(.typeMismatch, node, "\(document.words(node)) was found where \(name) is expected.")
    }
}

extension TextPlan {
    /// Whether values are of an existential type, or Optionals of one.
    var isDynamic: Bool {
        switch kind {
        case .dynamic: true
        case .optional(_, let payload): payload.isDynamic
        default: false
        }
    }
}

extension NodeKind {
    @inline(__always) var isPlainNumber: Bool { self == .integer }
}
