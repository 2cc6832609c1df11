// Room:   AmberModel / Foreign. How Foundation's classes look to coders that write some of them as what they stand for.
// Takes:  an object, class or name. Gives: the kind of value that the class's objects stand for.
// Touches: nothing.

/// What objects of one of Foundation's classes stand for.
package struct ForeignShape: Sendable {
    /// The kind of a class.
    package enum Kind: Sendable {
        /// A value of a Swift type, under `value`.
        case value(Any.Type)
        /// A number that keeps its kind, under `value`.
        case number
        /// Nothing at all.
        case null
        /// A list, under `elements`.
        case list
        /// Pairs, under `keys` and `values`.
        case table
        /// Several properties.
        case properties
    }

    /// The name of the class in archives.
    package let name: String
    package let type: AnyClass
    package let kind: Kind

    /// Whether objects can be told apart only by what they stand for.
    package var isPlain: Bool {
        switch kind {
        case .value, .number, .null: !name.contains("Mutable")
        case .list, .table, .properties: false
        }
    }

    private init(_ form: ForeignForm) {
        name = form.name
        type = form.type
        switch (form.name, form.making, form.valueType) {
        case (_, _, let value?): kind = .value(value)
        case ("NSNumber", _, _): kind = .number
        case ("NSNull", _, _): kind = .null
        case (_, .container(.countedSet), _): kind = .properties
        case (_, .container(.dictionary), _), (_, .container(.mutableDictionary), _): kind = .table
        case (_, .container, _): kind = .list
        default: kind = .properties
        }
    }

    /// The shape of an object's class; `nil` for classes that aren't Foundation's.
    package static func shape(of object: AnyObject) -> ForeignShape? { ForeignForm.form(for: object).map(Self.init) }

    /// The shape of a class.
    package static func shape(of type: AnyClass) -> ForeignShape? { ForeignForm.form(of: type).map(Self.init) }

    /// The shape of the class with a name.
    package static func shape(named name: String) -> ForeignShape? { ForeignForm.form(named: name).map(Self.init) }

    /// An object of a class that stands for nothing, where that is known: for code that looks before the real one is there.
    package static func empty(_ type: AnyClass) -> AnyObject? { EmptyValues.value(of: type).map { $0 as AnyObject } }

    /// The Swift value that an object of a plain class, or of its mutable subclass, stands for.
    package static func value(of object: AnyObject) -> Any? {
        guard let form = ForeignForm.form(for: object),
            let entries = try? form.write(object, ForeignWriter()), entries.count == 1
        else { return nil }
        return entries[0].value.value
    }
}

extension ForeignShape {
    /// An object of a class that stands for one value.
    ///
    /// - Throws: What keeps the class from standing for this one.
    package func object(of value: Any) throws -> AnyObject {
        guard let form = ForeignForm.form(named: name), case .value(let make) = form.making else {
            throw DecodingFailure(.unsupportedType, "A \(name) stands for no single value.")
        }
        let reader = ForeignReader(allowing: []) { _ throws(DecodingFailure) in
            throw DecodingFailure(.corrupt, "A plain value refers to no object.")
        }
        return try make(ForeignRecord(values: ArchivedValues([("value", .value(value))]), reader: reader))
    }
}
