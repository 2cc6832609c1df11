// Room:   AmberBinary / Parts. The way to a part of an archive: everything before it is passed over.
// Takes:  which part. Gives: the values of the part, read as the archive has them: in rows or in columns.
// Touches: GraphReader; PartValues.

internal import AmberBytes
internal import AmberModel

/// Which values of an archive are wanted.
enum ArchivePart {
    /// What a path leads to from the root; each step has alternative names.
    case root([[String]])
    /// A property of the root, which is of this type.
    case rootProperty(String, of: Any.Type)
    /// A property of the objects of a class and its subclasses.
    case column(String, of: AnyClass)
    /// A property of the objects of a class with this name in the archive.
    case namedColumn(String, of: String)
}

extension GraphReader {
    /// Reads a part. `values` keeps what is read.
    mutating func readPart(_ part: ArchivePart, _ values: PartValues) throws(DecodingFailure) {
        // Plans of recursive types hold themselves.
        defer { for plan in ownPlans { plan.resolve(.pending) } }
        let outline = try readOutline()
        checksSkipped = false
        var isSeen = false
        do throws(DecodingFailure) {
            if values.plan.reachesObjects { try readAllObjects(outline, part, values) }
            try findPart(part, outline, values)
            try finishForeign(&isSeen)
            isSeen = true
            try finishWaiting()
            try callHooks()
        } catch {
            values.removeAll()
            (waiting, waitingFirst, foreign) = ([], [], nil)
            undoRefills()
            if isSeen { abandonObjects() } else { discardObjects() }
            throw error
        }
        finishRefills()
        releaseObjects()
    }

    /// Makes and fills all objects, and goes back to the root.
    private mutating func readAllObjects(
        _ outline: ArchiveOutline, _ part: ArchivePart, _ values: PartValues
    ) throws(DecodingFailure) {
        if outline.heads.isEmpty { return }
        var candidates: [ClassPlan] = []
        if case .column(_, let type) = part { candidates.append(try classPlan(type)) }
        try makePools(outline.heads, ReadSchema(root: ReadPlan(values.plan), known: [], candidates: candidates))
        try skipRow(outline.root)
        try fillObjects()
        try readEnd()
        input.position = outline.rootPosition
        strings = []
    }

    private func classPlan(_ type: AnyClass) throws(DecodingFailure) -> ClassPlan {
        do throws(SchemaFailure) { return try PlanCache.shared.plan(for: type) } catch { throw DecodingFailure(error) }
    }

    // MARK: Where to

    private mutating func findPart(
        _ part: ArchivePart, _ outline: ArchiveOutline, _ values: PartValues
    ) throws(DecodingFailure) {
        switch part {
        case .root(let path): try readFromRoot(path[...], outline, values)
        case .rootProperty(let name, let type):
            let names = try names(of: name, of: type, outline, values)
            try readFromRoot([names], outline, values)
        case .column(let name, let type):
            let base = try classPlan(type)
            var wanted: [Int: [String]] = [:]
            for (index, head) in outline.heads.enumerated() {
                let definition = outline.definitions[head.definition]
                guard let plan = TypeResolver.classPlan(named: definition.name, preferring: [base]),
                    isSubclass(plan.type, of: type)
                else { continue }
                wanted[index] = try names(
                    of: name, plan.fields, definition, plan.version, plan.migrations, values)
            }
            try readPools(wanted, outline, values)
        case .namedColumn(let name, let className):
            guard
                let index = outline.heads.firstIndex(where: { outline.definitions[$0.definition].name == className })
            else {
                throw DecodingFailure(
                    .unknownType,
                    "The archive has no object of a class \(className). `BinaryArchive.types` lists what it has.")
            }
            try readPools([index: [name]], outline, values)
        }
    }

    /// The names in archives of a property of the root's type.
    private mutating func names(
        of property: String, of type: Any.Type, _ outline: ArchiveOutline, _ values: PartValues
    ) throws(DecodingFailure) -> [String] {
        let plan: ValuePlan
        do throws(SchemaFailure) { plan = try PlanCache.shared.plan(for: type) } catch { throw DecodingFailure(error) }
        if case .structure(let structure) = plan.shape, case .named(let number) = outline.root,
            number < outline.definitions.count
        {
            return try names(
                of: property, structure.fields, outline.definitions[number], structure.version, structure.migrations,
                values)
        }
        if case .reference(let reference) = plan.shape, let head = try rootPool(outline) {
            let definition = outline.definitions[outline.heads[head].definition]
            let base = try classPlan(reference.base)
            let found = TypeResolver.classPlan(named: definition.name, preferring: [base]) ?? base
            return try names(of: property, found.fields, definition, found.version, found.migrations, values)
        }
        throw DecodingFailure(
            .typeMismatch, "The archive's root is \(outline.name(of: outline.root)), not \(codingName(of: type)).")
    }

    private func names(
        of property: String, _ fields: [FieldPlan], _ definition: Definition, _ version: Int, _ migrations: Migrations,
        _ values: PartValues
    ) throws(DecodingFailure) -> [String] {
        if definition.version > version, options.newerModels == .refuse {
            throw DecodingFailure(newer: definition.version, version, definition.name)
        }
        guard !migrations.apply(to: definition.version, below: version) else {
            throw DecodingFailure(
                .newerModel,
                "The archive has version \(definition.version) of \(definition.name), whose properties must be migrated to "
                    + "version \(version) together: decode it whole.")
        }
        guard let field = fields.first(where: { $0.sourceName == property || $0.name == property }) else {
            return [property]
        }
        values.use(field.plan)
        return [field.name] + field.formerNames
    }

    /// The pool of the root, if that is an object.
    private mutating func rootPool(_ outline: ArchiveOutline) throws(DecodingFailure) -> Int? {
        guard outline.root == .reference else { return nil }
        let place = input.position
        let number = try lifting { () throws(ByteError) in try input.readCount() }
        input.position = place
        return pool(of: number, outline)?.pool
    }

    private func pool(of number: Int, _ outline: ArchiveOutline) -> (pool: Int, place: Int)? {
        guard number > 0 else { return nil }
        var place = number - 1
        for (index, head) in outline.heads.enumerated() {
            if place < head.count { return (index, place) }
            place -= head.count
        }
        return nil
    }

    private mutating func readFromRoot(
        _ path: ArraySlice<[String]>, _ outline: ArchiveOutline, _ values: PartValues
    ) throws(DecodingFailure) {
        guard outline.root == .reference, !path.isEmpty else { return try visitRow(outline.root, path, values, true) }
        let number = try lifting { () throws(ByteError) in try input.readCount() }
        guard let (pool, place) = pool(of: number, outline) else { return }
        for head in outline.heads[..<pool] { try skipPool(head, outline) }
        try readPool(outline.heads[pool], path, place..<place + 1, outline, values, isLast: true)
    }

    private mutating func readPools(
        _ wanted: [Int: [String]], _ outline: ArchiveOutline, _ values: PartValues
    ) throws(DecodingFailure) {
        guard let last = wanted.keys.max() else { return }
        try skipRow(outline.root)
        for (index, head) in outline.heads[...last].enumerated() {
            guard let names = wanted[index] else {
                try skipPool(head, outline)
                continue
            }
            try readPool(head, [names], 0..<head.count, outline, values, isLast: index == last)
        }
    }

    private mutating func skipPool(_ head: PoolHead, _ outline: ArchiveOutline) throws(DecodingFailure) {
        let members = outline.definitions[head.definition].members
        if head.count >= version.rowLimit {
            for member in members { try skipColumns(member.type, count: head.count) }
        } else {
            for _ in 0..<head.count { for member in members { try skipRow(member.type) } }
        }
    }

    private mutating func readPool(
        _ head: PoolHead, _ path: ArraySlice<[String]>, _ selection: Range<Int>, _ outline: ArchiveOutline,
        _ values: PartValues, isLast: Bool
    ) throws(DecodingFailure) {
        let definition = outline.definitions[head.definition]
        let index = try member(path, definition.members, definition.name)
        if head.count >= version.rowLimit {
            try visitMembers(definition.members, index, isLast) { reader, member, isWanted throws(DecodingFailure) in
                if isWanted {
                    try reader.visitColumn(member.type, head.count, path.dropFirst(), selection, values, isLast)
                } else {
                    try reader.skipColumns(member.type, count: head.count)
                }
            }
            return
        }
        for row in 0..<head.count {
            let isLastRow = isLast && row == selection.upperBound - 1
            try visitMembers(definition.members, index, isLastRow) {
                reader, member, isWanted throws(DecodingFailure) in
                if isWanted, selection.contains(row) {
                    try reader.visitRow(member.type, path.dropFirst(), values, isLastRow)
                } else {
                    try reader.skipRow(member.type)
                }
            }
            if isLastRow { return }
        }
    }
}
