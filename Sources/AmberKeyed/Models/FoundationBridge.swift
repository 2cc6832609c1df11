// Room:   AmberKeyed / Models. Values of models as Foundation's objects, for coders that are not ours.
// Takes:  a value and its plan; or an object and the plan of what it shall be. Gives: the other.
// Touches: nothing.

import AmberModel
import Foundation

/// A value that has no counterpart on the other side.
struct BridgeFailure: Error, CustomStringConvertible {
    var description: String
}

enum FoundationBridge {
    private static let tooDeep = BridgeFailure(
        description: "Values are nested deeper than \(ArchivingCoder.depthLimit).")

    /// The object that stands for a value; nil for nil.
    static func object(for value: Any, _ plan: ValuePlan, depth: Int = 0) throws -> AnyObject? {
        guard depth < ArchivingCoder.depthLimit else { throw tooDeep }
        if let object = ArchivingCoder.foundationObject(for: value, plan) { return object }
        func element(_ part: OpenedValue.Part) throws -> AnyObject {
            try object(for: part.value, part.plan, depth: depth + 1) ?? NSNull()
        }
        switch try plan.open(value) {
        case .scalar(let value, let kind):
            if let number = ModelScalars.plistValue(value, kind) { return FoundationNumber.number(for: number) }
            return ModelScalars.object(value, kind)
        case .string(let text): return text as NSString
        case .data(let data): return (data as? Data).map { $0 as NSData }
        case .none: return nil
        case .some(let part):
            if case .optional = part.plan.shape { return NSArray(array: [try element(part)]) }
            return try object(for: part.value, part.plan, depth: depth + 1)
        case .array(let parts): return FoundationStorage.array(try parts.map(element))
        case .set(let parts): return NSSet(array: try parts.map(element))
        case .dictionary(let pairs):
            return try dictionary(pairs.map { try element($0.key) }, pairs.map { try element($0.value) })
        case .structure(let fields):
            guard case .structure(let structure) = plan.shape, structure.name != nil else {
                return FoundationStorage.array(try fields.map { try element($0.part) })
            }
            let kept = zip(structure.places.fields, fields).filter { $0.0.destinations.contains(.keyed) }.map(\.1)
            return try dictionary(kept.map { $0.name as NSString }, kept.map { try element($0.part) })
        case .enumeration(let name, let rawValue, let payload):
            let text = (rawValue ?? name) as NSString
            guard let payload else { return text }
            return try dictionary([text], [element(payload)])
        case .object(let object):
            guard object is any NSCoding else {
                throw BridgeFailure(
                    description: "\(type(of: object)) is no ModelObject: only this library's coders take it.")
            }
            return object
        case .dynamic(let part): return try object(for: part.value, part.plan, depth: depth + 1)
        case .bridged(let part): return try object(for: part.value, part.plan, depth: depth + 1)
        case .codable(let value): return CodableValues.object(for: value)
        }
    }

    private static func dictionary(_ keys: [AnyObject], _ values: [AnyObject]) throws -> NSDictionary {
        NSDictionary(
            objects: values,
            forKeys: try keys.map {
                guard let key = $0 as? NSObject else { throw BridgeFailure(description: "A key is no NSObject.") }
                return key
            })
    }

    /// The value that an object stands for.
    static func value(from object: AnyObject?, _ plan: ValuePlan, depth: Int = 0) throws -> Any {
        guard depth < ArchivingCoder.depthLimit else { throw tooDeep }
        let object = object is NSNull ? nil : object
        func mismatch() -> BridgeFailure {
            BridgeFailure(
                description:
                    "Expected a \(codingName(of: plan.type)), found \(object.map { "\(type(of: $0))" } ?? "nil").")
        }
        func part(_ object: AnyObject?, _ plan: ValuePlan) throws -> OpenedValue.Part {
            .init(try value(from: object, plan, depth: depth + 1), plan)
        }
        if ArchivingCoder.isFoundationValue(plan) {
            guard let value = foundationValue(object, plan.type) else { throw mismatch() }
            return value
        }
        switch plan.shape {
        case .pending: throw mismatch()
        case .scalar(let kind):
            guard let object, let value = ModelScalars.value(object: object, kind, plan.type) else { throw mismatch() }
            return value
        case .string:
            guard let text = object as? NSString else { throw mismatch() }
            return text as String
        case .data:
            guard let data = object as? NSData else { throw mismatch() }
            return Data(referencing: data)
        case .optional(let optional):
            guard let object else { return try plan.close(.none) }
            if case .optional = optional.payload.shape {
                guard let array = object as? NSArray else { throw mismatch() }
                return try plan.close(.some(try part(FoundationStorage.objects(of: array).first, optional.payload)))
            }
            return try plan.close(.some(try part(object, optional.payload)))
        case .array(let array):
            return try plan.close(.array(try elements(object, mismatch).map { try part($0, array.element) }))
        case .collection(let collection):
            guard let valuePlan = collection.value else {
                return try plan.close(.set(try elements(object, mismatch).map { try part($0, collection.key) }))
            }
            guard let dictionary = object as? NSDictionary else { throw mismatch() }
            let pairs = FoundationStorage.pairs(of: dictionary)
            return try plan.close(
                .dictionary(
                    try zip(pairs.keys, pairs.values).map {
                        (key: try part($0, collection.key), value: try part($1, valuePlan))
                    }))
        case .structure(let structure):
            if structure.name == nil {
                let elements = try elements(object, mismatch)
                guard elements.count == structure.fields.count else { throw mismatch() }
                return try plan.close(
                    .structure(try zip(structure.fields, elements).map { ($0.name, try part($1, $0.plan)) }))
            }
            guard let dictionary = object as? NSDictionary else { throw mismatch() }
            let pairs = FoundationStorage.pairs(of: dictionary)
            var fields: [(name: String, part: OpenedValue.Part)] = []
            for (key, value) in zip(pairs.keys, pairs.values) {
                guard let name = (key as? NSString) as String?,
                    let field = structure.places.fields.first(where: {
                        $0.destinations.contains(.keyed) && ($0.name == name || $0.formerNames.contains(name))
                    })
                else { continue }
                fields.append((field.name, try part(value, field.valuePlan)))
            }
            return try plan.close(.structure(fields))
        case .enumeration(let enumeration):
            let dictionary = object as? NSDictionary
            let pairs = dictionary.map { FoundationStorage.pairs(of: $0) }
            let tag = pairs?.keys.first ?? object
            guard let text = (tag as? NSString).map({ $0 as String }) ?? (tag as? NSNumber)?.stringValue,
                let item = enumeration.cases.first(where: { $0.rawValue == text })
                    ?? enumeration.cases.first(where: { $0.name == text })
            else { throw mismatch() }
            let payload = try item.payload.map { try part(pairs?.values.first, $0) }
            return try plan.close(.enumeration(name: item.name, rawValue: item.rawValue, payload: payload))
        case .reference:
            guard let object else { throw mismatch() }
            return try plan.close(.object(object))
        case .dynamic(let dynamic) where dynamic.base != nil:
            guard let object else { throw mismatch() }
            return try plan.close(.object(object))
        case .dynamic:
            return try plan.close(.dynamic(.init(try swiftValue(object, depth: depth + 1), plan)))
        case .bridged(let bridged): return try plan.close(.bridged(try part(object, bridged.surrogate)))
        case .codable: return try plan.close(.codable(try CodableValues.value(of: object)))
        }
    }

    private static func elements(_ object: AnyObject?, _ mismatch: () -> BridgeFailure) throws -> [AnyObject] {
        switch object {
        case let array as NSArray: return FoundationStorage.objects(of: array)
        case let set as NSOrderedSet: return FoundationStorage.objects(of: set)
        case let set as NSSet: return FoundationStorage.objects(of: set)
        default: throw mismatch()
        }
    }

    /// A value of a Swift type that Foundation has a class for.
    static func foundationValue(_ object: AnyObject?, _ type: Any.Type) -> Any? {
        switch object {
        case let url as NSURL where type == URL.self: return URL(string: url.relativeString, relativeTo: url.baseURL)
        case let text as NSString where type == URL.self: return URL(string: text as String)
        case let set as NSIndexSet where type == IndexSet.self: return set as IndexSet
        case let value as NSValue:
            switch FoundationGeometry.typeCode(of: value) {
            case "{CGPoint=dd}" where type == CGPoint.self: return value.pointValue
            case "{CGSize=dd}" where type == CGSize.self: return value.sizeValue
            case "{CGRect={CGPoint=dd}{CGSize=dd}}" where type == CGRect.self: return value.rectValue
            default: return nil
            }
        default: return nil
        }
    }

    /// The Swift value that an object bridges to.
    static func swiftValue(_ object: AnyObject?, depth: Int) throws -> Any {
        guard depth < ArchivingCoder.depthLimit else { throw tooDeep }
        switch object {
        case nil: return Any?.none as Any
        case let array as NSArray:
            return try FoundationStorage.objects(of: array).map { try swiftValue($0, depth: depth + 1) }
        case let dictionary as NSDictionary:
            let pairs = FoundationStorage.pairs(of: dictionary)
            var result: [AnyHashable: Any] = [:]
            for (key, value) in zip(pairs.keys, pairs.values) {
                guard let key = try swiftValue(key, depth: depth + 1) as? AnyHashable else { continue }
                result[key] = try swiftValue(value, depth: depth + 1)
            }
            return result as? [String: Any] ?? result
        case let text as NSString: return text as String
        case let number as NSDecimalNumber: return number.decimalValue
        case let number as NSNumber:
            switch FoundationNumber.value(of: number) {
            case .bool(let value): return value
            case .integer(let value): return Int(value)
            case .unsigned(let value): return UInt(value)
            case .float(let value): return value
            default: return number.doubleValue
            }
        case let date as NSDate: return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as NSData: return Data(referencing: data)
        case let url as NSURL: return URL(string: url.relativeString, relativeTo: url.baseURL) as Any
        case let object?: return object
        }
    }

    /// The classes that objects standing for values of a plan may be of.
    static func classes(for plan: ValuePlan) -> [AnyClass] {
        var classes: [AnyClass] = []
        var seen: Set<ObjectIdentifier> = []
        func collect(_ plan: ValuePlan) {
            guard seen.insert(ObjectIdentifier(plan)).inserted else { return }
            switch plan.isOfProperty ? Void.self : plan.type {
            case is URL.Type: classes += [NSURL.self, NSString.self] as [AnyClass]; return
            case is IndexSet.Type: classes.append(NSIndexSet.self); return
            case is CGPoint.Type, is CGSize.Type, is CGRect.Type: classes.append(NSValue.self); return
            default: break
            }
            switch plan.shape {
            case .pending: break
            case .scalar(.date): classes.append(NSDate.self)
            case .scalar(.uuid): classes += [NSUUID.self, NSString.self] as [AnyClass]
            case .scalar: classes += [NSNumber.self, NSString.self] as [AnyClass]
            case .string: classes.append(NSString.self)
            case .data: classes.append(NSData.self)
            case .optional(let optional):
                if case .optional = optional.payload.shape { classes.append(NSArray.self) }
                collect(optional.payload)
            case .array(let array):
                classes += [NSArray.self, NSNull.self] as [AnyClass]
                collect(array.element)
            case .collection(let collection):
                classes += [NSSet.self, NSDictionary.self, NSArray.self, NSNull.self] as [AnyClass]
                collect(collection.key)
                if let value = collection.value { collect(value) }
            case .structure(let structure):
                classes += [NSDictionary.self, NSArray.self, NSString.self, NSNull.self] as [AnyClass]
                for field in structure.places.fields { collect(field.valuePlan) }
            case .enumeration(let enumeration):
                classes += [NSString.self, NSNumber.self, NSDictionary.self, NSNull.self] as [AnyClass]
                for item in enumeration.cases { item.payload.map { collect($0) } }
            case .reference(let reference): classes.append(reference.base)
            case .dynamic(let dynamic):
                classes += ClassGate.values
                if let base = dynamic.base { classes.append(base) }
            case .bridged(let bridged): collect(bridged.surrogate)
            case .codable: classes += ClassGate.propertyList
            }
        }
        collect(plan)
        return classes
    }
}
