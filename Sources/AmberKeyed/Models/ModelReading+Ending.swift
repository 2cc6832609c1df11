// Room:   AmberKeyed / Models. The end of reading: the models' own code is called, and everything is given out or let go.
// Takes:  instances that are complete. Gives: the root as the models left it.
// Touches: instances through AmberModel alone; the slots of those that gave way to others.

import AmberModel

extension ModelReader {
    /// Lets the models' own code see what was made; gives the root as it is then.
    func callHooks(_ root: Any?, _ plan: ValuePlan?) throws(KeyedFailure) -> Any {
        let made = queue
        queue.removeAll()
        filled = 0
        makings.removeAll()
        // All are whole: from here on they live as long as somebody holds them.
        for making in made { making.builder.handOver() }
        for making in made { try telling(making) { try $0.setComputed() } }
        var root: Any = root as Any
        for making in made where making.builder.plan.isReplacedWhenDecoded {
            try telling(making) { try replacements.ask($0.unfinished) }
        }
        if !replacements.isEmpty {
            root = try apply(replacements, to: made, root, plan)
            for making in made {
                guard let new = replacements[making.builder.unfinished] else { continue }
                coder.slots[Int(making.number)].object = new
            }
        }
        resolveUnknown(made)
        if hasUntoldStructs {
            var telling = Replacements()
            telling.tellsStructs = true
            root = try apply(telling, to: made, root, plan)
            hasUntoldStructs = false
        }
        let kept = replacements.isEmpty ? made : made.filter { replacements[$0.builder.unfinished] == nil }
        for making in kept { try telling(making) { try $0.didDecode() } }
        for making in kept where making.builder.plan.model.isValidated { try telling(making) { try $0.validate() } }
        return root
    }

    private func apply(
        _ changes: Replacements, to made: [Making], _ root: Any, _ plan: ValuePlan?
    ) throws(KeyedFailure) -> Any {
        for making in made {
            try telling(making) { try changes.apply(to: $0.unfinished, $0.plan) }
        }
        guard let plan else { return root }
        do { return try changes.applied(to: root, plan) ?? root } catch { throw failure(error) }
    }

    /// Runs a model's own code on one instance.
    private func telling(_ making: Making, _ body: (InstanceBuilder) throws -> Void) throws(KeyedFailure) {
        do { try body(making.builder) } catch {
            let name = making.builder.plan.name
            throw failure(
                error is DecodingFailure ? error : DecodingFailure(hook: error, of: name), or: .codingFailed)
        }
    }
}
