// Room:   AmberReadable / Writing. Objects that are archived as others, or by code of their own: asked once, the same everywhere in a document.
// Takes:  objects that are met. Gives: what is written for each.
// Touches: the models' own code.

internal import AmberModel

/// What stands for objects in one document.
final class ArchivedObjects {
    private enum Way {
        case itself, replaced, record
    }

    /// Replacements by the originals, which are held so that no address is used twice.
    private var replaced: [ObjectIdentifier: (original: AnyObject, replacement: AnyObject)] = [:]
    private var classes: [ObjectIdentifier: Way] = [:]
    private let foreign = ForeignWriter(isDeterministic: true)
    private var lastPlain: ObjectIdentifier?

    /// The object that is archived for one: most often itself.
    func archived(_ object: AnyObject) throws(EncodingFailure) -> AnyObject {
        let type = ObjectIdentifier(type(of: object))
        if type == lastPlain { return object }
        let way = classes[type] ?? Self.way(Swift.type(of: object))
        classes[type] = way
        switch way {
        case .itself:
            lastPlain = type
            return object
        case .record:
            guard let record = try record(of: object) else {
                throw EncodingFailure(
                    .unsupportedType,
                    "A \(codingName(of: Swift.type(of: object))) gives nothing as its replacement, where an object is needed."
                )
            }
            return record
        case .replaced: break
        }
        if let known = replaced[ObjectIdentifier(object)] { return known.replacement }
        let replacement = try end(of: object)
        replaced[ObjectIdentifier(object)] = (object, replacement)
        return replacement
    }

    private static func way(_ type: AnyClass) -> Way {
        if type is any ReplacedWhenEncoded.Type { return .replaced }
        // Wrappers' classes have plans of their own.
        return ForeignClasses.isForeign(type) ? .record : .itself
    }

    /// What an object that is no model consists of, or the model that stands for it; `nil` if it asks for nothing.
    func record(of object: AnyObject) throws(EncodingFailure) -> AnyObject? {
        guard let found = try foreign.standIn(for: object) else { return nil }
        return found is DynamicObject ? found : try archived(found)
    }

    /// Follows replacements of replacements.
    private func end(of object: AnyObject) throws(EncodingFailure) -> AnyObject {
        var current = object
        for _ in 0...16 {
            guard let model = current as? any ReplacedWhenEncoded else { return current }
            let next: AnyObject
            do { next = try model.replacementWhenEncoded() } catch {
                throw EncodingFailure(
                    .rejectedByHook,
                    "`replacementWhenEncoded()` of \(codingName(of: type(of: current))) threw: \(error)")
            }
            if next === current { return current }
            // Those on the way are met by themselves perhaps: they keep their addresses until the end.
            onTheWay.append(current)
            current = next
        }
        throw EncodingFailure(
            .rejectedByHook, "Replacements of a \(codingName(of: type(of: object))) are replaced without end.")
    }

    private var onTheWay: [AnyObject] = []
}
