// Room:   AmberReadable / Writing. Objects: written where they are met first, referred to from everywhere else.
// Takes:  objects. Gives: their fields, or `$alias` and the place of the first.
// Touches: instances through their plans.
//
// Invariants: those of UnsafeValueWriter.

internal import AmberModel

extension ValueWriter where Sink: ~Copyable {
    /// Writes an object, or the place where it is written. `expected` is the class that a reader takes it for.
    mutating func write(_ original: AnyObject, expected: AnyClass?) throws(EncodingFailure) {
        let object = try archived.archived(original)
        if rules.isRank { return nesting == 0 ? try writeInline(object, expected) : sink.null() }
        let address = UInt(bitPattern: unsafe objectAddress(object))
        guard rules.usesAliases else { return try writeTree(object, address, expected) }
        if let number = table.find(address, orInsert: objects.count) { return writeAlias(number, expected) }
        if isConditional, try !isHeld(object) {
            // Nothing refers to the number: the object is not written.
            objects.append(object)
            places.append(-2)
            expectations.append(nil)
            return writeNull()
        }
        objects.append(object)
        guard nesting < rules.nestingLimit else {
            let place = paths.addObject(waiting.count)
            places.append(place)
            expectations.append(nil)
            waiting.append(object)
            return writeAlias(objects.count - 1, expected)
        }
        places.append(paths.keep())
        expectations.append(expected)
        try writeInline(object, expected)
    }

    /// Writes an object whose copies are objects of their own when they are read.
    private mutating func writeTree(
        _ object: AnyObject, _ address: UInt, _ expected: AnyClass?
    ) throws(EncodingFailure) {
        objects.append(object)
        guard active.insert(address).inserted else {
            if isConditional, !rules.isReadable { return writeNull() }
            throw EncodingFailure(
                .cycle,
                "The graph refers back to a \(codingName(of: type(of: object))) that is being written. Write it with aliases, or "
                    + "leave the property out.")
        }
        defer { active.remove(address) }
        if isConditional, try !isHeld(object) { return writeNull() }
        guard nesting < rules.nestingLimit * 2 else {
            throw EncodingFailure(
                .tooDeep, "Objects are nested more than \(rules.nestingLimit * 2) deep. Write them with aliases.")
        }
        try writeInline(object, expected)
    }

    private mutating func writeAlias(_ number: Int, _ expected: AnyClass?) {
        let place = places[number]
        if place == -2 { return writeNull() }
        sink.beginObject()
        if let name = nameForAlias(number, expected) {
            sink.key(Marker.typeKey)
            sink.string(name)
        }
        sink.key(Marker.aliasKey)
        sink.string(paths.text(of: place))
        sink.endObject()
    }

    /// Writes what a weak or unowned field refers to.
    mutating func write(
        weak original: AnyObject?, _ field: borrowing TextField, _ omitsNil: Bool
    ) throws(EncodingFailure) {
        var object = original
        if let original { object = try archived.archived(original) }
        var base: AnyClass?
        switch field.text.kind {
        case .reference(let reference): base = reference.base
        case .dynamic(let dynamic): base = dynamic.base
        default: break
        }
        if isConditional, let object, !rules.isReadable,
            active.contains(UInt(bitPattern: unsafe objectAddress(object)))
        {
            return
        }
        if rules.isRank { return }
        var isWritten = object != nil
        if isWritten, isConditional, let object { isWritten = try isHeld(object) }
        guard let object, isWritten else {
            if object != nil, !field.field.canBeNil {
                throw EncodingFailure(
                    .unheldReference,
                    "The object is held by nothing else in the document. Hold it strongly, or make the rule `unconditional`."
                )
            }
            if omitsNil { return }
            sink.key(field.key)
            return writeNull()
        }
        sink.key(field.key)
        try write(object, expected: base)
    }

    /// Whether something holds an object unconditionally.
    private mutating func isHeld(_ object: AnyObject) throws(EncodingFailure) -> Bool {
        if held == nil {
            guard let root = unsafe root, let rootPlan else { return true }
            held = try unsafe HeldObjects(root, rootPlan, archived, told: objects)
        }
        return held?.contains(object) ?? true
    }

    func textClass(of object: AnyObject) throws(EncodingFailure) -> TextClass {
        let type: AnyClass = Swift.type(of: object)
        do throws(SchemaFailure) { return try schema.plan(for: type) } catch { throw EncodingFailure(error) }
    }

    private mutating func writeInline(_ object: AnyObject, _ expected: AnyClass?) throws(EncodingFailure) {
        let type: AnyClass = Swift.type(of: object)
        if type == DynamicObject.self, let dynamic = object as? DynamicObject {
            return try write(dynamic: dynamic, expected)
        }
        let known: TextClass
        if let last = lastClass, last.plan.type == type {
            known = last
        } else if let found = classes[ObjectIdentifier(type)] {
            known = found
        } else {
            known = try textClass(of: object)
            classes[ObjectIdentifier(type)] = known
        }
        lastClass = known
        let plan = known.plan
        if plan.model.hasWillEncode, !rules.isRank, held?.wasTold(object) != true {
            do { try plan.willEncode(object) } catch {
                throw EncodingFailure(
                    .rejectedByHook, at: CodingPath([.property(plan.name)]), "`willEncode()` threw: \(error)")
            }
        }
        let (outerDepth, wasConditional, wasInRecord) = (depth, isConditional, isInRecord)
        depth = 0
        isConditional = false
        isInRecord = false
        nesting += 1
        defer {
            depth = outerDepth
            isConditional = wasConditional
            isInRecord = wasInRecord
        }
        sink.beginObject()
        if rules.isReadable {
            if expected != type || isRootStructure || rules.namesModels {
                sink.key(Marker.typeKey)
                sink.string(plan.name)
            }
            if plan.version != 0 {
                sink.key(Marker.versionKey)
                sink.integer(Int64(plan.version))
            }
        }
        isRootStructure = false
        if known.fields.mapping != nil { writtenType = type as? any ModelProtocol.Type }
        let base = unsafe UnsafeRawPointer(objectAddress(object))
        let omitsNil = rules.omitsNil || (!traits.hasNull && !plan.hasInitializer)
        try unsafe writeFields(base, known.fields, omitsNil: omitsNil)
        if let unknown = unsafe plan.unknownProperties(of: objectAddress(object)) {
            try write(unknown: unknown.values, known.fields)
        }
        withExtendedLifetime(object) {}
        nesting -= 1
        if nesting == 0 { try writeWaiting(inObject: true) }
        sink.endObject()
    }

    /// Writes what the class doesn't know and the object keeps.
    private mutating func write(unknown values: ArchivedValues, _ fields: TextFields) throws(EncodingFailure) {
        for (name, value) in values
        where fields.indices[name] == nil && fields.mapping?.knownKeys.contains(name) != true {
            try write(named: name, value)
        }
    }

    /// Writes a property without a Swift type.
    mutating func write(named name: String, _ value: DynamicValue) throws(EncodingFailure) {
        let key = rules.isReadable ? Marker.escaped(property: name) : name
        sink.key(text: key)
        paths.push(.key(key))
        defer { paths.pop() }
        do throws(EncodingFailure) { try write(value) } catch { throw error.within(.property(name)) }
    }

    // MARK: The end

    /// Writes the objects that were nested too deeply; `inObject` as a member of the root, else as one of an envelope.
    mutating func writeWaiting(inObject: Bool) throws(EncodingFailure) {
        if waiting.isEmpty { return }
        sink.key(Marker.objectsKey)
        sink.beginArray()
        nesting = 2
        var next = 0
        while next < waiting.count {
            sink.element()
            let object = waiting[next]
            let number = table.number(UInt(bitPattern: unsafe objectAddress(object))) ?? 0
            let place = paths.move(to: places[number])
            do throws(EncodingFailure) { try writeInline(object, nil) } catch {
                throw error.within(.index(next)).within(.property(Marker.objects))
            }
            _ = paths.move(to: place)
            next += 1
        }
        waiting = []
        nesting = 0
        sink.endArray()
    }
}

/// The objects that a graph holds unconditionally.
@safe
struct HeldObjects {
    private var addresses: Set<UInt> = []
    /// Objects whose `willEncode()` was called, here or before.
    private var told: Set<UInt> = []
    private var objects: [AnyObject] = []

    /// Walks the graph from its root.
    init(
        _ root: UnsafeRawPointer, _ plan: TextPlan, _ archived: ArchivedObjects, told: [AnyObject]
    ) throws(EncodingFailure) {
        for object in told { self.told.insert(UInt(bitPattern: unsafe objectAddress(object))) }
        var walk = HeldWalk(archived)
        try unsafe walk.visit(root, plan.plan)
        while let object = walk.next() {
            let address = UInt(bitPattern: unsafe objectAddress(object))
            addresses.insert(address)
            let plan: ClassPlan
            do throws(SchemaFailure) { plan = try PlanCache.shared.plan(for: type(of: object)) } catch {
                throw EncodingFailure(error)
            }
            if self.told.insert(address).inserted {
                do { try plan.willEncode(object) } catch {
                    throw EncodingFailure(
                        .rejectedByHook, at: CodingPath([.property(plan.name)]), "`willEncode()` threw: \(error)")
                }
            }
            try walk.visit(object, plan)
        }
        objects = walk.objects
    }

    func contains(_ object: AnyObject) -> Bool { addresses.contains(UInt(bitPattern: unsafe objectAddress(object))) }
    func wasTold(_ object: AnyObject) -> Bool { told.contains(UInt(bitPattern: unsafe objectAddress(object))) }
}
