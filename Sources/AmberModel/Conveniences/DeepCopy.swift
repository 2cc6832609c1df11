// Room:   AmberModel / Conveniences. A whole graph copied, with the shape that it has.
// Takes:  a model. Gives: a model of new objects that refer to each other as the old ones do.
// Touches: instances through their plans.

extension ModelProtocol {
    /// Returns a copy of the model and of every object that it reaches.
    ///
    /// Each object is copied once, as an instance of its own class: what was shared is shared in the copy, cycles and weak
    /// references lead to copies. Hooks and initializers don't run, except the `init()` of a ``SetUpModel``. Properties that
    /// the rules exclude are copied as they are, without the objects that they refer to; so are objects that aren't models, and what a
    /// ``DynamicObject`` refers to.
    ///
    /// - Returns: The copy.
    /// - Throws: ``DecodingFailure`` when a type can't be archived, or values are nested too deeply in each other.
    /// - Complexity: O(*n*) in the objects and values; no recursion from object to object.
    public func deepCopy() throws(DecodingFailure) -> Self {
        let copy: Any
        do { copy = try copyGraph(self) } catch { throw DecodingFailure(any: error) }
        guard let copy = copy as? Self else {
            throw DecodingFailure(.typeMismatch, "The copy is not a \(codingName(of: Self.self)).")
        }
        return copy
    }
}

private func copyGraph(_ root: Any) throws -> Any {
    let plan: ValuePlan = try PlanCache.shared.plan(for: type(of: root))
    var walk = ObjectWalk()
    try walk.walk(root, plan)
    var copies = Replacements()
    copies.skipsComputed = true
    var made: [(object: AnyObject, plan: ClassPlan)] = []
    for object in walk.objects {
        let plan: ClassPlan = try PlanCache.shared.plan(for: type(of: object))
        let copy = try plan.shallowCopy(of: object)
        copies.replace(object, by: copy)
        made.append((copy, plan))
    }
    for (copy, plan) in made { try copies.apply(to: copy, plan) }
    return try copies.applied(to: root, plan) ?? root
}
