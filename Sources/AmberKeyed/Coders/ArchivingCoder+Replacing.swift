// Room:   AmberKeyed / Coders. Models that say what is archived in their place.
// Takes:  a model. Gives: what is written for it, through replacements of replacements.
// Touches: the model's own code.

import AmberModel
import Foundation

extension ArchivingCoder {
    /// What is archived for a model that says so itself, through replacements of replacements.
    func replacement(of model: any ReplacedWhenEncoded) -> AnyObject? {
        var current: AnyObject = model
        for _ in 0...16 {
            guard let next = current as? any ReplacedWhenEncoded else { return current }
            do {
                let replacement: AnyObject = try next.replacementWhenEncoded()
                if replacement === current { return current }
                hold(current)
                current = replacement
            } catch {
                fail(.codingFailed, "replacementWhenEncoded() of \(type(of: current)) threw \(error).")
                return nil
            }
        }
        fail(.codingFailed, "Replacements of a \(type(of: model)) are replaced without end.")
        return nil
    }
}
