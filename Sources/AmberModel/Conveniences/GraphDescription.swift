// Room:   AmberModel / Conveniences. A graph as text that ends, whatever its cycles.
// Takes:  a model. Gives: each object once, by number, with its properties.
// Touches: instances through their plans.

internal import Foundation

extension ModelProtocol {
    /// The model and every object that it reaches as text: each object once, under a number by which others refer to it.
    ///
    /// ```text
    /// App.Person#1
    ///   name: "Ann"
    ///   boss: App.Person#2
    /// App.Person#2
    ///   name: "Bob"
    ///   boss: nil
    /// ```
    ///
    /// Of a graph with more than 10,000 objects the rest is counted. What can't be looked at says why.
    ///
    /// - Complexity: O(*n*) in the objects and values.
    public var graphDescription: String {
        var writer = GraphText()
        writer.write(self)
        return writer.lines.joined(separator: "\n")
    }
}

private struct GraphText {
    var lines: [String] = []
    private var objects: [AnyObject] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private static let limit = 10_000

    mutating func write(_ root: Any) {
        if type(of: root) is AnyClass {
            _ = reference(root as AnyObject)
        } else {
            lines.append(codingName(of: type(of: root)))
            writeProperties(of: root)
        }
        var next = 0
        while next < objects.count, next < Self.limit {
            let object = objects[next]
            next += 1
            lines.append("\(codingName(of: type(of: object)))#\(next)")
            writeProperties(of: object)
        }
        if objects.count > next {
            lines.append("… and \(objects.count - next) objects more, or those that they reach.")
        }
    }

    private mutating func writeProperties(of model: Any) {
        do {
            for part in try ModelParts.of(model) {
                let text = part.value.map { value in
                    part.field.ownership.isStrong ? self.text(value, part.plan, 0) : reference(value as AnyObject)
                }
                lines.append("  \(part.field.sourceName): \(text ?? "nil")")
            }
        } catch { lines.append("  (\(error))") }
    }

    private mutating func reference(_ object: AnyObject) -> String {
        let id = ObjectIdentifier(object)
        let number = numbers[id] ?? objects.count + 1
        if numbers[id] == nil {
            numbers[id] = number
            objects.append(object)
        }
        return "\(codingName(of: type(of: object)))#\(number)"
    }

    private mutating func text(_ value: Any, _ plan: ValuePlan, _ depth: Int) -> String {
        if depth > DecodingLimits().depth { return "…" }
        if value is URL { return "\(value)" }
        guard let opened = try? plan.open(value) else { return "\(value)" }
        switch opened {
        case .scalar(let value, _): return "\(value)"
        case .string(let text): return text.debugDescription
        case .data(let data): return "\(data)"
        case .none: return "nil"
        case .some(let part): return text(part.value, part.plan, depth + 1)
        case .array(let parts): return "[" + parts.map { text($0, depth) }.joined(separator: ", ") + "]"
        case .set(let parts): return "[" + parts.map { text($0, depth) }.sorted().joined(separator: ", ") + "]"
        case .dictionary(let pairs):
            if pairs.isEmpty { return "[:]" }
            return "["
                + pairs.map { "\(text($0.key, depth)): \(text($0.value, depth))" }.sorted().joined(separator: ", ")
                + "]"
        case .structure(let fields):
            return "(" + fields.map { "\($0.name): \(text($0.part, depth))" }.joined(separator: ", ") + ")"
        case .enumeration(let name, _, let payload): return ".\(name)" + (payload.map { "(\(text($0, depth)))" } ?? "")
        case .object(let object):
            return type(of: object) is any ModelProtocol.Type ? reference(object) : "\(object)"
        case .dynamic(let part), .bridged(let part): return text(part.value, part.plan, depth + 1)
        case .codable: return "\(value)"
        }
    }

    private mutating func text(_ part: OpenedValue.Part, _ depth: Int) -> String {
        // A weak reference is an Optional of its object, with the plan of the class.
        guard case .reference = part.plan.shape else { return text(part.value, part.plan, depth + 1) }
        return unwrapped(part.value).map { reference($0 as AnyObject) } ?? "nil"
    }
}
