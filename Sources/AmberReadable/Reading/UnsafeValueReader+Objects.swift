// Room:   AmberReadable / Reading. Objects: found or made, filled, told.
// Takes:  nodes. Gives: instances whose fields are read one object after the other.
// Touches: Instances.
//
// Invariants: those of UnsafeInstances.

internal import AmberModel

/// Values that an object gets at the end.
struct LooseValues {
    var instance: Int
    var className: String
    var version: Int
    var values: ArchivedValues
}

extension ValueReader {
    /// The instance of an object's node: the one that was made for it, or a new one of a class that `base` allows.
    mutating func instance(_ given: Int, _ base: AnyClass?) throws(DecodingFailure) -> AnyObject {
        guard case .node(let node) = try aliased(given) else { throw mismatch(given, base ?? DynamicObject.self) }
        if let known = instances.number(of: node) {
            let object = instances[known].object
            guard base.map({ isInstance(object, of: $0) }) ?? true else {
                throw failure(
                    .typeMismatch, given,
                    "A \(instances[known].text.plan.name) was found where \(base.map { self.name(of: $0) } ?? "") is expected."
                )
            }
            return object
        }
        guard document.kind(node) == .object else { throw mismatch(node, base ?? DynamicObject.self) }
        let text = try textClass(node, base)
        guard let number = instances.make(text, node: node, nodes: document.count) else {
            throw failure(.unsupportedType, node, "`init()` of \(text.plan.name) gave an object of another class.")
        }
        budget -= text.plan.instanceSize / 16 + 2
        if budget < 0 {
            throw failure(.limitExceeded, node, "The document expands to more values than the limits allow.")
        }
        return instances[number].object
    }

    /// The class of an object's node.
    private mutating func textClass(_ node: Int, _ base: AnyClass?) throws(DecodingFailure) -> TextClass {
        let name = rules.isReadable ? document.child(node, marker: "$class") : nil
        let noted = name == nil && !foreign.names.isEmpty ? foreign.names[node] : nil
        let type: AnyClass
        if let text = name.map({ document.string($0) }) ?? noted, base == nil || base != DynamicObject.self as AnyClass,
            !rules.makesDynamicObjects
        {
            if let name, !isText(name) { throw failure(.corrupt, name, "`$class` is no text.") }
            let name = name ?? node
            if let found = ClassLookup.type(named: text, expected: base, rules) {
                if let base, !isSubclass(found, of: base) {
                    throw failure(
                        .typeMismatch, name, "The class \(text) is no \(self.name(of: base)), which is expected.")
                }
                type = found
            } else if base == nil {
                type = DynamicObject.self
            } else {
                if let other = TypeNames.type(named: text) {
                    throw failure(
                        .typeMismatch, name,
                        "\(self.name(of: other)) is no \(base.map { self.name(of: $0) } ?? ""), which is expected.")
                }
                throw failure(
                    .unknownType, name,
                    "The class \(text.prefix(60)) is not in this program, and \(base.map { self.name(of: $0) } ?? "") is expected. If a "
                        + "class has that name by its rules, make it known before: `ReadableDecoder.register`. Otherwise map the name: "
                        + "`classNames`.")
            }
        } else if let chosen = try chosenClass(node, base) {
            type = chosen
        } else {
            type = base ?? DynamicObject.self
        }
        do throws(SchemaFailure) { return try schema.plan(for: type) } catch { throw DecodingFailure(error) }
    }

    // MARK: Filling

    /// Fills all objects, those too that are met on the way, and puts everything in place.
    mutating func fill() throws(DecodingFailure) {
        while true {
            while filled < instances.count {
                filled += 1
                do throws(DecodingFailure) { try fill(filled - 1) } catch {
                    throw located(error, instances[filled - 1].node)
                }
            }
            if !foreign.late.isEmpty {
                try makeLateRecords()
                continue
            }
            instances.commit()
            prepareForeign()
            // Objects that nothing hashes before others; then inner ones first: outer ones may look at them when they are hashed.
            guard let next = foreign.nextField() ?? deferred.popLast() else { return }
            let field = instances[next.instance].text.fields.fields[next.field]
            let fresh = unsafe TemporaryValues(field.text.plan.witnesses, count: 1)
            isFinal = true
            defer { isFinal = false }
            do throws(DecodingFailure) { try unsafe read(next.node, field.text, at: fresh.base) } catch {
                throw located(error.within(.property(field.field.name)), instances[next.instance].node)
            }
            fresh.initialized = 1
            instances.replace(next.instance, field, by: fresh)
        }
    }

    /// A failure in an object, seen from the root of the document.
    func located(_ error: DecodingFailure, _ node: Int) -> DecodingFailure {
        let steps = document.steps(to: node, from: origin ?? (rules.isReadable ? rootNode : 0))
        return DecodingFailure(
            error.code, at: CodingPath(steps + error.path.steps), offset: error.offset, position: error.position,
            error.reason)
    }

    private mutating func fill(_ number: Int) throws(DecodingFailure) {
        let instance = instances[number]
        let (plan, fields) = (instance.text.plan, instance.text.fields)
        if plan.type == DynamicObject.self as AnyClass {
            let (name, values) = try recordValues(instance.node)
            loose.append(
                LooseValues(
                    instance: number, className: name, version: try version(instance.node), values: values))
            return
        }
        var node = instance.node
        if rules.isReadable, document[node].hasMarker || fields.version != 0 {
            node = try migrated(node, plan.name, plan.version, plan.migrations, fields)
        }
        var set = FieldSet()
        do throws(DecodingFailure) {
            try unsafe readFields(
                node, fields, at: instance.base, isInitialized: false, instance: number, &set)
            if !instance.isWhole { try completeInstance(node, fields, instance, number, &set) }
        } catch {
            instances.update(number, set, isComplete: false)
            throw error
        }
        instances.update(number, set, isComplete: true)
        if plan.unknownProperties != nil {
            let values = try unknownValues(node, fields)
            if values.count > 0 {
                loose.append(LooseValues(instance: number, className: "", version: 0, values: values))
            }
        }
    }

    private mutating func completeInstance(
        _ node: Int, _ fields: TextFields, _ instance: ReadInstance, _ number: Int, _ set: inout FieldSet
    ) throws(DecodingFailure) {
        for (index, field) in fields.fields.enumerated()
        where !field.field.ownership.isStrong && !set.contains(index) && field.field.canBeNil {
            instances.setWeak(number, index, nil)
            set.insert(index)
        }
        try unsafe complete(node, fields, at: instance.base, &set)
    }
}
