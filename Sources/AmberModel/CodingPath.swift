// Room:   AmberModel. Where in a graph something is.
// Takes:  steps, the innermost first, added while an error passes outwards. Gives: text such as `boss.friends[3].age`.
// Touches: nothing.

/// The way from the root of an archive to a value: property names, indexes and keys.
public struct CodingPath: Sendable, Equatable, CustomStringConvertible {
    /// One step of a path.
    public enum Step: Sendable, Equatable {
        /// A property of a model, or a label of a tuple or enum case.
        case property(String)
        /// An element of a sequence.
        case index(Int)
        /// An object, by its type and its number in the archive.
        case object(type: String, number: Int)
    }

    /// The steps from the root inwards.
    public var steps: [Step]

    /// Makes a path of `steps`, from the root inwards.
    ///
    /// - Parameter steps: The steps; none for the root itself.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The path as one would write it in Swift; empty for the root.
    ///
    /// Of a path of more than 32 steps, those in the middle are left out.
    public var description: String {
        guard steps.count > 32 else { return Self.text(of: steps[...]) }
        let left = steps.count - 24
        return "\(Self.text(of: steps.prefix(12)))…(\(left) steps)…\(Self.text(of: steps.suffix(12)))"
    }

    private static func text(of steps: ArraySlice<Step>) -> String {
        var text = ""
        for step in steps {
            switch step {
            case .property(let name): text += text.isEmpty ? name : "." + name
            case .index(let index): text += "[\(index)]"
            case .object(let type, let number): text += "\(type)#\(number)"
            }
        }
        return text
    }
}
