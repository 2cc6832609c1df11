// Room:   AmberModel / Foreign. Classes that are archived by code of their own: Foundation's, and those that adopt NSCoding.
// Takes:  a class, or a name from an archive. Gives: the other, and whether archives may make objects of it unasked.
// Touches: a lock; the runtime's lookup by mangled name.

internal import Foundation
internal import Synchronization

/// Classes that are no models and yet archived: as what their `encode(with:)` says, or as we know Foundation's to be.
package enum ForeignClasses {
    private struct Known: Sendable {
        /// Classes by the names that archives have for them, as far as they were met.
        var names: [String: AnyClass] = [:]
        /// Classes that models have properties of, and those registered.
        var declared: Set<ObjectIdentifier> = []
    }

    private static let known = Mutex(Known())

    /// Whether objects of a class are archived by code of their own.
    package static func isForeign(_ type: AnyClass) -> Bool {
        type is any NSCoding.Type && !(type is any ModelProtocol.Type)
    }

    /// Whether a property can be of a class: a foreign one, or what all of them inherit from.
    static func isDeclarable(_ type: AnyClass) -> Bool { isForeign(type) || type == NSObject.self }

    /// Lets archives make objects of a class and of its subclasses: a property is of it, or a program registered it.
    package static func declare(_ type: AnyClass) {
        // What every class inherits from says nothing.
        if type == NSObject.self { return }
        note(type)
        known.withLock { _ = $0.declared.insert(ObjectIdentifier(type)) }
    }

    /// Lets a class be found by its name, where the runtime doesn't find it: a private or local one.
    static func note(_ type: AnyClass) {
        guard ForeignForm.form(of: type) == nil else { return }
        let name = codingName(of: type)
        known.withLock { if $0.names[name] == nil { $0.names[name] = type } }
    }

    /// The name that archives have for a class.
    package static func name(of type: AnyClass) -> String { ForeignForm.form(of: type)?.name ?? codingName(of: type) }

    /// The name of a class, by which it is found from now on.
    package static func name(noting type: AnyClass) -> String {
        note(type)
        return name(of: type)
    }

    /// The class that archives have under a name.
    package static func type(named name: String) -> AnyClass? {
        if let form = ForeignForm.form(named: name) { return form.type }
        if let type = known.withLock({ $0.names[name] }) { return type }
        for mangled in mangledClassNames(of: name) {
            guard let type = _typeByName(mangled) as? AnyClass, isForeign(type), codingName(of: type) == name else {
                continue
            }
            note(type)
            return type
        }
        return nil
    }

    /// Whether `type` belongs to Foundation and not to a program that uses it.
    static func isFoundation(_ type: AnyClass) -> Bool {
        #if canImport(Darwin)
            return Bundle(for: type).bundleIdentifier?.hasPrefix("com.apple.") ?? false
        #else
            return _typeName(type, qualified: true).hasPrefix("Foundation")
        #endif
    }

    /// Whether an archive may make objects of a class where nobody asks for that class: in an `Any`, in Foundation's
    /// collections, in code that decodes an object without saying of which class.
    static func mayAppear(_ type: AnyClass, allowing allowed: [AnyClass]) -> Bool {
        if ForeignForm.form(of: type) != nil { return true }
        if (type as? any NSSecureCoding.Type)?.supportsSecureCoding == true { return true }
        let declared = known.withLock { $0.declared }
        var next: AnyClass? = type
        while let current = next {
            if declared.contains(ObjectIdentifier(current)) || allowed.contains(where: { $0 == current }) {
                return true
            }
            next = runtimeSuperclass(of: current)
        }
        return false
    }
}

/// Whether instances of a class are instances of one of some others.
func isKind(_ type: AnyClass, of bases: [AnyClass]) -> Bool {
    var next: AnyClass? = type
    while let current = next {
        if bases.contains(where: { $0 == current }) { return true }
        next = runtimeSuperclass(of: current)
    }
    return false
}

/// How a class of this name may be mangled: each type around it can be a struct, enum or class.
///
/// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
package func mangledClassNames(of name: String) -> [String] {
    let parts = name.split(separator: ".")
    guard parts.count >= 2, parts.count <= 5,
        parts.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
    else { return [] }
    func piece(_ part: Substring) -> String { "\(part.utf8.count)\(part)" }
    var names = [piece(parts[0])]
    for (index, part) in parts.dropFirst().enumerated() {
        let isLast = index == parts.count - 2
        names = names.flatMap { prefix in
            (isLast ? ["C"] : ["C", "V", "O"]).map { prefix + piece(part) + $0 }
        }
    }
    return names
}
