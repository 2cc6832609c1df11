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

extension DynamicValue: CustomStringConvertible {
    /// The value as text, and beneath it each object that it reaches, once, under a number, as ``ModelProtocol/graphDescription`` has it.
    ///
    /// - Complexity: O(*n*) in the objects and values.
    public var description: String {
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
        writeObjects()
    }

    mutating func write(_ root: DynamicValue) {
        // An object is the first of the list.
        let text = text(root, 0)
        if root.dynamicObject == nil || objects.isEmpty { lines.append(text) }
        writeObjects()
    }

    private mutating func writeObjects() {
        var next = 0
        while next < objects.count, next < Self.limit {
            let object = objects[next]
            next += 1
            lines.append("\(name(of: object))#\(next)")
            writeProperties(of: object)
        }
        if objects.count > next {
            lines.append("… and \(objects.count - next) objects more, or those that they reach.")
        }
    }

    private mutating func writeProperties(of model: Any) {
        if let object = model as? DynamicObject {
            for (name, value) in object.values { lines.append("  \(name): \(text(value, 0))") }
            return
        }
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
        return "\(name(of: object))#\(number)"
    }

    private func name(of object: AnyObject) -> String {
        (object as? DynamicObject)?.className ?? codingName(of: type(of: object))
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

    private mutating func text(_ value: DynamicValue, _ depth: Int) -> String {
        if depth > DecodingLimits().depth { return "…" }
        switch value {
        case .null: return "nil"
        case .some(let inner): return text(inner, depth + 1)
        case .value(let text as String): return text.debugDescription
        case .value(let value):
            return value is any ModelProtocol & AnyObject ? reference(value as AnyObject) : "\(value)"
        case .array(let elements): return "[" + elements.map { text($0, depth + 1) }.joined(separator: ", ") + "]"
        case .dictionary(let pairs):
            if pairs.isEmpty { return "[:]" }
            return "["
                + pairs.map { "\(text($0.key, depth + 1)): \(text($0.value, depth + 1))" }.joined(separator: ", ") + "]"
        case .structure(let structure):
            let fields = structure.values.map { "\($0.name): \(text($0.value, depth + 1))" }
            return "\(structure.typeName ?? "")(\(fields.joined(separator: ", ")))"
        case .enumeration(let item): return ".\(item.name)" + (item.payload.map { "(\(text($0, depth + 1)))" } ?? "")
        case .object(let object): return object.object.map { reference($0) } ?? "nil"
        case .any(let any):
            let text = text(any.value, depth + 1)
            return ["", "Any", "Any?"].contains(any.typeName) ? text : "\(any.typeName) \(text)"
        }
    }
}
