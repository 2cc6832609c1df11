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

    /// Calls `didDecode()` on every object whose class has one.
    func callHooks() throws(DecodingFailure) {
        for pool in pools.pools where pool.plan.model.hasDidDecode {
            for index in 0..<pool.count where pool.plan.model.hasDidDecode {
                try callHook(pool, index)
            }
        }
    }

    /// Gives the objects out.
    mutating func releaseObjects() { pools.release() }

    /// Lets go of the objects after models' own code has seen them.
    mutating func abandonObjects() { pools.abandon() }

    /// Destroys the objects.
    mutating func discardObjects() { pools.discard() }
}
