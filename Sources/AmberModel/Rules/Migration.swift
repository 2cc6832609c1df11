// Room:   AmberModel. From the shape that a type had in an older version to the shape that it has.
// Takes:  steps, each from one version. Gives: the archived values as the newest version has them.
// Touches: nothing.

/// The steps from older versions of a type to its present one.
package struct Migrations: Sendable {
    package struct Step: Sendable {
        var from: Int
        /// Where it stands in the source.
        var place: String
        var body: @Sendable (inout ArchivedValues) throws -> Void
    }

    /// By the version that they start from; of several from one version, in the order in which they were given.
    private(set) var steps: [Step] = []

    /// No steps.
    package init() {}

    /// Adds a step.
    mutating func add(_ step: Step) {
        let place = steps.firstIndex { $0.from > step.from } ?? steps.count
        steps.insert(step, at: place)
    }

    /// Adds the steps of the class above, before those from the same version that the class has itself.
    mutating func add(inherited: Migrations) {
        let new = inherited.steps.filter { step in
            !steps.contains { $0.from == step.from && $0.place == step.place }
        }
        for step in new.reversed() {
            let place = steps.firstIndex { $0.from >= step.from } ?? steps.count
            steps.insert(step, at: place)
        }
    }

    /// Whether values of a version go through any step.
    package func apply(to version: Int, below known: Int) -> Bool {
        steps.contains { $0.from >= version && $0.from < known }
    }

    /// Takes values from a version of the type to the version that this program knows.
    package func migrate(
        _ values: inout ArchivedValues, from version: Int, to known: Int, _ name: String?, _ readsNewer: Bool
    ) throws(DecodingFailure) {
        if version > known, !readsNewer { throw DecodingFailure(newer: version, known, name ?? "tuple") }
        for step in steps where step.from >= version && step.from < known {
            do { try step.body(&values) } catch {
                if let failure = error as? DecodingFailure { throw failure }
                throw DecodingFailure(
                    .rejectedByHook, "The migration of \(name ?? "") from version \(step.from) threw: \(error)")
            }
        }
    }
}

extension DecodingFailure {
    /// The archive's version of a model is newer than the type.
    package init(newer version: Int, _ known: Int, _ name: String) {
        self.init(
            .newerModel,
            "The archive holds version \(version) of \(name); this program knows versions up to \(known). Update the program, "
                + "or read what it knows with `newerModels = .readKnownProperties`.")
    }
}
