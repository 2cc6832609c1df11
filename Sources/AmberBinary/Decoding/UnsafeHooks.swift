// Room:   AmberBinary / Decoding. The models' own code, called when everything is in place.
// Takes:  objects and structs that are filled. Gives: what their hooks make of them, or their error.
// Touches: the values that hooks are called on.
//
// Invariants
// 1. A hook is called on an initialised value at its final address, after all objects are filled.

internal import AmberModel

extension GraphReader {
    func callHook(_ pool: InstancePool, _ index: Int) throws(DecodingFailure) {
        do {
            try unsafe pool.plan.model.didDecode(object: pool.objects[index])
        } catch {
            throw DecodingFailure(hook: error, of: pool.plan.name, at: path(pool, index))
        }
    }

    func validate(_ pool: InstancePool, _ index: Int) throws(DecodingFailure) {
        do {
            try unsafe pool.plan.model.validate(object: pool.objects[index])
        } catch {
            throw DecodingFailure(hook: error, of: pool.plan.name, at: path(pool, index))
        }
    }

    func path(_ pool: InstancePool, _ index: Int) -> CodingPath {
        CodingPath([.object(type: pool.plan.name, number: pool.firstNumber + index)])
    }

    /// Calls `didDecode()` on structs: at once, or when all objects are filled if they refer to some.
    mutating func callHooks(_ rows: Rows, _ offset: Int, _ fields: FieldsPlan, _ plan: ValuePlan)
        throws(DecodingFailure)
    {
        guard let model = fields.model, model.isToldOfDecoding else { return }
        let name = fields.typeName
        guard plan.reachesObjects || plan.mayWait else { return try Self.callHooks(rows, offset, model, name) }
        waiting.append { try Self.callHooks(rows, offset, model, name) }
    }

    /// Calls `didDecode()` on the structs inside plain structs, which were not read one by one: the inner before the outer.
    mutating func callInnerHooks(_ rows: Rows, _ offset: Int, _ fields: FieldsPlan) throws(DecodingFailure) {
        for step in fields.steps {
            guard let destination = step.destination else { continue }
            var plan = destination.plan
            while case .wrapped(let payload, _) = plan.action { plan = payload }
            guard case .structure(let inner, _) = plan.action else { continue }
            do throws(DecodingFailure) {
                try callInnerHooks(rows, offset + destination.offset, inner)
                try callHooks(rows, offset + destination.offset, inner, plan.target)
            } catch {
                throw error.within(.property(step.name))
            }
        }
    }

    private static func callHooks(
        _ rows: Rows, _ offset: Int, _ model: ModelAccess, _ name: String
    ) throws(DecodingFailure) {
        for index in 0..<rows.count where model.isToldOfDecoding {
            do { try unsafe model.tellOfDecoding(at: rows.address(index, offset)) } catch {
                throw DecodingFailure(hook: error, of: name)
            }
        }
    }
}
