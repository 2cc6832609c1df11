// Room:   AmberModel / Plan. One model class: how its instances are walked and made.
// Takes:  what PlanBuilder found. Gives: fields with offsets into the instance, and how to make one.
// Touches: nothing.

/// A model class.
package final class ClassPlan: @unchecked Sendable {
    package let type: AnyClass
    package let name: String
    package let formerNames: [String]
    package let version: Int
    package let instanceSize: Int
    package let alignmentMask: Int
    package let model: ModelAccess
    /// Superclass first.
    package internal(set) var fields: [FieldPlan] = []
    package internal(set) var references: [ReferenceStep] = []
    package internal(set) var omitted: [OmittedField] = []
    /// Whether an instance is made by the type's own `init()`.
    package let hasInitializer: Bool

    init(type: AnyClass, name: String, rules: ModelRules, model: ModelAccess, hasInitializer: Bool) {
        self.type = type
        self.name = name
        formerNames = rules.formerNames
        version = rules.version
        self.model = model
        self.hasInitializer = hasInitializer
        (instanceSize, alignmentMask) = instanceLayout(of: type)
    }
}
