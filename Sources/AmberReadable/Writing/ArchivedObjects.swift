// Room:   AmberReadable / Writing. Objects that are archived as others: asked once, the same everywhere in a document.
// Takes:  objects that are met. Gives: what is written for each.
// Touches: the models' own code.

internal import AmberModel

/// What stands for objects in one document.
final class ArchivedObjects {
    /// Replacements by the originals, which are held so that no address is used twice.
    private var replaced: [ObjectIdentifier: (original: AnyObject, replacement: AnyObject)] = [:]
    private var classes: [ObjectIdentifier: Bool] = [:]
    private var lastPlain: ObjectIdentifier?

    /// The object that is archived for one: most often itself.
    func archived(_ object: AnyObject) throws(EncodingFailure) -> AnyObject {
        let type = ObjectIdentifier(type(of: object))
        if type == lastPlain { return object }
        let isReplaced: Bool
        if let known = classes[type] {
            isReplaced = known
        } else {
            isReplaced = Swift.type(of: object) is any ReplacedWhenEncoded.Type
            classes[type] = isReplaced
        }
        guard isReplaced else {
            lastPlain = type
            return object
        }
        if let known = replaced[ObjectIdentifier(object)] { return known.replacement }
        let replacement = try end(of: object)
        replaced[ObjectIdentifier(object)] = (object, replacement)
        return replacement
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
