// Room:   AmberKeyed / Archive. Names that somebody has given to classes.
// Takes:  pairs of class and name. Gives: look-up both ways, for one coder and for the whole program.
// Touches: one table behind a lock.

import Foundation
import Synchronization

/// Classes and the names that archives know them by, where these differ.
///
/// A map belongs to one coder; ``register(_:as:)`` changes the one that every coder of the program asks next. The
/// maps of Foundation's own archivers are asked last, so that code written for them needs no change.
public struct KeyedClassMap: Sendable {
    private var namesByClass: [ObjectIdentifier: String] = [:]
    private var classesByName: [String: ClassBox] = [:]

    /// Makes an empty map.
    public init() {}

    /// Writes instances of `type` under `name`.
    ///
    /// - Parameters:
    ///   - name: The name in the archive; nil takes the mapping back.
    ///   - type: The class.
    public mutating func setName(_ name: String?, for type: AnyClass) {
        namesByClass[ObjectIdentifier(type)] = name
    }

    /// Reads objects that the archive calls `name` as `type`.
    ///
    /// - Parameters:
    ///   - type: The class; nil takes the mapping back.
    ///   - name: The name in the archive.
    public mutating func setClass(_ type: AnyClass?, for name: String) {
        classesByName[name] = type.map(ClassBox.init)
    }

    /// The name that was given to `type`.
    ///
    /// - Parameter type: A class.
    /// - Returns: Its name in archives, or nil if none was set.
    public func name(for type: AnyClass) -> String? {
        namesByClass[ObjectIdentifier(type)]
    }

    /// The class that was set for `name`.
    ///
    /// - Parameter name: A name in an archive.
    /// - Returns: The class, or nil if none was set.
    public func type(for name: String) -> AnyClass? {
        classesByName[name]?.type
    }

    private static let shared = Mutex(KeyedClassMap())

    /// Makes `type` known to every keyed coder of the program under `name`, both ways.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - name: Its name in archives, which outlives renaming and moving the class.
    public static func register(_ type: AnyClass, as name: String) {
        let box = ClassBox(type: type)
        shared.withLock { map in
            map.setName(name, for: box.type)
            map.setClass(box.type, for: name)
        }
    }

    /// Lets every keyed coder of the program read `name` as `type`, without changing how it is written.
    ///
    /// - Parameters:
    ///   - name: A name that older archives use.
    ///   - type: The class; nil takes the alias back.
    public static func registerAlias(_ name: String, for type: AnyClass?) {
        let box = type.map(ClassBox.init)
        shared.withLock { $0.setClass(box?.type, for: name) }
    }

    /// The name of `type` in archives: this map's, the program's, Foundation's, or none.
    func resolvedName(for type: AnyClass) -> String? {
        if let name = name(for: type) { return name }
        let identifier = ObjectIdentifier(type)
        if let name = Self.shared.withLock({ $0.namesByClass[identifier] }) { return name }
        return NSKeyedArchiver.classNameForClass(type)
    }

    /// The class mapped to `name`: this map's, the program's, Foundation's, or none.
    func resolvedType(for name: String) -> AnyClass? {
        if let type = type(for: name) { return type }
        if let box = Self.shared.withLock({ $0.classesByName[name] }) { return box.type }
        return NSKeyedUnarchiver.class(forClassName: name)
    }
}

/// A class as a value that may cross threads: metadata never changes and never goes away.
struct ClassBox: @unchecked Sendable {
    let type: AnyClass
}
