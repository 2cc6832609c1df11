// Room:   AmberModel / Dynamic. Values of Swift types made of dynamic values: what slow ways of reading end with.
// Takes:  a dynamic value and a plan. Gives: the value, or an error with the path in it.
// Touches: nothing; memory is the business of `ValuePlan.close`.

internal import Foundation

/// Makes values of Swift types of dynamic values: by name, with conversion and migration.
///
/// Recursion is bounded by the depth of values in each other, never by references between objects.
package struct ValueMaker {
    /// The object that a reference stands for, if it is one of the class.
    package var resolve: (DynamicReference, AnyClass?) throws(DecodingFailure) -> AnyObject
    /// Whether a struct of a newer version than this program's is read by the names that it knows.
    package var readsNewer = false
    /// Whether structs that were made are told so.
    package var callsHooks = true
    package var depthLimit = DecodingLimits().depth
    private var depth = 0
    /// Whether the value at hand is the key of a dictionary.
    private(set) var isKey = false

    package init(
        resolve: @escaping (DynamicReference, AnyClass?) throws(DecodingFailure) -> AnyObject = ValueMaker.wholeObject
    ) {
        self.resolve = resolve
    }

    /// The object of a reference that is whole.
    package static func wholeObject(_ reference: DynamicReference, _ base: AnyClass?) throws(DecodingFailure)
        -> AnyObject
    {
        guard let object = reference.object else {
            throw DecodingFailure(
                .typeMismatch, "Objects can't be looked at before the whole archive is read. Use `didDecode()`.")
        }
        guard let base else { return object }
        guard isInstance(object, of: base) else {
            throw DecodingFailure(
                .typeMismatch,
                "A \(codingName(of: type(of: object))) was given where \(codingName(of: base)) is expected.")
        }
        return object
    }

    /// The value of `plan`'s type that `value` is.
    package func make(_ value: DynamicValue, _ plan: ValuePlan) throws(DecodingFailure) -> Any {
        if case .value(let given) = value, Swift.type(of: given) == plan.type { return given }
        var inner = self
        inner.depth += 1
        inner.isKey = false
        guard inner.depth <= depthLimit else {
            throw DecodingFailure(.limitExceeded, "Values are nested more than \(depthLimit) deep.")
        }
        return try inner.parts(value, plan)
    }

    private func key(_ value: DynamicValue, _ plan: ValuePlan) throws(DecodingFailure) -> OpenedValue.Part {
        if case .value(let given) = value, Swift.type(of: given) == plan.type { return .init(given, plan) }
        var inner = self
        inner.isKey = true
        return .init(try inner.parts(value, plan), plan)
    }

    private func close(_ parts: OpenedValue, _ plan: ValuePlan) throws(DecodingFailure) -> Any {
        do { return try plan.close(parts) } catch {
            if let failure = error as? DecodingFailure { throw failure }
            throw DecodingFailure(error is BridgeError ? .corrupt : .typeMismatch, "\(error)")
        }
    }

    private func part(_ value: DynamicValue, _ plan: ValuePlan) throws(DecodingFailure) -> OpenedValue.Part {
        .init(try make(value, plan), plan)
    }

    private func parts(_ value: DynamicValue, _ plan: ValuePlan) throws(DecodingFailure) -> Any {
        if plan.type == URL.self, case .value(let text as String) = value, let url = URL(string: text) { return url }
        switch (plan.shape, value) {
        case (.dynamic(let dynamic), .object(let found)) where dynamic.base != nil:
            return try resolve(found, dynamic.base)
        case (.dynamic, _): return try existential(value, plan)
        case (.optional(let optional), .any(let any)) where optional.payload.isExistential && !any.value.isNull:
            return try close(.some(try part(value, optional.payload)), plan)
        case (_, .any(let any)): return try make(any.value, plan)
        case (.bridged(let bridged), _): return try close(.bridged(try part(value, bridged.surrogate)), plan)
        case (.optional, .null): return try close(.none, plan)
        case (.optional(let optional), .some(let payload)):
            return try close(.some(try part(payload, optional.payload)), plan)
        case (.optional(let optional), _): return try close(.some(try part(value, optional.payload)), plan)
        case (_, .some(let payload)): return try make(payload, plan)
        case (_, .null):
            throw DecodingFailure(
                .missingValue,
                "The archive holds nil where a \(codingName(of: plan.type)) is expected. Make the property "
                    + "an Optional.")
        case (.scalar(let kind), .value(let given)):
            if let number = ArchivedNumber(given), kind != .bool {
                guard let made = plan.value(of: number, kind) else {
                    if kind == .date || kind == .uuid || kind == .decimal { break }
                    throw DecodingFailure(
                        .doesNotFit,
                        "\(number) does not fit in \(codingName(of: plan.type)). Widen the property, or convert the "
                            + "number in a migration.")
                }
                return made
            }
        case (.string, .value(let given)): if let text = given as? String { return text }
        case (.data, .value(let given)): if given is Data { return given }
        case (.codable(let access), _):
            if let snapshot = CodableSnapshot(value) { return try snapshot.value(plan, access, depthLimit - depth) }
        case (.reference(let reference), .object(let found)): return try resolve(found, reference.base)
        case (.reference(let reference), .value(let given)):
            if Swift.type(of: given) is AnyClass {
                return try resolve(DynamicReference(given as AnyObject), reference.base)
            }
        case (.structure(let structure), .structure(let given)) where given.typeName != "" || structure.name == nil:
            return try finish(try structureParts(given, structure), plan)
        case (.enumeration(let enumeration), .enumeration(let item)):
            return try close(try enumerationParts(item, enumeration, plan), plan)
        case (.array(let array), .array(let elements)):
            return try close(.array(try many(elements, array.element)), plan)
        case (.collection(let collection), .array(let elements)) where collection.value == nil:
            return try close(.set(try many(elements, collection.key)), plan)
        case (.collection(let collection), .dictionary(let pairs)):
            guard let valuePlan = collection.value else { break }
            var made: [(key: OpenedValue.Part, value: OpenedValue.Part)] = []
            for (index, pair) in pairs.enumerated() {
                do throws(DecodingFailure) {
                    made.append((key: try key(pair.key, collection.key), value: try part(pair.value, valuePlan)))
                } catch {
                    throw error.within(.index(index))
                }
            }
            return try close(.dictionary(made), plan)
        default: break
        }
        if let parts = try otherForm(value, plan) { return try finish(parts, plan) }
        // A migration may give any value that the type takes.
        if case .value(let given) = value, let taken = try? plan.taking(given) { return taken }
        throw DecodingFailure(
            .typeMismatch,
            "\(value.words) was found where \(codingName(of: plan.type)) is expected. Read it as that type, or "
                + "convert it in a migration.")
    }

    private func many(_ values: [DynamicValue], _ plan: ValuePlan) throws(DecodingFailure) -> [OpenedValue.Part] {
        var parts: [OpenedValue.Part] = []
        parts.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(DecodingFailure) { parts.append(try part(value, plan)) } catch {
                throw error.within(.index(index))
            }
        }
        return parts
    }

    // MARK: Structs and enums

    func structureParts(
        _ given: DynamicStructure, _ structure: StructurePlan
    ) throws(DecodingFailure) -> OpenedValue {
        guard (given.typeName == nil) == (structure.name == nil) else {
            throw DecodingFailure(
                .typeMismatch, "A struct was found where a tuple is expected, or a tuple for a struct.")
        }
        var values = given.values
        try structure.migrations.migrate(
            &values, from: given.version, to: structure.version, structure.name, readsNewer)
        var parts: [(name: String, part: OpenedValue.Part)] = []
        for (field, value) in structure.fields.matching(values).matches {
            do throws(DecodingFailure) {
                parts.append((field.name, .init(try make(value, field), field.valuePlan)))
            } catch {
                throw error.within(.property(field.name))
            }
        }
        return .structure(parts)
    }

    /// The value made of parts, told of its decoding if it is a struct that wants to be.
    private func finish(_ parts: OpenedValue, _ plan: ValuePlan) throws(DecodingFailure) -> Any {
        guard case .structure = parts, case .structure(let structure) = plan.shape else {
            return try close(parts, plan)
        }
        let made: Any
        do { made = try plan.close(parts) } catch let error as MissingValue {
            throw DecodingFailure(.missingValue, at: CodingPath([.property(error.name)]), "\(error)")
        } catch {
            throw (error as? DecodingFailure) ?? DecodingFailure(.typeMismatch, "\(error)")
        }
        guard callsHooks, let model = structure.model, model.isToldOfDecoding else { return made }
        do { return try plan.callingDidDecode(model, on: made) } catch {
            throw DecodingFailure(hook: error, of: structure.name ?? "")
        }
    }

    /// The value of a stored property; for a weak or unowned one, an object or nil.
    package func make(_ value: DynamicValue, _ field: FieldPlan) throws(DecodingFailure) -> Any {
        if case .structure(let given) = value, let only = field.wrapper?.onlyField, given.typeName == field.wrapperName,
            let wrapped = given.values[only.name]
        {
            return try make(wrapped, only)
        }
        if field.ownership == .strong { return try make(value, field.valuePlan) }
        if value.isNull {
            if case .empty = field.fallback { return Optional<AnyObject>.none as Any }
        }
        return Optional(try make(value, field.plan) as AnyObject) as Any
    }

    func enumerationParts(
        _ item: DynamicCase, _ enumeration: EnumerationPlan, _ plan: ValuePlan
    ) throws(DecodingFailure) -> OpenedValue {
        if let carried = item.carried { return try enumerationParts(carried, enumeration, plan) }
        if let tag = enumeration.tag(of: item) {
            let local = enumeration.cases[tag]
            guard let payloadPlan = local.payload, let payload = item.payload else {
                return .enumeration(name: local.name, rawValue: nil, payload: nil)
            }
            do throws(DecodingFailure) {
                return .enumeration(name: local.name, rawValue: nil, payload: try part(payload, payloadPlan))
            } catch {
                throw error.within(.property(local.name))
            }
        }
        if let carrier = enumeration.carrier, let payloadPlan = enumeration.cases[carrier].payload {
            let part = OpenedValue.Part(item, payloadPlan)
            return .enumeration(name: enumeration.cases[carrier].name, rawValue: nil, payload: part)
        }
        if let fallback = enumeration.fallback { return .enumeration(name: fallback, rawValue: nil, payload: nil) }
        throw DecodingFailure(
            .unknownCase,
            "The archive holds the case `\(item.name)`, which \(enumeration.name) doesn't have. Add it, or a case with a "
                + "`DynamicCase`, or read the archive with a program that has it.")
    }

    // MARK: Existentials

    private func existential(_ value: DynamicValue, _ plan: ValuePlan) throws(DecodingFailure) -> Any {
        let natural = try natural(value)
        if let taken = try? plan.taking(natural) { return taken }
        throw DecodingFailure(
            .typeMismatch,
            "\(value.words) was found where \(codingName(of: plan.type)) is expected, which doesn't take it.")
    }

    /// The value as one would have it in an `Any`.
    private func natural(_ value: DynamicValue) throws(DecodingFailure) -> Any {
        switch value {
        case .null: return Optional<Any>.none as Any
        case .some(let value): return Optional(try natural(value)) as Any
        case .value(let value): return value
        case .any(let any): return try natural(any)
        case .object(let reference): return try resolve(reference, nil)
        case .array(let elements):
            var all: [Any] = []
            for element in elements { all.append(try natural(element)) }
            return all
        case .dictionary(let pairs) where pairs.allSatisfy { $0.key.string != nil }:
            var all: [String: Any] = [:]
            for pair in pairs { all[pair.key.string ?? ""] = try natural(pair.value) }
            return all
        case .dictionary(let pairs):
            var all: [AnyHashable: Any] = [:]
            for pair in pairs {
                guard let key = try natural(pair.key) as? AnyHashable else {
                    return DynamicAny(typeName: "", value: value, origin: nil)
                }
                all[key] = try natural(pair.value)
            }
            return all
        case .structure, .enumeration:
            return DynamicAny(typeName: value.typeName ?? "", value: value, origin: nil)
        }
    }

    private func natural(_ any: DynamicAny) throws(DecodingFailure) -> Any {
        let type: Any.Type
        if let origin = any.origin {
            guard let known = origin.type else { return any }
            type = known
        } else if FoundationForms.sets.contains(any.typeName), case .array(let elements) = any.value {
            var all: Set<AnyHashable> = []
            for element in elements {
                guard let element = try natural(element) as? AnyHashable else { return any }
                all.insert(element)
            }
            return all
        } else if any.typeName.isEmpty || FoundationForms.isTransparent(any.typeName) {
            return try natural(any.value)
        } else {
            guard let known = TypeNames.type(named: any.typeName), !(known is AnyClass) else { return any }
            type = known
        }
        let plan: ValuePlan
        do throws(SchemaFailure) { plan = try PlanCache.shared.plan(for: type) } catch {
            throw DecodingFailure(error)
        }
        return try make(any.value, plan)
    }
}

extension DynamicValue {
    /// The name of the value's own type, if it has one.
    var typeName: String? {
        switch self {
        case .structure(let structure): structure.typeName
        case .enumeration(let item): item.typeName
        case .any(let any): any.typeName
        default: nil
        }
    }

    /// The value in the words of an error.
    package var words: String {
        switch self {
        case .null: "nil"
        case .some(let value): value.words
        case .value(let value):
            value is CodableSnapshot ? "A Codable value" : "A value of \(codingName(of: type(of: value)))"
        case .array: "An array or set"
        case .dictionary: "A dictionary"
        case .structure(let structure): structure.typeName.map { "A \($0)" } ?? "A tuple"
        case .enumeration(let item): "A \(item.typeName)"
        case .object: "A reference to an object"
        case .any(let any): "A \(any.typeName)"
        }
    }
}

extension [FieldPlan] {
    /// Which value is whose: names go before former names, whatever the order. What is left is unknown.
    package func matching(
        _ values: ArchivedValues
    ) -> (matches: [(field: FieldPlan, value: DynamicValue)], unknown: [(name: String, value: DynamicValue)]) {
        var taken: Set<String> = []
        var found = map { field -> DynamicValue? in
            guard let value = values[field.name] else { return nil }
            taken.insert(field.name)
            return value
        }
        for index in indices where found[index] == nil {
            for name in self[index].formerNames where !taken.contains(name) {
                guard let value = values[name] else { continue }
                taken.insert(name)
                found[index] = value
                break
            }
        }
        let unknown = values.filter { !taken.contains($0.name) }
        return (zip(self, found).compactMap { field, value in value.map { (field, $0) } }, unknown)
    }
}

extension ValuePlan {
    fileprivate var isExistential: Bool { if case .dynamic = shape { true } else { false } }
}

extension EnumerationPlan {
    /// The case that an archive's case is: by its raw value, if both have one; else by its name.
    package func tag(of item: DynamicCase) -> Int? {
        let tag =
            item.rawValue.flatMap { raw in cases.firstIndex { $0.rawValue == raw } }
            ?? cases.firstIndex { $0.name == item.name && (item.rawValue == nil || $0.rawValue == nil) }
        guard let tag, (cases[tag].payload == nil) == (item.payload == nil) else { return nil }
        return tag
    }

    /// The case that takes cases which the enum doesn't know.
    package var carrier: Int? { cases.firstIndex { $0.payload?.type == DynamicCase.self } }
}

/// Whether an object is an instance of a class or of its subclasses.
package func isInstance(_ object: AnyObject, of base: AnyClass) -> Bool {
    isSubclass(Swift.type(of: object), of: base)
}

/// Whether a class is another one, or inherits from it.
func isSubclass(_ type: AnyClass, of base: AnyClass) -> Bool {
    if base == AnyModelClass.self { return true }
    var next: AnyClass? = type
    while let type = next {
        if type == base { return true }
        next = runtimeSuperclass(of: type)
    }
    return false
}
