// Room:   AmberModel / Graph. An object of a class that this program doesn't have, and references while it is read.
// Takes:  what a coder read. Gives: a name and properties that can be looked at, changed and archived again.
// Touches: nothing.

/// An object whose class this program doesn't have: its name and its properties.
///
/// Where a property can hold it (`Any`, `AnyObject?` is not enough, `DynamicObject`, `[any Model]`), an object of an
/// unknown class is read as one of these, and archived again as what it was.
public final class DynamicObject: Model {
    /// The name of the class in archives.
    public var className: String
    /// The version of the class's shape.
    public var version: Int
    /// The properties, superclasses first.
    public var values: ArchivedValues
    /// What the coder that read the object needs to write it as it was.
    package var origin: (any DynamicOrigin)?

    /// Makes an object without a class name and properties.
    public init() {
        className = ""
        version = 0
        values = ArchivedValues()
    }

    /// Makes an object.
    ///
    /// - Parameters:
    ///   - className: The name of the class in archives.
    ///   - version: The version of the class's shape.
    ///   - values: The properties.
    public init(className: String, version: Int = 0, values: ArchivedValues = ArchivedValues()) {
        self.className = className
        self.version = version
        self.values = values
    }

    /// The value of a property; setting `nil` takes it out.
    ///
    /// - Parameter name: The name in the archive.
    /// - Complexity: O(1) on average.
    public subscript(_ name: String) -> DynamicValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// No property is archived as it is stored: coders write what the object stands for.
    public static var rules: ModelRules {
        ModelRules(name: "Amber.DynamicObject").excluding("className", "version", "values", "origin")
    }

    deinit {
        // A chain of dynamic objects, however long, is taken apart here and not by recursion.
        var pending: [DynamicObject] = []
        Self.release(&values, into: &pending)
        while var object = pending.popLast() {
            if isKnownUniquelyReferenced(&object) { Self.release(&object.values, into: &pending) }
        }
    }

    /// Takes the dynamic objects that nobody else refers to out of `values`.
    private static func release(_ values: inout ArchivedValues, into pending: inout [DynamicObject]) {
        var found: [DynamicReference] = []
        func collect(_ value: DynamicValue) {
            switch value {
            case .object(let reference): found.append(reference)
            case .some(let value): collect(value)
            case .any(let any): collect(any.value)
            case .array(let elements): for element in elements { collect(element) }
            case .dictionary(let pairs):
                for (key, value) in pairs {
                    collect(key)
                    collect(value)
                }
            case .structure(let structure): for (_, value) in structure.values { collect(value) }
            case .enumeration(let item): if let payload = item.payload { collect(payload) }
            case .null, .value: break
            }
        }
        for (_, value) in values { collect(value) }
        values = ArchivedValues()
        for index in found.indices {
            var reference = found[index]
            found[index] = .nowhere
            if isKnownUniquelyReferenced(&reference), let object = reference.object as? DynamicObject {
                pending.append(object)
                reference.object = nil
            }
        }
    }
}

/// A reference to an object as an archive holds it.
public final class DynamicReference {
    /// The object; `nil` while the archive is still being read, for then objects aren't whole.
    public package(set) var object: AnyObject?
    /// The number of the object in the archive that is being read.
    package let number: Int
    /// Whether the object is archived only if something else holds it.
    package var isConditional = false

    /// Makes a reference to an object.
    ///
    /// - Parameter object: A model object, or a dynamic one.
    public init(_ object: AnyObject) {
        self.object = object
        number = 0
    }

    package init(number: Int) { self.number = number }

    fileprivate static var nowhere: DynamicReference { DynamicReference(number: 0) }
}

/// What a coder keeps of an archive's types, so that what it didn't know is written as it was read.
package protocol DynamicOrigin: AnyObject, Sendable {
    /// The Swift type of a value in an existential, if this program has it.
    var type: Any.Type? { get }
}
