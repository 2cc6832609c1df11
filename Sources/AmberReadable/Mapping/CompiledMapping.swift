// Room:   AmberReadable / Mapping. A type's mapping, checked against its properties.
// Takes:  the mapping and the fields. Gives: for each field where it stands and how it is converted.
// Touches: nothing.

internal import AmberModel

/// What a type's own mapping makes of its fields.
final class CompiledMapping: Sendable {
    struct Field: Sendable {
        var paths: [JSONPath]
        var parts: [(name: String, path: JSONPath)]
        var rule: JSONMapping.Rule
        /// Texts of JSON by names of cases, and the other way.
        var cases: CaseMap?
        /// Whether the property can be nil.
        var isOptional: Bool
    }

    let fields: [Field]
    let chooser: JSONMapping.Chooser?
    /// The first steps of all paths: keys that the type knows.
    let knownKeys: Set<String>
    /// Whether no property stands where the chooser's text does.
    let writesChooser: Bool

    /// The mapping of a type; `nil` if it says nothing that keys alone don't.
    init?(_ mapping: JSONMapping, _ fields: [TextField], type: Any.Type) throws(SchemaFailure) {
        let known = Set(fields.map(\.field.sourceName))
        // A subclass may leave out of JSON what its superclass maps.
        let own = mapping.rules.keys.filter { !mapping.inherited.contains($0) }
        if let unknown = own.filter({ !known.contains($0) }).sorted().first {
            throw SchemaFailure(
                code: .invalidRules,
                reason:
                    "The mapping of \(codingName(of: type)) names a property `\(unknown)` that it doesn't archive. It has: "
                    + "\(known.sorted().joined(separator: ", ")).")
        }
        let isSimple = mapping.chooser == nil && mapping.rules.values.allSatisfy { $0.isSimple }
        if isSimple { return nil }
        let compiled = fields.map { field in
            let rule = mapping.rules[field.field.sourceName] ?? JSONMapping.Rule()
            var isOptional = !field.field.ownership.isStrong
            if case .optional = field.text.plan.shape { isOptional = true }
            let paths = rule.paths.isEmpty ? [JSONPath(steps: [field.key.text])] : rule.paths.map { JSONPath($0) }
            return Field(
                paths: paths, parts: rule.parts.map { ($0.name, JSONPath($0.path)) }, rule: rule,
                cases: rule.cases.isEmpty ? nil : CaseMap(rule.cases), isOptional: isOptional)
        }
        self.fields = compiled
        chooser = mapping.chooser
        var keys: Set<String> = []
        for field in compiled {
            for path in field.paths + field.parts.map(\.path) { if let first = path.steps.first { keys.insert(first) } }
        }
        let chooserPath = mapping.chooser?.path.map { JSONPath($0) }
        if let first = chooserPath?.steps.first { keys.insert(first) }
        writesChooser = chooserPath.map { path in !compiled.contains { $0.paths.first == path } } ?? false
        knownKeys = keys
    }
}

/// The texts that stand for the cases of an enum.
final class CaseMap: Sendable {
    let names: [String: String]
    let texts: [String: String]

    init(_ cases: [(json: String, name: String)]) {
        names = Dictionary(cases.map { ($0.json, $0.name) }, uniquingKeysWith: { first, _ in first })
        texts = Dictionary(cases.map { ($0.name, $0.json) }, uniquingKeysWith: { first, _ in first })
    }
}

extension JSONPath {
    init(steps: [String]) { self.steps = steps }
}

extension JSONMapping.Rule {
    /// Whether the rule says no more than one key.
    var isSimple: Bool {
        paths.count <= 1 && (paths.first.map { JSONPath($0).steps.count == 1 } ?? true) && parts.isEmpty
            && transformer == nil && dates == nil && cases.isEmpty && !isLossy && !isExcluded && fallback == nil
            && !takesNullAsAbsent && writesNull == nil
    }

    /// The one key that the rule says.
    var simpleKey: String? {
        guard isSimple, let path = paths.first else { return nil }
        return JSONPath(path).steps.first
    }
}
