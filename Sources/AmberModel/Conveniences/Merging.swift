// Room:   AmberModel / Conveniences. The values of one model taken over into another.
// Takes:  two models, names of properties, a choice for each. Gives: the first with values of the second.
// Touches: instances through their plans.

extension ModelProtocol where Self: AnyObject {
    /// Takes the values of another instance over.
    ///
    /// Only properties that both have are taken over. Objects in them are shared, not copied. If something throws, nothing
    /// is changed.
    ///
    /// - Parameters:
    ///   - other: The instance whose values are taken.
    ///   - properties: The names of the properties to take over; all if `nil`.
    ///   - choose: Gives the value that a property gets, of its name, its own and the other's value; `nil` stands for `nil`.
    ///     Without it that is the other's value.
    /// - Throws: ``DecodingFailure``: ``DecodingFailure/Code/invalidRules`` for a name that isn't one of a property, what
    ///   `choose` throws as ``DecodingFailure/Code/rejectedByHook``.
    /// - Complexity: O(*n*) in the number of properties.
    public func merge(
        _ other: Self, properties: [String]? = nil,
        choosing choose: ((_ property: String, _ own: Any?, _ other: Any?) throws -> Any?)? = nil
    ) throws(DecodingFailure) {
        do {
            let plan: ClassPlan = try PlanCache.shared.plan(for: type(of: self as AnyObject))
            for (field, value) in try mergedValues(self, other, properties, choose) {
                try plan.set(field, in: self, to: value)
            }
        } catch { throw DecodingFailure(any: error) }
    }
}

extension ModelProtocol {
    /// Takes the values of another struct over; see the method of the same name of classes.
    ///
    /// - Parameters:
    ///   - other: The struct whose values are taken.
    ///   - properties: The names of the properties to take over; all if `nil`.
    ///   - choose: Gives the value that a property gets, of its name, its own and the other's value.
    /// - Throws: ``DecodingFailure``; nothing is changed then.
    /// - Complexity: O(*n*) in the number of properties.
    @_disfavoredOverload
    public mutating func merge(
        _ other: Self, properties: [String]? = nil,
        choosing choose: ((_ property: String, _ own: Any?, _ other: Any?) throws -> Any?)? = nil
    ) throws(DecodingFailure) {
        do {
            let plan: ValuePlan = try PlanCache.shared.plan(for: Self.self)
            let made = try plan.setting(try mergedValues(self, other, properties, choose), in: self)
            if let made = made as? Self { self = made }
        } catch { throw DecodingFailure(any: error) }
    }
}

/// What each property gets, converted to its type where the choice gave something else.
private func mergedValues(
    _ own: Any, _ other: Any, _ properties: [String]?, _ choose: ((String, Any?, Any?) throws -> Any?)?
) throws -> [(field: FieldPlan, value: Any)] {
    let (mine, theirs) = (try ModelParts.of(own), try ModelParts.of(other))
    if let unknown = properties?.first(where: { name in !mine.contains { $0.field.sourceName == name } }) {
        throw DecodingFailure(
            .invalidRules,
            "There is no property `\(unknown)`. There are: \(mine.map(\.field.sourceName).joined(separator: ", ")).")
    }
    var result: [(field: FieldPlan, value: Any)] = []
    for part in mine where properties?.contains(part.field.sourceName) ?? true {
        let name = part.field.sourceName
        guard let source = theirs.first(where: { $0.field.sourceName == name && $0.plan === part.plan }) else {
            continue
        }
        var value: Any = source.value as Any
        if let choose {
            do {
                value =
                    try choose(name, part.value.flatMap { unwrapped($0) }, source.value.flatMap { unwrapped($0) })
                    as Any
            } catch { throw DecodingFailure(rejectedBy: "The choice", error).within(.property(name)) }
            if part.field.ownership.isStrong {
                do { value = try DictionaryReader().convert(value, part.plan) } catch {
                    throw DecodingFailure(any: error).within(.property(name))
                }
            }
        } else if part.field.ownership.isStrong, let whole = source.value {
            value = whole
        }
        result.append((part.field, value))
    }
    return result
}
