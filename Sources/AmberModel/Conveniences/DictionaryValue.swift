// Room:   AmberModel / Conveniences. Models to dictionaries and back.
// Takes:  a model; or a dictionary by names of properties. Gives: the other.
// Touches: instances through their plans.

internal import Foundation

extension ModelProtocol {
    /// All properties that aren't `nil`, by their names in the source; nested models are there as they are.
    ///
    /// Properties that the rules keep out of ``ModelRules/Destinations/dictionary`` are left out, computed ones are there.
    ///
    /// - Throws: ``DecodingFailure`` when the type can't be archived, or a computed property throws.
    /// - Complexity: O(*n*) in the number of properties.
    public var dictionaryValue: [String: Any] {
        get throws(DecodingFailure) {
            do {
                var values: [String: Any] = [:]
                for part in try ModelParts.of(self, to: .dictionary) {
                    values[part.field.sourceName] = part.value.flatMap { unwrapped($0) }
                }
                return values
            } catch { throw DecodingFailure(any: error) }
        }
    }

    /// The names of all properties that ``dictionaryValue`` can hold, superclass first.
    ///
    /// - Throws: ``DecodingFailure`` when the type can't be archived.
    public static var propertyKeys: [String] {
        get throws(DecodingFailure) {
            do { return try ModelParts.fields(of: self, to: .dictionary).map(\.sourceName) } catch {
                throw DecodingFailure(any: error)
            }
        }
    }

    /// Makes an instance of a dictionary by the names of properties.
    ///
    /// Numbers and texts are converted where that is exact: `5` and `"5"` fill a Double, `5.5` fills no Int. Dictionaries
    /// become nested models and, with the name of a case as their only key, cases of enums with payloads; arrays become arrays, sets
    /// and tuples; texts become cases of enums, URLs, UUIDs, decimals, dates (ISO 8601) and data (base64). What the dictionary doesn't have
    /// stays as `init()` makes it, or gets its default; what the type doesn't have is passed over. The instance is
    /// validated if it is a ``ValidatedModel``.
    ///
    /// - Parameter dictionary: Values by the names of properties in the source, in archives, or in older archives.
    /// - Returns: The instance.
    /// - Throws: ``DecodingFailure`` with the path of what doesn't fit.
    /// - Complexity: O(*n*) in the values.
    public static func instance(from dictionary: [String: Any]) throws(DecodingFailure) -> Self {
        let made: Any
        do { made = try DictionaryReader().model(dictionary, self) } catch { throw DecodingFailure(any: error) }
        guard let model = made as? Self else {
            throw DecodingFailure(.typeMismatch, "The dictionary is not one of a \(codingName(of: self)).")
        }
        return model
    }

    /// Makes an instance of a dictionary; `nil` and `NSNull` give `nil`, and an instance gives itself.
    ///
    /// - Parameter object: A dictionary, an instance, `NSNull` or `nil`.
    /// - Returns: The instance, or `nil`.
    /// - Throws: ``DecodingFailure`` with the path of what doesn't fit.
    /// - Complexity: O(*n*) in the values.
    public static func instance(from object: Any?) throws(DecodingFailure) -> Self? {
        guard let object, let value = unwrapped(object), !isNull(value) else { return nil }
        if let model = value as? Self { return model }
        guard let dictionary = value as? [String: Any] else {
            throw DecodingFailure(
                .typeMismatch, "A \(codingName(of: type(of: value))) was found where a dictionary is expected.")
        }
        return try instance(from: dictionary)
    }

    /// Makes instances of an array of dictionaries; what is `nil` or `NSNull` is left out.
    ///
    /// - Parameter objects: Dictionaries or instances.
    /// - Returns: The instances, in order.
    /// - Throws: ``DecodingFailure`` with the index and path of what doesn't fit.
    /// - Complexity: O(*n*) in the values.
    public static func instances(from objects: [Any?]) throws(DecodingFailure) -> [Self] {
        var result: [Self] = []
        for (index, object) in objects.enumerated() {
            do throws(DecodingFailure) {
                if let instance = try instance(from: object) { result.append(instance) }
            } catch { throw error.within(.index(index)) }
        }
        return result
    }
}
