// Room:   AmberModel / Plan. What is known of a plan only when all plans that it is made of are there.
// Takes:  the plans of a builder. Gives: who reaches objects, which structs are plain memory, the flat steps, the steps of the walk.
// Touches: plans that are not published yet.

extension PlanBuilder {
    /// Computes what needs all plans: who reaches objects, which structs are plain memory.
    func finish() throws(SchemaFailure) {
        var changed = true
        while changed {
            changed = false
            for plan in order where !plan.reachesObjects && plan.shape.reachesObjects {
                plan.reachesObjects = true
                changed = true
            }
            for plan in order where !plan.mayRunCode && plan.shape.mayRunCode {
                plan.mayRunCode = true
                changed = true
            }
            for plan in order where !plan.mayMeetForeign && plan.shape.mayMeetForeign {
                plan.mayMeetForeign = true
                changed = true
            }
            for plan in order where !plan.mayWait && plan.shape.mayWait {
                plan.mayWait = true
                changed = true
            }
        }
        try checkWaiting()
        var walks = WalkBuilder()
        for plan in classes.values {
            plan.walk = walks.steps(of: plan.fields)
            plan.flat = FlatPlan(plan.fields)
        }
        for plan in order {
            guard case .structure(let structure) = plan.shape else { continue }
            structure.walk = walks.steps(of: structure.fields)
            structure.flat = FlatPlan(structure.fields)
            plan.flat = FlatPlan(structure.fields, structure.model)
            structure.isPlain = plan.archivedPlainSize != nil
            structure.plainSize = plan.plainSize
        }
    }
}

extension Shape {
    fileprivate var reachesObjects: Bool {
        switch self {
        case .pending, .scalar, .string, .data, .codable: false
        case .reference, .dynamic: true
        case .optional(let optional): optional.payload.reachesObjects
        case .structure(let structure): structure.fields.contains { $0.plan.reachesObjects }
        case .enumeration(let enumeration): enumeration.cases.contains { $0.payload?.reachesObjects ?? false }
        case .array(let array): array.element.reachesObjects
        case .collection(let collection):
            collection.key.reachesObjects || (collection.value?.reachesObjects ?? false)
        case .bridged(let bridged): bridged.surrogate.reachesObjects
        }
    }
}

extension Shape {
    fileprivate var mayRunCode: Bool {
        switch self {
        case .pending, .scalar, .string, .data, .reference: false
        case .codable, .dynamic, .bridged: true
        case .optional(let optional): optional.payload.mayRunCode
        case .structure(let structure):
            structure.model != nil || structure.fields.contains { $0.plan.mayRunCode }
        case .enumeration(let enumeration): enumeration.cases.contains { $0.payload?.mayRunCode ?? false }
        case .array(let array): array.element.mayRunCode
        case .collection(let collection): collection.key.mayRunCode || (collection.value?.mayRunCode ?? false)
        }
    }
}

extension Shape {
    fileprivate var mayMeetForeign: Bool {
        switch self {
        case .pending, .scalar, .string, .data, .codable, .reference: false
        case .dynamic: true
        case .optional(let optional): optional.payload.mayMeetForeign
        case .structure(let structure): structure.fields.contains { $0.plan.mayMeetForeign }
        case .enumeration(let enumeration): enumeration.cases.contains { $0.payload?.mayMeetForeign ?? false }
        case .array(let array): array.element.mayMeetForeign
        case .collection(let collection):
            collection.key.mayMeetForeign || (collection.value?.mayMeetForeign ?? false)
        case .bridged(let bridged): bridged.surrogate.mayMeetForeign
        }
    }
}

extension Shape {
    fileprivate var mayWait: Bool {
        switch self {
        case .pending, .scalar, .string, .data, .codable, .reference, .dynamic: false
        case .optional(let optional): optional.payload.mayWait
        case .structure(let structure):
            structure.fields.contains { $0.plan.mayWait }
                || (structure.model != nil && structure.fields.contains { $0.plan.reachesObjects })
        case .enumeration(let enumeration): enumeration.cases.contains { $0.payload?.mayWait ?? false }
        case .array(let array): array.element.mayWait
        case .collection(let collection):
            collection.key.reachesObjects || collection.key.mayWait || (collection.value?.mayWait ?? false)
        case .bridged(let bridged): bridged.waits
        }
    }
}

extension ValuePlan {
    /// Whether a value can hold a set of objects, a dictionary with objects as keys, or a value made of objects.
    package var hashesObjects: Bool {
        var seen: Set<ObjectIdentifier> = []
        func look(_ plan: ValuePlan) -> Bool {
            guard plan.mayWait, seen.insert(ObjectIdentifier(plan)).inserted else { return false }
            switch plan.shape {
            case .optional(let optional): return look(optional.payload)
            case .structure(let structure):
                // What sets a computed property may look at all others.
                if structure.fields.contains(where: \.isComputed),
                    structure.fields.contains(where: { $0.plan.reachesObjects })
                {
                    return true
                }
                return structure.fields.contains { look($0.plan) }
            case .enumeration(let enumeration): return enumeration.cases.contains { $0.payload.map(look) ?? false }
            case .array(let array): return look(array.element)
            case .collection(let collection):
                return collection.key.reachesObjects || (collection.value.map(look) ?? false)
            case .bridged(let bridged):
                switch bridged.reason {
                case .type, .transformed: return bridged.surrogate.reachesObjects && plan.type != DynamicCase.self
                case .checked, .computed: return look(bridged.surrogate)
                }
            case .pending, .scalar, .string, .data, .codable, .reference, .dynamic: return false
            }
        }
        return look(self)
    }

    /// Bytes of a value in archives if all its leaves are numbers that take any bits, and they are few enough; else `nil`.
    ///
    /// Readers tell plain structs by this size, which they know from the schema; the size in memory they don't.
    fileprivate var archivedPlainSize: Int? {
        switch shape {
        case .scalar(let kind): return kind.takesAnyBits ? kind.size : nil
        case .structure(let structure):
            if structure.fields.isEmpty { return nil }
            var total = 0
            for field in structure.fields {
                guard field.ownership.isStrong, let size = field.plan.archivedPlainSize else { return nil }
                total += size
                if total > StructurePlan.plainSizeLimit { return nil }
            }
            return total
        case .bridged(let bridged): return bridged.surrogate.archivedPlainSize
        default: return nil
        }
    }

    /// Bytes of a value whose leaves are all plain numbers side by side, or `nil`.
    fileprivate var plainSize: Int? {
        switch shape {
        case .scalar(let kind): return kind.takesAnyBits ? kind.size : nil
        case .structure(let structure):
            guard structure.omitted.isEmpty, !structure.fields.isEmpty else { return nil }
            var end = 0
            for field in structure.fields {
                guard field.offset == end, let size = field.plan.plainSize else { return nil }
                end += size
            }
            return end == size ? end : nil
        default: return nil
        }
    }
}
