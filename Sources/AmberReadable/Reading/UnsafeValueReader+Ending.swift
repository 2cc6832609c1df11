// Room:   AmberReadable / Reading. The end of reading: objects give way to others, the models' own code is called, all is given out.
// Takes:  instances that are whole, and the root value. Gives: both as the models left them; or everything undone.
// Touches: Instances; the root value in its memory.
//
// Invariants
// 1. Those of UnsafeInstances. The root's memory is initialised, before and after, even if something throws.

internal import AmberModel

extension ValueReader {
    /// Puts in place what waited for all objects to be whole, lets objects give way to others, and tells the models.
    /// `root` is the root value, unless it is an object of the program's.
    mutating func finish(_ root: TemporaryValues?, _ text: TextPlan?) throws(DecodingFailure) {
        for (reference, node) in references {
            if let number = instances.number(of: node) { reference.object = instances[number].object }
        }
        let loosened = references.map(\.reference)
        references = []
        for item in computed {
            let field = instances[item.instance].text.fields.fields[item.field]
            guard case .bridged(let bridged, let surrogate) = field.text.kind else { continue }
            isFinal = true
            defer { isFinal = false }
            do throws(DecodingFailure) {
                let copy = try surrogateValue(item.node, surrogate)
                do { try instances.set(bridged, of: item.instance, to: copy) } catch {
                    throw (error as? DecodingFailure)
                        ?? failure(.rejectedByHook, item.node, "The property threw: \(error)")
                }
            } catch {
                throw located(error.within(.property(field.field.name)), instances[item.instance].node)
            }
        }
        computed = []
        for item in loose {
            if let object = instances[item.instance].object as? DynamicObject {
                (object.className, object.version, object.values) = (item.className, item.version, item.values)
            } else {
                instances.keep(item.instance, UnknownProperties(item.values, origin: nil))
            }
        }
        loose = []
        try replace(root, text, loosened)
        try tell(root, text)
        finishForeign(loosened)
        try unowned.check()
        instances.release()
    }

    /// Asks the objects for what stands for them, and changes every reference to those that gave way.
    private mutating func replace(
        _ root: TemporaryValues?, _ text: TextPlan?, _ loosened: [DynamicReference]
    ) throws(DecodingFailure) {
        for number in 0..<instances.count
        where instances[number].text.plan.isReplacedWhenDecoded && !instances[number].isAdopted {
            do throws(DecodingFailure) { try replacements.ask(instances[number].object) } catch {
                let node = instances[number].node
                throw located(failure(error.code, node, error.reason), node)
            }
        }
        guard !replacements.isEmpty else { return }
        try apply(replacements, root, text)
        for reference in loosened {
            if let object = reference.object, let new = replacements[object] { reference.object = new }
        }
    }

    /// Calls the hooks: of structs that refer to objects, then of objects; `validate()` after all `didDecode()`.
    private mutating func tell(_ root: TemporaryValues?, _ text: TextPlan?) throws(DecodingFailure) {
        if hasUntoldStructs {
            var telling = Replacements()
            telling.tellsStructs = true
            try apply(telling, root, text)
            hasUntoldStructs = false
        }
        func each(_ body: (ClassPlan, AnyObject) throws -> Void) throws(DecodingFailure) {
            for number in 0..<instances.count {
                let instance = instances[number]
                let plan = instance.text.plan
                guard plan.model.isToldOfDecoding, replacements[instance.object] == nil else { continue }
                do { try body(plan, instance.object) } catch {
                    throw located(rejected(error, plan.name, instance.node), instance.node)
                }
            }
        }
        try each { try $0.didDecode($1) }
        try each { try unsafe $0.model.validate(object: objectAddress($1)) }
    }

    private func apply(
        _ changes: Replacements, _ root: TemporaryValues?, _ text: TextPlan?
    ) throws(DecodingFailure) {
        for number in 0..<instances.count {
            let instance = instances[number]
            do throws(DecodingFailure) { try changes.apply(to: instance.object, instance.text.plan) } catch {
                throw placed(located(error, instance.node), instance.node)
            }
        }
        guard let root, let text else { return }
        let rows = unsafe Rows(base: root.base, stride: 0, count: 1)
        do throws(DecodingFailure) { try changes.apply(to: rows, text.plan) } catch {
            throw placed(error, rules.isReadable ? rootNode : 0)
        }
    }

    /// A failure without a place in the source, at a node.
    private func placed(_ error: DecodingFailure, _ node: Int) -> DecodingFailure {
        let place = failure(error.code, node, error.reason)
        return DecodingFailure(
            error.code, at: error.path, offset: place.offset, position: place.position, error.reason)
    }

    /// Undoes everything.
    mutating func abandon() {
        loose = []
        abandonForeign()
        references = []
        instances.discard()
    }
}
