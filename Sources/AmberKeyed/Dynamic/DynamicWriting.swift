// Room:   AmberKeyed / Dynamic. Dynamic objects and values as a keyed archive has them.
// Takes:  what a decoder read without the types, or what was made by hand. Gives: records, as the types' own would be.
// Touches: nothing else.

import AmberModel
import Foundation

extension ArchivingCoder {
    /// Writes a value at the top of the archive.
    func putDynamic(_ value: DynamicValue, _ key: String) {
        currentKey = key
        put(value.isNull ? .reference(0) : element(value, 0), storedKey: DynamicNames.stored(key))
    }

    /// Writes the properties of a dynamic object into the record that is being written; gives the number of its class.
    func write(dynamic object: DynamicObject) -> UInt32 {
        if object.version != 0 {
            put(.reference(number(of: .integer(Int64(object.version)))), storedKey: Self.versionKey)
        }
        let isCollection = DynamicForms.isCollection(object.className)
        var chain: [String] = []
        var hints: [String] = []
        for (name, value) in object.values {
            guard failure == nil else { return 0 }
            currentKey = name
            switch name {
            case DynamicNames.classChain: chain = value.array?.compactMap(\.string) ?? []
            case DynamicNames.classHints: hints = value.array?.compactMap(\.string) ?? []
            default:
                if isCollection, case .array(let elements) = value {
                    put(.array(elements.map { element($0, 0) }), storedKey: DynamicForms.listKey(name))
                } else {
                    put(property(value, 0), storedKey: DynamicNames.stored(name))
                }
            }
        }
        let name = object.className
        guard !name.isEmpty else {
            fail(.unsupportedType, "An object without a class can't be archived here. Give it a `className`.")
            return 0
        }
        if chain.isEmpty, hints.isEmpty {
            if let type = FoundationClasses.type(named: name) { return classNumber(of: type) }
            if let plan = PlanCache.shared.classPlans(named: name).first { return classNumber(of: plan.type) }
        }
        return classNumber(chain: chain.isEmpty ? [name, "NSObject"] : chain, name: name, hints: hints)
    }

    /// The value of a key of a record: numbers stand in the record itself.
    func property(_ value: DynamicValue, _ depth: Int) -> PlistValue {
        switch value {
        case .null: return .reference(0)
        case .value(let given):
            if let number = Self.number(given) { return number }
        case .any(let any) where any.value.isNull && any.typeName == "Any?": return .reference(0)
        default: break
        }
        return element(value, depth)
    }

    private static func number(_ value: Any) -> PlistValue? {
        switch value {
        case let value as Bool: .bool(value)
        case let value as Float: .float(value)
        case let value as Double: .double(value)
        case let value as CGFloat: .double(Double(value))
        default:
            ArchivedNumber(value).flatMap { number in
                number.integer(Int64.self).map { .integer($0) } ?? number.integer(UInt64.self).map { .unsigned($0) }
            }
        }
    }

    /// A value as an object: an element of a collection.
    func element(_ value: DynamicValue, _ depth: Int) -> PlistValue {
        guard failure == nil else { return .reference(0) }
        guard depth < Self.depthLimit else {
            fail(.limitExceeded, "Values are nested deeper than \(Self.depthLimit).")
            return .reference(0)
        }
        func all(_ values: [DynamicValue]) -> [PlistValue] { values.map { element($0, depth + 1) } }
        switch value {
        case .null: return .reference(reference(to: NSNull(), key: currentKey))
        case .some(let inner): return record([element(inner, depth + 1)], NSArray.self)
        case .value(let given): return stored(swift: given)
        case .array(let elements): return record(all(elements), NSArray.self)
        case .dictionary(let pairs): return record(keys: all(pairs.map(\.key)), values: all(pairs.map(\.value)))
        case .structure(let structure):
            if let type = structure.typeName.flatMap({ TypeNames.builtInType(named: $0) }),
                let plan = try? PlanCache.shared.plan(for: type), let made = try? ValueMaker().make(value, plan)
            {
                return stored(swift: made)
            }
            var values = all(structure.values.map(\.value))
            if structure.typeName == nil { return record(values, NSArray.self) }
            var keys = structure.values.names.map { PlistValue.reference(number(of: .string($0))) }
            if structure.version != 0 {
                keys.append(.reference(number(of: .string(Self.versionKey))))
                values.append(.reference(number(of: .integer(Int64(structure.version)))))
            }
            return record(keys: keys, values: values)
        case .enumeration(let item):
            let item = item.carried ?? item
            let text = PlistValue.reference(number(of: .string(item.rawValue ?? item.name)))
            guard let payload = item.payload else { return text }
            return record(keys: [text], values: [element(payload, depth + 1)])
        case .object(let reference):
            guard let object = reference.object else {
                fail(.unsupportedType, "A reference is archived before the archive that it is from was read.")
                return .reference(0)
            }
            if let stand = standIn(for: object) { return .reference(self.reference(to: stand, key: currentKey)) }
            return reference.isConditional
                ? conditional(object) : .reference(self.reference(to: object, key: currentKey))
        case .any(let any):
            // nil of a type that can be nil: a collection holds it as an object.
            let stored = element(any, depth)
            if case .reference(0) = stored { return .reference(reference(to: NSNull(), key: currentKey)) }
            return stored
        }
    }

    /// The object of Foundation's that a dynamic one of a binary archive stands for, if that is a value.
    private func standIn(for object: AnyObject) -> AnyObject? {
        guard let object = object as? DynamicObject, object.values.count <= 1 else { return nil }
        if let known = standIns[ObjectIdentifier(object)] { return known }
        guard object.values.names.first ?? "value" == "value",
            let shape = ForeignShape.shape(named: object.className)
        else { return nil }
        var made: AnyObject?
        switch shape.kind {
        case .null: made = NSNull()
        case .value, .number: made = object["value"]?.value.flatMap { try? shape.object(of: $0) }
        case .list, .table, .properties: break
        }
        if let made { standIns[ObjectIdentifier(object)] = made }
        return made
    }

    /// A value of a Swift type. Where nothing else tells the type, a name does, if it must.
    private func stored(swift value: Any, isTold: Bool = false) -> PlistValue {
        if !isTold, let number = Self.number(value) { return .reference(self.number(of: number)) }
        if let snapshot = value as? CodableSnapshot {
            do throws(EncodingFailure) { return stored(codable: try CodedValue(of: snapshot)) } catch {
                fail(error)
                return .reference(0)
            }
        }
        if type(of: value) is AnyClass { return .reference(reference(to: value, key: currentKey)) }
        do throws(SchemaFailure) {
            let plan = try PlanCache.shared.plan(for: isTold ? Any.self : type(of: value))
            return stored(value, plan, ModelContext())
        } catch {
            fail(.unsupportedType, error.reason)
            return .reference(0)
        }
    }

    /// A value that carries its type's name.
    func element(_ any: DynamicAny, _ depth: Int) -> PlistValue {
        let name = any.typeName
        if name == FoundationForms.inline { return inline(any.value, depth) }
        if let elements = any.value.array, let type = FoundationClasses.type(named: name),
            FoundationForms.lists.contains(name) || FoundationForms.sets.contains(name)
        {
            return record(elements.map { element($0, depth + 1) }, type)
        }
        switch any.value {
        case .dictionary(let pairs) where name == "NSMutableDictionary":
            return record(
                keys: pairs.map { element($0.key, depth + 1) }, values: pairs.map { element($0.value, depth + 1) },
                NSMutableDictionary.self)
        case .value(let text as String) where name == "NSMutableString":
            return .reference(reference(to: NSMutableString(string: text), key: currentKey))
        case .value(let data as Data) where name == "NSMutableData":
            return .reference(reference(to: NSMutableData(data: data), key: currentKey))
        case .array(let elements) where name.hasPrefix("Set<"):
            return record(elements.map { element($0, depth + 1) }, NSSet.self)
        default: break
        }
        if !isNominal(name), let type = TypeNames.type(named: name), type != Any.self, type != AnyHashable.self,
            let plan = try? PlanCache.shared.plan(for: type), let made = try? ValueMaker().make(any.value, plan)
        {
            return stored(swift: made, isTold: true)
        }
        guard isNominal(name) else { return element(any.value, depth) }
        if case .null = any.value { return named(name, .reference(0)) }
        return named(name, element(any.value, depth + 1))
    }

    /// Whether a type's values need its name: it is a program's own, no class of Foundation's and none of Swift's.
    private func isNominal(_ name: String) -> Bool {
        guard name.contains("."), !name.hasSuffix("?"), !name.hasSuffix("]"), !name.hasSuffix(">") else { return false }
        return !name.hasPrefix("Swift.") && !name.hasPrefix("Foundation.")
    }

    /// What stands in the record itself.
    private func inline(_ value: DynamicValue, _ depth: Int) -> PlistValue {
        guard depth < Self.depthLimit else {
            fail(.limitExceeded, "Values are nested deeper than \(Self.depthLimit).")
            return .reference(0)
        }
        switch value {
        case .value(let text as String): return .string(text)
        case .value(let data as Data): return .data(data)
        case .value(let date as Date): return .date(date.timeIntervalSinceReferenceDate)
        case .array(let elements): return .array(elements.map { property($0, depth + 1) })
        case .dictionary(let pairs):
            return .dictionary(
                PlistDictionary(
                    pairs.compactMap { pair in
                        pair.key.string.map { .init(key: $0, value: property(pair.value, depth + 1)) }
                    }))
        default: return property(value, depth + 1)
        }
    }
}
