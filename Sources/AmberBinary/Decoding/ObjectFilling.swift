// Room:   AmberBinary / Decoding. The objects of an archive: filled, told, given out or destroyed.
// Takes:  pools of instances. Gives: the same with their properties in place.
// Touches: pools, through their own functions.

internal import AmberModel

extension GraphReader {
    /// Fills the properties of all objects, class by class.
    mutating func fillObjects() throws(DecodingFailure) {
        for index in pools.indices {
            let pool = pools.pools[index]
            pools.setDefaultsAside(index, crew)
            do throws(DecodingFailure) {
                try readObjects(pool)
            } catch {
                pools.restoreDefaults(index)
                throw error
            }
            pools.markFilled(index)
        }
    }

    private mutating func readObjects(_ pool: InstancePool) throws(DecodingFailure) {
        if let slow = pool.fields.slow { return try readSlowObjects(pool, slow) }
        let rows = pool.rows
        // What `init()` left in the other properties stays there.
        let completes = !pool.plan.hasInitializer
        if pool.count < version.rowLimit {
            for index in 0..<pool.count {
                do throws(DecodingFailure) {
                    try readRowFields(into: rows.slice(index..<index + 1), 0, pool.fields, completes: completes)
                } catch {
                    let done = rows.slice(0..<index)
                    pool.fields.destroyFilled(done)
                    if completes { pool.fields.destroyUnfilled(done) }
                    throw error.within(.object(type: pool.plan.name, number: pool.firstNumber + index))
                }
            }
        } else {
            do throws(DecodingFailure) {
                try readColumnFields(into: rows, 0, pool.fields, completes: completes)
            } catch {
                throw error.within(.property(pool.plan.name))
            }
        }
    }

    /// Lets objects give way to others, which every reference to them then means.
    mutating func replaceObjects(_ rows: Rows, _ root: ValuePlan) throws(DecodingFailure) {
        for pool in pools.pools where pool.plan.isReplacedWhenDecoded {
            for index in 0..<pool.count {
                do throws(DecodingFailure) { try replacements.ask(pool.object(index)) } catch {
                    throw DecodingFailure(error.code, at: path(pool, index), error.reason)
                }
            }
        }
        if replacements.isEmpty { return }
        for pool in pools.pools where pool.plan.places.fields.contains(where: \.plan.reachesObjects) {
            for index in 0..<pool.count {
                do throws(DecodingFailure) { try replacements.apply(to: pool.object(index), pool.plan) } catch {
                    throw error.within(.object(type: pool.plan.name, number: pool.firstNumber + index))
                }
            }
        }
        try replacements.apply(to: rows, root)
    }

    /// Calls `didDecode()` on every object whose class has one, then `validate()`.
    func callHooks() throws(DecodingFailure) {
        for pool in pools.pools where pool.plan.model.hasDidDecode {
            for index in 0..<pool.count where pool.plan.model.hasDidDecode && !isReplaced(pool, index) {
                try callHook(pool, index)
            }
        }
        for pool in pools.pools where pool.plan.model.isValidated {
            for index in 0..<pool.count where !isReplaced(pool, index) { try validate(pool, index) }
        }
    }

    private func isReplaced(_ pool: InstancePool, _ index: Int) -> Bool {
        !replacements.isEmpty && replacements[pool.object(index)] != nil
    }

    /// Gives the objects out.
    mutating func releaseObjects() { pools.release() }

    /// Lets go of the objects after models' own code has seen them.
    mutating func abandonObjects() { pools.abandon() }

    /// Destroys the objects.
    mutating func discardObjects() { pools.discard() }
}
