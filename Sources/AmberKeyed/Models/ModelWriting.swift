// Room:   AmberKeyed / Models. Models as archived objects, by their schema.
// Takes:  a model instance, or a value and the plan of its type. Gives: the entries of its record.
// Touches: the instance through AmberModel alone. Never: an offset.
//
// What a property becomes is what code written by hand for NSCoding would have made of it, so that a program without
// this library can read it: numbers in the record itself, text, dates, URLs as Foundation's objects, arrays, sets and
// dictionaries as theirs, structs as dictionaries by property, enums as their raw value or case name.

import AmberModel
import Foundation

extension ArchivingCoder {
    /// The key of a model's version: that of Mantle's archives, which then read as they are.
    static let versionKey = "MTLModelVersion"

    /// Writes the properties of a model into the record that is being written.
    func write(model object: AnyObject, _ plan: ClassPlan) {
        do {
            try plan.willEncode(object)
        } catch {
            return fail(.codingFailed, "willEncode() of \(plan.name) threw \(error).")
        }
        if plan.version != 0 {
            put(.reference(number(of: .integer(Int64(plan.version)))), storedKey: Self.versionKey)
        }
        for field in plan.places.fields(for: .keyed) {
            guard failure == nil else { return }
            currentKey = field.name
            let found: Any?
            do { found = try plan.value(of: field, in: object) } catch { return fail(error) }
            guard let value = found else {
                put(.reference(0), field.name)
                continue
            }
            if field.ownership != .strong {
                put(reference(toModel: value as AnyObject, isConditional: field.isConditional), field.name)
            } else {
                put(
                    stored(value, field.valuePlan, .init(isInline: true, isConditional: field.isConditional)),
                    field.name)
            }
        }
        writeUnknown(object, plan)
    }

    /// Writes what the archive held that a model was read from, and its class doesn't have.
    private func writeUnknown(_ object: AnyObject, _ plan: ClassPlan) {
        guard let unknown = plan.unknownProperties(in: object), unknown.values.count > 0 else { return }
        let known = Set(plan.places.fields(for: .keyed).map(\.name))
        for (name, value) in unknown.values where !known.contains(name) {
            guard failure == nil else { return }
            currentKey = name
            put(property(value, 0), storedKey: DynamicNames.stored(name))
        }
    }

    /// How a value is to be stored.
    struct ModelContext {
        /// Whether a number may stand in the record itself.
        var isInline = false
        /// Whether objects count only if something else holds them.
        var isConditional = false
        var depth = 0

        var element: ModelContext { ModelContext(isInline: false, isConditional: isConditional, depth: depth + 1) }
    }

    private func reference(toModel object: AnyObject, isConditional: Bool) -> PlistValue {
        isConditional ? conditional(object) : .reference(reference(to: object, key: currentKey))
    }

    /// What is written is read with default limits.
    static let depthLimit = DecodingLimits().depth

    /// The value of a type, as an entry of a record or a list.
    func stored(_ value: Any, _ plan: ValuePlan, _ context: ModelContext) -> PlistValue {
        guard failure == nil else { return .reference(0) }
        guard context.depth < Self.depthLimit else {
            fail(.limitExceeded, "Values are nested deeper than \(Self.depthLimit).")
            return .reference(0)
        }
        if let object = Self.foundationObject(for: value, plan) {
            return .reference(reference(to: object, key: currentKey))
        }
        if case .dynamic = plan.shape {
            if let any = value as? DynamicAny { return element(any, context.depth) }
            if let dynamic = value as? DynamicValue { return element(dynamic, context.depth) }
        }
        let opened: OpenedValue
        do {
            if case .structure(let structure) = plan.shape, let model = structure.model, model.hasWillEncode {
                do { try plan.callWillEncode(model, on: value) } catch {
                    fail(.codingFailed, "willEncode() of \(structure.name ?? "") threw \(error).")
                    return .reference(0)
                }
            }
            opened = try plan.open(value)
        } catch {
            fail(error)
            return .reference(0)
        }
        switch opened {
        case .scalar(let value, let kind): return stored(scalar: value, kind, context)
        case .string(let text): return .reference(number(of: .string(text)))
        case .data(let data): return .reference(reference(to: data, key: currentKey))
        case .none: return .reference(0)
        case .some(let part):
            // An Optional in an Optional: a list of one or none tells nil from an Optional that holds nil.
            if case .optional = part.plan.shape {
                return record([element(part, context)], NSArray.self)
            }
            return stored(part.value, part.plan, context.element)
        case .array(let parts): return record(parts.map { element($0, context) }, NSArray.self)
        case .set(let parts): return record(parts.map { element($0, context) }, NSSet.self)
        case .dictionary(let pairs):
            return record(
                keys: pairs.map { element($0.key, context) }, values: pairs.map { element($0.value, context) })
        case .structure(let fields):
            guard case .structure(let structure) = plan.shape, structure.name != nil else {
                return record(fields.map { element($0.part, context) }, NSArray.self)
            }
            let kept = fields.enumerated().filter {
                structure.places.fields[$0.offset].destinations.contains(.keyed)
            }.map(\.element)
            var keys = kept.map { PlistValue.reference(number(of: .string($0.name))) }
            var values = kept.map { element($0.part, context) }
            if structure.version != 0 {
                keys.append(.reference(number(of: .string(Self.versionKey))))
                values.append(.reference(number(of: .integer(Int64(structure.version)))))
            }
            return record(keys: keys, values: values)
        case .enumeration(_, _, let payload?) where payload.value is DynamicCase:
            return stored(unknown: payload.value, context)
        case .enumeration(let name, let rawValue, let payload):
            let text = PlistValue.reference(number(of: .string(rawValue ?? name)))
            guard let payload else { return text }
            return record(keys: [text], values: [element(payload, context)])
        case .object(let object): return reference(toModel: object, isConditional: context.isConditional)
        case .dynamic(let part): return stored(dynamic: part, context)
        case .bridged(let part): return stored(part.value, part.plan, context)
        case .codable(let value): return stored(codable: value)
        }
    }

    /// A case that the enum doesn't know, as the archive had it that it was read from.
    private func stored(unknown value: Any, _ context: ModelContext) -> PlistValue {
        guard let item = value as? DynamicCase else { return .reference(0) }
        let text = PlistValue.reference(number(of: .string(item.rawValue ?? item.name)))
        guard let payload = item.payload else { return text }
        return record(keys: [text], values: [element(payload, context.depth + 1)])
    }

    /// Ends the encoding by what the model layer threw.
    func fail(_ error: any Error) {
        if let failure = KeyedFailure(error, path: []) {
            fail(failure.code, failure.message)
        } else {
            fail(.unsupportedType, "\(error)")
        }
    }

    /// An element of a list: nil is an object there.
    private func element(_ part: OpenedValue.Part, _ context: ModelContext) -> PlistValue {
        let value = stored(part.value, part.plan, context.element)
        if case .reference(0) = value { return .reference(reference(to: NSNull(), key: currentKey)) }
        return value
    }

    /// A value in an existential: its type must be told where no Foundation class tells it.
    private func stored(dynamic part: OpenedValue.Part, _ context: ModelContext) -> PlistValue {
        if Self.foundationObject(for: part.value, part.plan) == nil, let name = telling(part.plan) {
            return named(name, part, context)
        }
        if case .optional = part.plan.shape, case .some(let inner)? = try? part.plan.open(part.value) {
            return stored(dynamic: inner, context.element)
        }
        return stored(part.value, part.plan, context.element)
    }

    /// A record of the class `name` with the value under one key.
    private func named(_ name: String, _ part: OpenedValue.Part, _ context: ModelContext) -> PlistValue {
        named(name, stored(part.value, part.plan, context.element))
    }

    /// A record of the class `name` with a value under one key.
    func named(_ name: String, _ value: PlistValue) -> PlistValue {
        append([
            "value": value,
            ArchiveKey.classReference: .reference(classNumber(chain: [name, "NSObject"], name: name, hints: [])),
        ])
    }

    private func stored(scalar value: Any, _ kind: ScalarKind, _ context: ModelContext) -> PlistValue {
        guard let number = ModelScalars.plistValue(value, kind) else {
            guard let object = ModelScalars.object(value, kind) else {
                fail(.unsupportedType, "\(value) can't be archived.")
                return .reference(0)
            }
            return .reference(reference(to: object, key: currentKey))
        }
        return context.isInline ? number : .reference(self.number(of: number))
    }

    // MARK: Records

    private func append(_ entries: KeyValuePairs<String, PlistValue>) -> PlistValue {
        let number = UInt32(document.objects.count)
        document.objects.append(.dictionary(PlistDictionary(entries)))
        noteConditional(record: number)
        return .reference(number)
    }

    func record(_ elements: [PlistValue], _ type: AnyClass) -> PlistValue {
        append([
            "NS.objects": .array(elements), ArchiveKey.classReference: .reference(classNumber(of: type)),
        ])
    }

    func record(keys: [PlistValue], values: [PlistValue], _ type: AnyClass = NSDictionary.self) -> PlistValue {
        append([
            "NS.keys": .array(keys), "NS.objects": .array(values),
            ArchiveKey.classReference: .reference(classNumber(of: type)),
        ])
    }

    private static func hasPlan(_ type: Any.Type) -> Bool {
        (try? PlanCache.shared.plan(for: type)) != nil
    }

    /// The Foundation object that stands for a value of a type that Foundation has a class for.
    static func foundationObject(for value: Any, _ plan: ValuePlan) -> AnyObject? {
        if plan.isOfProperty { return nil }
        switch plan.type {
        case is URL.Type:
            return (value as? URL).flatMap { url in
                NSURL(string: url.relativeString, relativeTo: url.baseURL)
            }
        case is IndexSet.Type: return (value as? IndexSet).map { NSIndexSet(indexSet: $0) }
        case is CGPoint.Type: return (value as? CGPoint).map { NSValue(point: $0) }
        case is CGSize.Type: return (value as? CGSize).map { NSValue(size: $0) }
        case is CGRect.Type: return (value as? CGRect).map { NSValue(rect: $0) }
        default:
            // Whatever is in an existential and codes itself. Swift's own values would bridge, but have plans.
            guard case .dynamic = plan.shape, type(of: value) is AnyClass || !hasPlan(type(of: value)),
                let object = value as? NSObject, object is any NSCoding
            else {
                return nil
            }
            return object is any ModelProtocol ? nil : object
        }
    }
}
