// Room:   AmberReadable / Mapping. Names of properties as keys of a JSON that others made.
// Takes:  a property's name. Gives: its key.
// Touches: nothing.

/// How properties without a rule of their own are named in mapped JSON.
///
/// Keys of dictionaries are data, and are left as they are.
public enum JSONNaming: Sendable, Hashable {
    /// As in the source: `userName`.
    case asWritten
    /// Words in lower case, joined by underscores: `userName` is `user_name`, `imageURL` is `image_url`.
    case snakeCase
    /// Words in lower case, joined by hyphens: `userName` is `user-name`.
    case kebabCase
    /// With a capital at the front: `userName` is `UserName`.
    case capitalized

    func key(for property: String) -> String {
        switch self {
        case .asWritten: property
        case .snakeCase: Self.words(property, "_")
        case .kebabCase: Self.words(property, "-")
        case .capitalized: property.prefix(1).uppercased() + property.dropFirst()
        }
    }

    private static func words(_ name: String, _ joint: Character) -> String {
        var result = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isUppercase else {
                result.append(character)
                continue
            }
            // A word begins at a capital after a small letter or digit, or before a small letter.
            let follows = index > 0 && !characters[index - 1].isUppercase && characters[index - 1] != "_"
            let leads = index + 1 < characters.count && characters[index + 1].isLowercase
            if index > 0, follows || (leads && characters[index - 1] != "_") { result.append(joint) }
            result += character.lowercased()
        }
        return result
    }
}
