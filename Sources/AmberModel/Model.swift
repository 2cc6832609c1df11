// Room:   AmberModel. The face: what a user writes to make a type a model.
// Takes:  nothing more than the word `Model` after the type's name. Gives: every customisation point, with its default.
// Touches: nothing.

/// A class or struct that Amber's coders can archive, without any code of its own.
///
/// ```swift
/// final class Person: Model {
///     var name = ""
///     var friends: [Person] = []
///     weak var boss: Person?
/// }
/// ```
///
/// An instance is made by `init()` where the type has one, so that properties missing from an archive keep their
/// defaults. A type without one is made without running an initializer; then every property must come from the
/// archive or be an Optional, and one that is left out of archives must be an Optional.
///
/// A class that isn't final declares its `init()` as `required`, as Swift asks of every initializer that a protocol
/// may call. Where that can't be done, for example in an extension of another module's class, conform to
/// ``ModelProtocol`` instead: its instances are made without an initializer.
public protocol Model: ModelProtocol {
    /// Makes an instance with every property at its default.
    ///
    /// Types with an `init()` of their own satisfy this requirement by it. All others get an implementation that only
    /// throws ``NoDefaultInitializer``, which tells Amber to make instances without an initializer.
    ///
    /// - Throws: ``NoDefaultInitializer`` when the type has no `init()` of its own.
    init() throws(NoDefaultInitializer)
}

extension Model {
    /// Stands in for the `init()` that a type doesn't have; it always throws.
    ///
    /// - Throws: ``NoDefaultInitializer``, always.
    @_disfavoredOverload
    public init() throws(NoDefaultInitializer) {
        throw NoDefaultInitializer()
    }
}

/// The error that says that a type has no `init()` of its own.
public struct NoDefaultInitializer: Error, Equatable {
    /// Makes the error.
    public init() {}
}

/// What every model has: rules, hooks, each with a default.
///
/// Conform to ``Model``, not to this protocol, unless the type is an open class whose `init()` is not `required`.
public protocol ModelProtocol {
    /// What the type says of itself: its name in archives, its version, which properties are left out or renamed.
    static var rules: ModelRules { get }

    /// Called on each instance before its properties are encoded.
    ///
    /// - Throws: Any error; encoding then fails with ``EncodingFailure/Code/rejectedByHook``.
    func willEncode() throws

    /// Called on each instance after the whole graph is decoded, in the order in which the objects were archived.
    ///
    /// - Throws: Any error; decoding then fails with ``DecodingFailure/Code/rejectedByHook``.
    mutating func didDecode() throws
}

extension ModelProtocol {
    /// No rules: every stored property is archived under its own name.
    public static var rules: ModelRules { ModelRules() }

    /// Tells Amber, by its error, that the type has no such hook; the hook is then not called again for the type.
    ///
    /// - Throws: ``HookNotImplemented``, always.
    public func willEncode() throws { throw HookNotImplemented() }

    /// Tells Amber, by its error, that the type has no such hook; the hook is then not called again for the type.
    ///
    /// - Throws: ``HookNotImplemented``, always.
    public mutating func didDecode() throws { throw HookNotImplemented() }
}

/// The error by which a type's default hooks say that the type has none of its own.
public struct HookNotImplemented: Error, Equatable {
    /// Makes the error.
    public init() {}
}
