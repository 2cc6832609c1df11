// Room:   AmberReadable / Reading. Objects that are made by code of their own: found first as records, made when everything else is whole.
// Takes:  nodes. Gives: records of class names and values; then the objects.
// Touches: ForeignReader, which runs the classes' `init(coder:)`.

internal import AmberModel
internal import Foundation

/// What stands in an existential for an object that isn't made yet.
struct ForeignPlaceholder: Hashable {}

/// The objects of a document that are made by code of their own.
struct ForeignRecords {
    /// What arrays and objects without a class are, among the values of a record.
    enum Mode {
        /// Swift's.
        case nothing
        /// Objects are dictionaries of Foundation's.
        case objects
        /// Arrays are Foundation's too.
        case everything
    }

    var mode = Mode.nothing
    /// The classes of nodes, where the nodes don't name them.
    var names: [Int: String] = [:]
    /// The instances that are records.
    var numbers: [Int] = []
    /// Properties that get such objects, and nothing that hashes objects.
    var fields: [(instance: Int, field: Int, node: Int)] = []
    /// What aliases lead to, before it is known whether their own places make objects of it.
    var late: [(node: Int, mode: Mode)] = []
    var reader: ForeignReader?
    private var next = 0
    fileprivate var prepared = 0
    /// Whether `$class` names a class that archives itself.
    fileprivate var known: [String: Bool] = [:]

    mutating func nextField() -> (instance: Int, field: Int, node: Int)? {
        guard next < fields.count else { return nil }
        next += 1
        return fields[next - 1]
    }
}

extension ValueReader {
    // MARK: Records

    /// Whether a node with this `$class` is the record of an object that is made by code of its own.
    mutating func isRecord(_ node: Int, _ name: String) -> Bool {
        if rules.keepsForms { return false }
        if let shape = ForeignShape.shape(named: name) {
            if case .null = shape.kind { return false }
            return document.child(node, marker: "$value") != nil || foreign.mode != .nothing
                || !Self.olderNames.contains(name) || document.child(node, "elements") != nil
        }
        if document.child(node, marker: "$value") != nil { return false }
        if let known = foreign.known[name] { return known }
        let isKnown =
            rules.codingClassNames[name] != nil
            || (rules.classNames[name] == nil && ForeignClasses.type(named: name) != nil)
        foreign.known[name] = isKnown
        return isKnown
    }

    /// Classes whose objects are values in the documents of the older coder.
    private static var olderNames: Set<String> {
        [
            "NSDate", "NSData", "NSMutableData", "NSString", "NSMutableString", "NSArray", "NSMutableArray", "NSSet",
            "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSCountedSet", "NSDictionary",
            "NSMutableDictionary", "NSURL", "NSUUID",
        ]
    }

    /// Notes the class that an alias gives a node which has none.
    mutating func noteClass(_ name: Int, of node: Int) {
        guard isText(name), document.kind(node) != .object || document.child(node, marker: "$class") == nil,
            foreign.names[node] == nil
        else { return }
        foreign.names[node] = document.string(name)
    }

    /// Whether a node may be an object only because its place says so.
    private func isUntyped(_ node: Int) -> Bool {
        switch document.kind(node) {
        case .array: true
        case .object:
            !document[node].hasMarker
                || ["$class", "$date", "$data", "$text", "$some", "$struct", "$case", "$pairs"].allSatisfy {
                    document.child(node, $0) == nil
                }
        default: false
        }
    }

    /// The object of a node that is one for another place, or by what an alias says; `nil` if it is a value.
    ///
    /// Its own place may come later: in the first pass a placeholder stands for what an alias leads to.
    mutating func referredObject(_ node: Int, isAlias: Bool) throws(DecodingFailure) -> Any? {
        if !rules.isReadable { return nil }
        if let name = foreign.names.isEmpty ? nil : foreign.names[node] {
            if rules.makesDynamicObjects { return try instance(node, nil) }
            if isForeignName(name) { return try foreignObject(node, nil) ?? ForeignPlaceholder() }
            if ClassLookup.type(named: name, expected: nil, rules) != nil { return try instance(node, nil) }
        }
        guard isAlias, isUntyped(node), !rules.makesDynamicObjects else { return nil }
        if let number = instances.number(of: node) {
            return foreign.names[node] == nil ? instances[number].object : try foreignObject(node, nil)
        }
        if isFinal { return nil }
        // What it holds is found now.
        _ = try natural(node)
        sawWaiting = true
        return ForeignPlaceholder()
    }

    /// A reference to what an alias among dynamic values leads to, if that may be an object for its own place.
    mutating func lateReference(_ node: Int) -> DynamicValue? {
        guard rules.isReadable, foreign.mode == .everything || document.kind(node) == .object, isUntyped(node) else {
            return nil
        }
        let reference = DynamicReference(number: node + 1)
        references.append((reference, node))
        foreign.late.append((node, foreign.mode))
        return .object(reference)
    }

    /// Makes records of what aliases among dynamic values lead to, where no other place has made an object of it.
    mutating func makeLateRecords() throws(DecodingFailure) {
        while let (node, mode) = foreign.late.popLast() {
            if instances.number(of: node) != nil { continue }
            if mode == .nothing {
                _ = try instance(node, nil)
            } else {
                if foreign.names[node] == nil {
                    foreign.names[node] = document.kind(node) == .array ? "NSArray" : "NSDictionary"
                }
                _ = try record(node, nil)
            }
        }
    }

    func isForeignName(_ name: String) -> Bool {
        ForeignClasses.type(named: name) != nil || rules.codingClassNames[name] != nil
    }

    /// The number of the record of a node. `base` is the class of the place.
    mutating func record(_ given: Int, _ base: AnyClass?) throws(DecodingFailure) -> Int {
        guard case .node(let node) = try aliased(given) else { throw mismatch(given, base ?? NSObject.self) }
        if let known = instances.number(of: node) { return known }
        if let name = foreign.names[node] {
            if let mapped = rules.codingClassNames[name] { foreign.names[node] = ForeignClasses.name(noting: mapped) }
        } else {
            foreign.names[node] = try recordName(node, base)
        }
        let text: TextClass
        do throws(SchemaFailure) { text = try schema.plan(for: DynamicObject.self) } catch {
            throw DecodingFailure(error)
        }
        guard let number = instances.make(text, node: node, nodes: document.count) else {
            throw failure(.unsupportedType, node, "No record can be made.")
        }
        budget -= text.plan.instanceSize / 16 + 4
        if budget < 0 { throw tooMany(node) }
        foreign.numbers.append(number)
        return number
    }

    /// The name of the class of a node's object.
    private mutating func recordName(_ node: Int, _ base: AnyClass?) throws(DecodingFailure) -> String {
        if document.kind(node) == .object, base != CodedByHand.self,
            let name = document.child(node, marker: "$class")
        {
            guard isText(name) else { throw failure(.corrupt, name, "`$class` is no text.") }
            let text = document.string(name)
            if let mapped = rules.codingClassNames[text] { return ForeignClasses.name(noting: mapped) }
            if ForeignClasses.type(named: text) != nil { return text }
            if let base, !text.contains("."), ForeignClasses.name(of: base).hasSuffix("." + text) {
                return ForeignClasses.name(of: base)
            }
            throw failure(
                .unknownType, name,
                "The class \(text.prefix(60)) is not in this program, and \(base.map { ForeignClasses.name(of: $0) } ?? "an object") "
                    + "is expected. Give a class that name, or map the name: `codingClassNames`.")
        }
        guard let base, base != NSObject.self else {
            return document.kind(node) == .array ? "NSArray" : "NSDictionary"
        }
        return ForeignClasses.name(of: base)
    }

    /// A reference to the record of a node that is an array or object without a class.
    mutating func recordReference(_ node: Int, _ name: String) throws(DecodingFailure) -> DynamicValue {
        if foreign.names[node] == nil, instances.number(of: node) == nil {
            foreign.names[node] = rules.makesCollectionsMutable ? name.replacing("NS", with: "NSMutable") : name
        }
        _ = try record(node, nil)
        let reference = DynamicReference(number: node + 1)
        references.append((reference, node))
        return .object(reference)
    }

    // MARK: Their values

    /// Reads values with arrays and objects taken for what `mode` says.
    private mutating func reading<T>(
        _ mode: ForeignRecords.Mode, _ body: (inout ValueReader) throws(DecodingFailure) -> T
    ) throws(DecodingFailure) -> T {
        let outer = foreign.mode
        foreign.mode = mode
        defer { foreign.mode = outer }
        return try body(&self)
    }

    /// The class name and the values of a record, or of an object of an unknown class.
    mutating func recordValues(_ node: Int) throws(DecodingFailure) -> (String, ArchivedValues) {
        var name = foreign.names[node]
        if name == nil, document.kind(node) == .object {
            name = document.child(node, marker: "$class").map { document.string($0) }
        }
        // Without the types no class is looked for: values are what the document has.
        guard let name, !rules.keepsForms, ForeignClasses.type(named: name) != nil else {
            return (name ?? "", try archivedValues(node, nil))
        }
        if let shape = ForeignShape.shape(named: name) { return (name, try values(node, shape)) }
        guard document.kind(node) == .object else {
            throw failure(.typeMismatch, node, "\(document.words(node)) was found where a \(name) is expected.")
        }
        return (
            name,
            try reading(.everything) { reader throws(DecodingFailure) in try reader.archivedValues(node, nil) }
        )
    }

    /// The values of a record of one of Foundation's classes.
    private mutating func values(_ node: Int, _ shape: ForeignShape) throws(DecodingFailure) -> ArchivedValues {
        if case .null = shape.kind { return ArchivedValues() }
        if case .properties = shape.kind { return try properties(node, shape.name) }
        var content = node
        if document.kind(node) == .object, document[node].hasMarker, document.child(node, marker: "$class") != nil {
            if let value = document.child(node, marker: "$value") {
                content = value
            } else if document.child(node, "elements") == nil, let older = try olderForm(node) {
                content = older
            } else {
                return try properties(node, shape.name)
            }
            guard case .node(let plain) = try aliased(content) else { throw mismatch(content, NSObject.self) }
            content = plain
        }
        switch shape.kind {
        case .value(let type):
            let text: TextPlan
            do throws(SchemaFailure) { text = try schema.plan(for: type) } catch { throw DecodingFailure(error) }
            return ArchivedValues([("value", .value(try value(content, text)))])
        case .number: return ArchivedValues([("value", .value(try number(content)))])
        case .table: return try table(content, shape.name)
        default:
            guard document.kind(content) == .array else {
                throw failure(
                    .typeMismatch, content,
                    "\(document.words(content)) was found where the array of an \(shape.name) is expected.")
            }
            var elements: [DynamicValue] = []
            var child = content + 1
            while child < document.end(content) {
                do throws(DecodingFailure) { elements.append(try element(child)) } catch {
                    throw error.within(.index(elements.count))
                }
                child = document.end(child)
            }
            return ArchivedValues([("elements", .array(elements))])
        }
    }

    private mutating func properties(_ node: Int, _ name: String) throws(DecodingFailure) -> ArchivedValues {
        guard document.kind(node) == .object else {
            throw failure(.typeMismatch, node, "\(document.words(node)) was found where an \(name) is expected.")
        }
        return try reading(.objects) { reader throws(DecodingFailure) in try reader.archivedValues(node, nil) }
    }

    /// A number that keeps its kind.
    mutating func number(_ node: Int) throws(DecodingFailure) -> Any {
        let found = try natural(node)
        guard found is Bool || ArchivedNumber(found) != nil else { throw mismatch(node, NSNumber.self) }
        return found
    }

    private mutating func element(_ node: Int) throws(DecodingFailure) -> DynamicValue {
        try reading(.everything) { reader throws(DecodingFailure) in try reader.dynamicValue(node) }
    }

    private mutating func table(_ node: Int, _ name: String) throws(DecodingFailure) -> ArchivedValues {
        guard document.kind(node) == .object else {
            throw failure(
                .typeMismatch, node, "\(document.words(node)) was found where the object of an \(name) is expected.")
        }
        var keys: [DynamicValue] = []
        var elements: [DynamicValue] = []
        if let list = marked(node, Marker.pairs) {
            for (key, value) in try pairs(list) {
                do throws(DecodingFailure) {
                    keys.append(try element(key))
                    elements.append(try element(value))
                } catch {
                    throw error.within(.index(elements.count))
                }
            }
            return ArchivedValues([("keys", .array(keys)), ("values", .array(elements))])
        }
        var names: Set<String> = []
        var child = node + 1
        while child < document.end(node) {
            let (key, value) = (child, child + 1)
            child = document.end(value)
            guard let name = userKey(key, node) else { continue }
            guard names.insert(name).inserted else { throw twice(key) }
            keys.append(.value(name))
            do throws(DecodingFailure) { elements.append(try element(value)) } catch {
                throw error.within(.property(name))
            }
        }
        return ArchivedValues([("keys", .array(keys)), ("values", .array(elements))])
    }

    /// Whether a node is a value of a Swift type that this program has.
    func isSwiftValue(_ node: Int, _ name: String) -> Bool {
        guard let type = TypeNames.type(named: name) else { return false }
        return !(type is AnyClass) || document.child(node, marker: "$value") != nil
    }

    /// A value of a Swift type among the values of a record.
    mutating func swiftValue(_ node: Int) throws(DecodingFailure) -> Any {
        let outer = (sawWaiting, foreign.mode)
        sawWaiting = false
        foreign.mode = .nothing
        defer { (sawWaiting, foreign.mode) = outer }
        let value = try natural(node)
        if sawWaiting {
            throw failure(
                .unsupportedType, node,
                "A Swift value that holds sets of objects, or objects with an `init(coder:)`, can't stand in an object that is "
                    + "made by `init(coder:)`. Make it a class.")
        }
        return value
    }

    // MARK: The objects

    /// Gives the records their values when all are read.
    mutating func prepareForeign() {
        if foreign.numbers.isEmpty { return }
        if foreign.reader == nil {
            foreign.reader = ForeignReader(allowing: rules.allowedClasses + Array(rules.codingClassNames.values)) {
                reference throws(DecodingFailure) in
                guard let object = reference.object else {
                    throw DecodingFailure(.corrupt, "The document refers to an object that is not there.")
                }
                return object
            }
        }
        if let byHand = rules.byHand {
            foreign.reader?.byHand = (
                CodedByHand.self,
                { coder in
                    try byHand(coder)
                    return CodedByHand { _ in }
                }
            )
        }
        guard foreign.prepared < foreign.numbers.count else { return }
        foreign.prepared = foreign.numbers.count
        for (reference, node) in references where reference.object == nil {
            if let number = instances.number(of: node) { reference.object = instances[number].object }
        }
        let records = Set(foreign.numbers)
        loose = loose.filter { item in
            guard records.contains(item.instance), let record = instances[item.instance].object as? DynamicObject else {
                return true
            }
            (record.className, record.version, record.values) = (item.className, item.version, item.values)
            return false
        }
    }

    /// The object of a record, with everything that it holds; `nil` while not everything else is whole.
    mutating func foreignObject(_ node: Int, _ base: AnyClass?) throws(DecodingFailure) -> AnyObject? {
        let number = try record(node, base)
        guard isFinal, let reader = foreign.reader else {
            sawWaiting = true
            return nil
        }
        let reference = DynamicReference(number: instances[number].node + 1)
        reference.object = instances[number].object
        do throws(DecodingFailure) { return try reader.object(reference, as: base) } catch {
            let place = failure(error.code, instances[number].node, error.reason)
            throw DecodingFailure(
                error.code, at: error.path, offset: place.offset, position: place.position, error.reason)
        }
    }

    /// Lets references be followed to the objects, and drops the records.
    mutating func finishForeign(_ loosened: [DynamicReference]) {
        if foreign.numbers.isEmpty { return }
        let records = Set(foreign.numbers)
        for reference in loosened {
            if let object = reference.object, let made = foreign.reader?.finished(object) { reference.object = made }
        }
        let keepsRecords = (0..<instances.count).contains { number in
            !records.contains(number)
                && (instances[number].text.plan.type == DynamicObject.self as AnyClass
                    || instances[number].text.plan.unknownProperties != nil)
        }
        for number in records {
            guard let record = instances[number].object as? DynamicObject else { continue }
            if rules.makesDynamicObjects || (keepsRecords && foreign.reader?.finished(record) == nil) { continue }
            record.values = ArchivedValues()
        }
        foreign = ForeignRecords()
    }

    /// Lets go of everything, after decoding failed.
    mutating func abandonForeign() {
        for (reference, _) in references { reference.object = nil }
        for number in foreign.numbers {
            (instances[number].object as? DynamicObject)?.values = ArchivedValues()
        }
        foreign = ForeignRecords()
    }
}
