// Room:   AmberModel / Rules. What a model may do besides `willEncode` and `didDecode`: check, replace and set up itself.
// Takes:  nothing. Gives: protocols to adopt, each for a need that few types have.
// Touches: nothing.

internal import Synchronization

/// A model that says of itself whether its values make sense together.
///
/// A struct is checked right after its `didDecode()`, an object when `didDecode()` was called on all of them; a model
/// made of a dictionary is checked too.
public protocol ValidatedModel: ModelProtocol {
    /// Called when an instance is complete.
    ///
    /// - Throws: Any error; decoding then fails with ``DecodingFailure/Code/invalid``.
    func validate() throws
}

/// A model whose instances are archived as other objects.
///
/// The replacement is asked for once for each instance and archive, and every reference to the instance is archived as
/// one to the replacement. `willEncode()` is called on the replacement only. Where a property's type is a class, the
/// replacement must be an instance of it, or the archive can't be read back. Structs and enums adopt ``ReplacedValue``.
public protocol ReplacedWhenEncoded: AnyObject, ModelProtocol {
    /// The object that is archived instead of this one; `self` to archive this one after all.
    ///
    /// - Returns: An instance of a model class.
    /// - Throws: Any error; encoding then fails with ``EncodingFailure/Code/rejectedByHook``.
    func replacementWhenEncoded() throws -> any ModelProtocol & AnyObject
}

/// A struct or enum whose values are archived as values of another type, wherever they occur.
///
/// ```swift
/// struct Money: ReplacedValue {
///     var cents: Int
///     func replacementWhenEncoded() -> String { "\(cents) ct" }
///     init(replacement: String) throws { cents = try Money.cents(in: replacement) }
/// }
/// ```
///
/// The replacement is what every coder sees, in the schema too: properties, elements and roots of the type are archived as
/// if they were declared with ``Replacement``. It is a model, or anything that a property can be. Hooks of the
/// type itself are not called, those of the replacement are. If the replacement refers to objects, it is given back when
/// they are filled. To replace the values of single properties: ``ModelRules/transforming(_:to:from:)``.
public protocol ReplacedValue: ModelProtocol {
    /// The type that is archived.
    associatedtype Replacement

    /// The value that is archived instead of this one. It may be asked for more than once.
    ///
    /// - Returns: A value of which ``init(replacement:)`` makes this one again.
    /// - Throws: Any error; encoding then fails with ``EncodingFailure/Code/rejectedByHook``.
    func replacementWhenEncoded() throws -> Replacement

    /// Makes a value of what was archived for it.
    ///
    /// - Parameter replacement: The archived value.
    /// - Throws: Any error; decoding then fails with ``DecodingFailure/Code/rejectedByHook``.
    init(replacement: Replacement) throws
}

extension ReplacedValue {
    static var replacementBridge: (surrogate: Any.Type, access: BridgeAccess) {
        (
            Replacement.self,
            Bridge<Self, Replacement>(
                { value in
                    do { return try value.replacementWhenEncoded() } catch {
                        throw EncodingFailure(
                            rejectedBy: "`replacementWhenEncoded()` of \(codingName(of: Self.self))", error)
                    }
                },
                { replacement in
                    do { return try Self(replacement: replacement) } catch {
                        throw DecodingFailure(rejectedBy: "`init(replacement:)` of \(codingName(of: Self.self))", error)
                    }
                })
        )
    }
}

/// A model whose decoded instances give way to other objects, for example to those that the program has already.
///
/// The replacement is asked for once for each instance, when all objects are filled and before any `didDecode()`. Every
/// reference to the instance then becomes one to the replacement: in properties, weak ones too, in collections, as keys
/// of dictionaries, in cycles, and the root of the archive. `didDecode()` is not called on what was replaced. A
/// replacement's own properties stay as they are, so that it may keep the decoded instance.
public protocol ReplacedWhenDecoded: AnyObject, ModelProtocol {
    /// The object that is used instead of this one; `self` to use this one after all.
    ///
    /// - Returns: An object that all properties take which refer to this one.
    /// - Throws: Any error; decoding then fails with ``DecodingFailure/Code/rejectedByHook``.
    func replacementWhenDecoded() throws -> AnyObject
}

/// A model class whose instances are set up before anything is put into them, and torn down at the end of their lives.
///
/// ```swift
/// final class Session: SetUpModel {
///     let life = ModelLife()
///     var user = ""
///     func setUp() { Registry.shared.add(self) }
///     func tearDown() { Registry.shared.remove(self) }
///     deinit { endLife() }
/// }
/// ```
///
/// An instance that a coder makes by its `init()` is set up before it is filled. Where a program makes one itself, it
/// calls ``beginLife()``, perhaps in its `init()`. An instance that was never set up is never torn down: Amber makes one
/// of each class to see what its `init()` does.
public protocol SetUpModel: Model, AnyObject {
    /// Whether the instance was set up; a stored property, which archives don't hold.
    var life: ModelLife { get }

    /// Called once in an instance's life, before anything but `init()` gives it values.
    func setUp()

    /// Called once at the end of an instance's life, if ``setUp()`` was.
    func tearDown()
}

extension SetUpModel {
    /// Calls ``setUp()``, unless it was called before.
    public func beginLife() {
        if life.begin() { setUp() }
    }

    /// Calls ``tearDown()`` if ``setUp()`` was called, once; for the class's `deinit`.
    public func endLife() {
        if life.end() { tearDown() }
    }
}

/// Whether an instance was set up and torn down.
public final class ModelLife: Sendable {
    // 0: not set up, 1: set up, 2: torn down.
    private let state = Atomic<Int>(0)

    /// Makes the mark of an instance that is not set up.
    public init() {}

    /// Whether the instance is set up and not torn down.
    public var isBegun: Bool { state.load(ordering: .acquiring) == 1 }

    func begin() -> Bool {
        state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    func end() -> Bool {
        state.compareExchange(expected: 1, desired: 2, ordering: .acquiringAndReleasing).exchanged
    }
}
