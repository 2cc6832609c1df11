// Room:   AmberKeyed. The base class that makes a model an NSSecureCoding object.
// Takes:  any NSCoder. Gives: the model's properties to it and from it, by the schema.
// Touches: its own stored properties, through AmberModel.

public import AmberModel
public import Foundation

/// A model that Foundation's archivers take too: an NSObject with NSSecureCoding by its schema.
///
/// ```swift
/// final class Person: ModelObject {
///     var name = ""
///     weak var boss: Person?
/// }
/// let data = try NSKeyedArchiver.archivedData(withRootObject: person, requiringSecureCoding: true)
/// ```
///
/// Every stored property needs a default. Archives are those that ``KeyedEncoder`` makes of the same model; weak
/// references are written conditionally, excluded properties not at all, the version of the model's rules is saved. In
/// secure decoding each property allows the classes that its declared type can hold, and what
/// ``allowedClasses(forProperty:)`` adds. Foundation's unarchiver away from Apple's systems has no object to give to a
/// reference back to an object that it still decodes: read graphs with cycles by ``KeyedDecoder``.
open class ModelObject: NSObject, Model, NSSecureCoding {
    /// Makes an instance with every property at its default.
    public required override init() {
        super.init()
    }

    /// What the class says of itself: override it as `override class var rules: ModelRules`.
    open class var rules: ModelRules { ModelRules() }

    /// Models decode securely: only classes that their properties' types can hold are made.
    open class var supportsSecureCoding: Bool { true }

    /// Further classes that a property may hold in an archive, for properties of types such as `Any`.
    ///
    /// - Parameter property: The property's name in archives.
    /// - Returns: The classes; none by default.
    open class func allowedClasses(forProperty property: String) -> [AnyClass] { [] }

    /// Called on each instance before its properties are encoded.
    ///
    /// - Throws: Any error; encoding then fails.
    open func willEncode() throws {}

    /// Called on each instance after it is decoded.
    ///
    /// - Throws: Any error; decoding then fails.
    open func didDecode() throws {}

    /// Makes an instance from an archive; called by coders.
    ///
    /// - Parameter coder: A keyed decoder, Foundation's or any other.
    public required init?(coder: NSCoder) {
        super.init()
        do {
            try decode(coder)
            try didDecode()
            if let validated = self as? any ValidatedModel {
                do { try validated.validate() } catch {
                    throw DecodingFailure(.invalid, "`validate()` of \(type(of: self)) threw: \(error)")
                }
            }
        } catch {
            coder.failWithError(error as NSError)
            return nil
        }
    }

    /// Writes the properties; called by coders.
    ///
    /// - Parameter coder: A keyed encoder, Foundation's or any other.
    public func encode(with coder: NSCoder) {
        do {
            try willEncode()
            let plan: ClassPlan = try PlanCache.shared.plan(for: type(of: self))
            if plan.version != 0 {
                coder.encode(NSNumber(value: plan.version), forKey: ArchivingCoder.versionKey)
            }
            for field in plan.places.fields(for: .keyed) { try encode(field, plan, coder) }
        } catch {
            coder.failWithError(error as NSError)
        }
    }

    /// What Foundation's archivers write instead of the object, if it says so by ``ReplacedWhenEncoded``.
    ///
    /// - Parameter coder: The archiver.
    /// - Returns: The object to write.
    open override func replacementObject(for coder: NSCoder) -> Any? {
        guard !(coder is ArchivingCoder), let model = self as? any ReplacedWhenEncoded else { return self }
        do { return try model.replacementWhenEncoded() } catch {
            coder.failWithError(error as NSError)
            return nil
        }
    }

    private func encode(_ field: FieldPlan, _ plan: ClassPlan, _ coder: NSCoder) throws {
        guard let value = try plan.value(of: field, in: self) else { return coder.encode(nil, forKey: field.name) }
        if field.ownership == .strong, case .scalar(let kind) = field.valuePlan.shape,
            let number = ModelScalars.plistValue(value, kind)
        {
            switch number {
            case .bool(let value): return coder.encode(value, forKey: field.name)
            case .integer(let value): return coder.encode(value, forKey: field.name)
            case .float(let value): return coder.encode(value, forKey: field.name)
            case .double(let value): return coder.encode(value, forKey: field.name)
            // NSCoder has no unsigned numbers: the bits are the same.
            case .unsigned(let value): return coder.encode(Int64(bitPattern: value), forKey: field.name)
            default: break
            }
        }
        let object =
            field.ownership == .strong ? try FoundationBridge.object(for: value, field.valuePlan) : value as AnyObject
        if field.isConditional {
            coder.encodeConditionalObject(object, forKey: field.name)
        } else {
            coder.encode(object, forKey: field.name)
        }
    }

    private func decode(_ coder: NSCoder) throws {
        let plan: ClassPlan = try PlanCache.shared.plan(for: type(of: self))
        let version = coder.decodeObject(of: [NSNumber.self], forKey: ArchivingCoder.versionKey) as? NSNumber
        if let version, version.intValue > plan.version {
            throw BridgeFailure(
                description: "The archive holds version \(version) of \(plan.name), this program knows \(plan.version)."
            )
        }
        let migrated = try migrate(coder, plan, version?.intValue ?? 0)
        for field in plan.places.fields(for: .keyed) where !migrated.contains(field.name) {
            guard let key = ([field.name] + field.formerNames).first(where: { coder.containsValue(forKey: $0) }) else {
                continue
            }
            try plan.set(field, in: self, to: try value(of: field, key, coder))
        }
    }

    /// Sets what the class itself makes of an older archive; gives the names of these properties.
    private func migrate(_ coder: NSCoder, _ plan: ClassPlan, _ version: Int) throws -> Set<String> {
        guard let type = type(of: self) as? any KeyedMigrating.Type else { return [] }
        let fields = plan.places.fields(for: .keyed)
        var migrated: Set<String> = []
        let key = "externalRepresentation"
        if coder.containsValue(forKey: key), !fields.contains(where: { $0.name == key }) {
            let classes = ClassGate.propertyList + [NSNull.self, NSURL.self]
            let object = coder.decodeObject(of: classes, forKey: key).map { $0 as AnyObject }
            guard let dictionary = try FoundationBridge.swiftValue(object, depth: 0) as? [String: Any],
                let properties = type.properties(fromExternalRepresentation: dictionary, version: version)
            else {
                throw BridgeFailure(
                    description: "\(plan.name) makes nothing of its archive's external representation.")
            }
            for field in fields {
                guard let value = properties[field.name] ?? properties[field.sourceName] else { continue }
                try plan.set(field, in: self, to: value)
                migrated.insert(field.name)
            }
        }
        guard version < plan.version else { return migrated }
        for field in fields {
            let classes = ClassGate.values + Self.allowedClasses(forProperty: field.name)
            let values = KeyedValues(coder: coder, allowing: classes)
            guard let value = try type.value(of: field.name, from: values, version: version) else { continue }
            try plan.set(field, in: self, to: value)
            migrated.insert(field.name)
        }
        return migrated
    }

    private func value(of field: FieldPlan, _ key: String, _ coder: NSCoder) throws -> Any {
        if field.ownership == .strong, case .scalar(let kind) = field.valuePlan.shape {
            let number: PlistValue? =
                switch kind {
                case .bool: .bool(coder.decodeBool(forKey: key))
                case .float32: .float(coder.decodeFloat(forKey: key))
                case .float64: .double(coder.decodeDouble(forKey: key))
                case .uint64: .unsigned(UInt64(bitPattern: coder.decodeInt64(forKey: key)))
                case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer(coder.decodeInt64(forKey: key))
                case .int128, .uint128, .date, .uuid, .decimal: nil
                }
            if let number {
                guard let value = ModelScalars.value(number, kind, field.valuePlan.type) else {
                    throw BridgeFailure(description: "\(key) does not fit in \(codingName(of: field.valuePlan.type)).")
                }
                return value
            }
        }
        let classes = FoundationBridge.classes(for: field.valuePlan) + Self.allowedClasses(forProperty: field.name)
        let object = coder.decodeObject(of: classes, forKey: key).map { $0 as AnyObject }
        if field.ownership != .strong { return object as Any }
        return try FoundationBridge.value(from: object, field.valuePlan)
    }
}
