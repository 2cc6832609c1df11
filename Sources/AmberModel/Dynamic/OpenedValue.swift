// Room:   AmberModel / Dynamic. Values opened one level, for coders that work value by value.
// Takes:  a value and its plan. Gives: what it is made of; and the value back from such parts.
// Touches: nothing; opening and closing are in Memory/UnsafeOpening.

/// A value of any type that can be archived, opened one level. Parts are values of the plans beside them.
package enum OpenedValue {
    /// A part of a value, with the plan of its type. Where the plan is that of a class, the value is the instance.
    package struct Part {
        package var value: Any
        package var plan: ValuePlan

        package init(_ value: Any, _ plan: ValuePlan) {
            self.value = value
            self.plan = plan
        }
    }

    /// A number, date, UUID or decimal: the value itself says which.
    case scalar(Any, ScalarKind)
    case string(String)
    /// A Foundation Data.
    case data(Any)
    /// `nil`.
    case none
    /// The value in an Optional.
    case some(Part)
    /// An Array or ContiguousArray.
    case array([Part])
    case set([Part])
    case dictionary([(key: Part, value: Part)])
    /// The properties of a struct, or the elements of a tuple, in order.
    case structure([(name: String, part: Part)])
    /// The name of an enum's case, its raw value if it has one, and its payload.
    case enumeration(name: String, rawValue: String?, payload: Part?)
    /// An instance of a model class.
    case object(AnyObject)
    /// The value in an existential, with the plan of its own type.
    case dynamic(Part)
    /// The value of another type that stands for this one.
    case bridged(Part)
    /// What a Codable value says of itself.
    case codable(CodedValue)
}

/// Why parts don't make a value: what was expected.
package struct ClosingError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The value in an existential: what an AnyHashable holds, which boxes as itself.
func held(_ value: Any) -> Any {
    type(of: value) == AnyHashable.self ? (value as? AnyHashable)?.base ?? value : value
}

extension ValuePlan {
    /// Whether values are of other types, which only they tell: those of protocols and of `Any`.
    package var isOfProtocol: Bool {
        guard case .dynamic(let dynamic) = shape else { return false }
        return dynamic.base == nil && type != AnyHashable.self
    }
}
