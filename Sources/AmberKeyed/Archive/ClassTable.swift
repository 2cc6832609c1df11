// Room:   AmberKeyed / Archive. The class records of an archive, and the classes they stand for.
// Takes:  the object table and maps of names. Gives: for a reference its class, resolved once.
// Touches: class metadata. Never: an instance.

import AmberModel
import Foundation

/// A class as an archive describes it, and what it is in this program.
final class ArchivedClass {
    let name: String
    let chain: [String]
    let hints: [String]
    /// The class of this program; nil if there is none.
    let type: AnyClass?
    /// Its kind, if it is coded here.
    let kind: FoundationKind?
    /// What its instances are decoded by, where they code themselves.
    let coding: (any NSCoding.Type)?
    /// Whether it is a model that does not code itself.
    let isModel: Bool
    let supportsSecureCoding: Bool
    /// The kind of the nearest Foundation class above a program's own.
    let base: FoundationKind?

    init(name: String, chain: [String], hints: [String], type: AnyClass?, kind: FoundationKind?) {
        self.name = name
        self.chain = chain
        self.hints = hints
        var type: AnyClass? = type
        var kind = kind
        if kind == nil, let own = type as? NSObject.Type {
            type = own.classForKeyedUnarchiver()
            kind = type.flatMap { FoundationClasses.kind(of: $0) }
        }
        self.type = type
        self.kind = kind
        coding = type as? any NSCoding.Type
        isModel = type.map { FoundationClasses.isCodedBySchema($0) } ?? false
        // A model's classes are those of its declared properties: nothing else is ever made of it.
        supportsSecureCoding = kind != nil || isModel || type.map { ClassGate.supportsSecureCoding($0) } ?? false
        base = kind == nil ? type.flatMap { Dialect.base(of: $0) } : nil
    }
}

struct ClassTable {
    private var resolved: [UInt32: ArchivedClass] = [:]
    /// The class that was asked for last: neighbours are often of one.
    private var last: (number: UInt32, type: ArchivedClass)?
    /// Classes that were not found, and the allowed ones they were looked for among.
    private var missing: [UInt32: (allowed: [ObjectIdentifier], type: ArchivedClass)] = [:]

    /// How a class's name is turned into a class.
    struct Resolver {
        var map: KeyedClassMap
        /// Asked for names that nothing else knows.
        var unknown: ((String, [String]) -> AnyClass?)?
        /// Whether a superclass of this program may stand in for a class that it lacks.
        var usesChain: Bool
        /// Whether only the classes that a property list is made of are looked for: for inspection.
        var onlyValues: Bool
        /// The classes that the present call allows: the runtime can't find every class by its name.
        var allowed: [AnyClass] = []
    }

    /// The class that `reference` refers to.
    mutating func type(
        _ reference: PlistValue?, in objects: [PlistValue], _ resolver: Resolver
    ) throws(KeyedFailure) -> ArchivedClass {
        guard case .reference(let number)? = reference else {
            throw KeyedFailure(.malformed, "An object's $class is not a reference.")
        }
        if let last, last.number == number { return last.type }
        if let known = resolved[number] {
            last = (number, known)
            return known
        }
        let allowed = resolver.allowed.map { ObjectIdentifier($0) }
        if let known = missing[number], known.allowed == allowed { return known.type }
        guard number < objects.count, case .dictionary(let record) = objects[Int(number)] else {
            throw KeyedFailure(.malformed, "An object's $class refers to nothing that describes a class.")
        }
        guard case .string(let name)? = record["$classname"] else {
            throw KeyedFailure(.malformed, "A class record lacks its $classname.")
        }
        let chain = try Self.names(record["$classes"], "$classes")
        let hints = try Self.names(record["$classhints"], "$classhints")
        let type: AnyClass? = Self.resolve(name, chain: chain, hints: hints, resolver)
        let found = ArchivedClass(
            name: name, chain: chain, hints: hints, type: type, kind: type.flatMap { FoundationClasses.kind(of: $0) })
        // A class that was not found may be among those that another call allows.
        if type != nil { resolved[number] = found } else { missing[number] = (allowed, found) }
        return found
    }

    private static func names(_ value: PlistValue?, _ key: String) throws(KeyedFailure) -> [String] {
        guard let value else { return [] }
        guard case .array(let values) = value else {
            throw KeyedFailure(.malformed, "A class record's \(key) is \(value.kindName), not an array.")
        }
        var names: [String] = []
        for value in values {
            guard case .string(let name) = value else {
                throw KeyedFailure(.malformed, "A class record's \(key) holds \(value.kindName), not names.")
            }
            names.append(name)
        }
        return names
    }

    private static func resolve(
        _ name: String, chain: [String], hints: [String], _ resolver: Resolver
    ) -> AnyClass? {
        if resolver.onlyValues {
            guard let type = FoundationClasses.type(named: name),
                let kind = FoundationClasses.kinds[ObjectIdentifier(type)],
                FoundationClasses.inspected.contains(kind), FoundationClasses.archiveName(of: type) == name
            else { return nil }
            return type
        }
        if let type = resolver.map.resolvedType(for: name) ?? usable(name) { return type }
        if let plan = metPlan(named: name) { return plan.type }
        for hint in hints {
            if let type = resolver.map.resolvedType(for: hint) ?? usable(hint) { return type }
        }
        for allowed in resolver.allowed where ClassNames.mayMean(name, allowed) { return allowed }
        if let type = resolver.unknown?(name, chain) { return type }
        guard resolver.usesChain else { return nil }
        for ancestor in chain.dropFirst() where ancestor != name && ancestor != "NSObject" {
            if let type = resolver.map.resolvedType(for: ancestor) ?? usable(ancestor) { return type }
            if let plan = metPlan(named: ancestor) { return plan.type }
        }
        return nil
    }

    /// The model class that archives hold under `name`, if one has been met.
    private static func metPlan(named name: String) -> ClassPlan? {
        PlanCache.shared.classPlans(named: name).first ?? PlanCache.shared.classPlans(formerlyNamed: name).first
    }

    /// The class called `name` if instances of it can be read.
    private static func usable(_ name: String) -> AnyClass? {
        if name == OldStyleArray.archiveName { return OldStyleArray.self }
        guard let type = ClassNames.type(named: name) else { return nil }
        if FoundationClasses.kind(of: type) != nil { return type }
        if FoundationClasses.isFoundation(type), !FoundationClasses.mayDecodeItself(type) { return nil }
        return type is any NSCoding.Type || type is any ModelProtocol.Type ? type : nil
    }
}
