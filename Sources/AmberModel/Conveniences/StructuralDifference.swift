// Room:   AmberModel / Conveniences. Two graphs compared property by property, whatever their cycles.
// Takes:  two models. Gives: where they differ, with both values.
// Touches: instances through their plans.

/// A place where two graphs differ.
public struct StructuralDifference: CustomStringConvertible {
    /// The way to it from the roots.
    public var path: CodingPath
    /// The value of the first graph; `nil` if there is none.
    public var left: Any?
    /// The value of the second graph; `nil` if there is none.
    public var right: Any?

    /// One line: the path and both values.
    public var description: String {
        "\(path): \(left.map { "\($0)" } ?? "nothing") and \(right.map { "\($0)" } ?? "nothing")"
    }
}

extension ModelProtocol {
    /// Whether another model has the same values, as far as either reaches.
    ///
    /// Objects are equal if they are of one class and their properties are; which of them are shared doesn't matter, and
    /// neither does the order of sets and dictionaries. NaN equals NaN. Properties that the rules exclude aren't compared.
    ///
    /// - Parameter other: The other model.
    /// - Returns: Whether nothing differs.
    /// - Throws: ``DecodingFailure`` when a type can't be archived, or values are nested too deeply in each other.
    /// - Complexity: O(*n*) in the objects and values; sets of objects O(*n*²) in their elements.
    public func isStructurallyEqual(to other: Self) throws(DecodingFailure) -> Bool {
        try differences(from: other, limit: 1).isEmpty
    }

    /// Where another model has other values, as far as either reaches.
    ///
    /// - Parameters:
    ///   - other: The other model.
    ///   - limit: How many differences are looked for.
    /// - Returns: The differences, those near the root first.
    /// - Throws: ``DecodingFailure`` when a type can't be archived, or values are nested too deeply in each other.
    /// - Complexity: As ``isStructurallyEqual(to:)``.
    public func differences(from other: Self, limit: Int = 1_000) throws(DecodingFailure) -> [StructuralDifference] {
        do {
            var comparison = Comparison(limit: limit)
            try comparison.compare(roots: self, other)
            return comparison.differences
        } catch { throw DecodingFailure(any: error) }
    }
}

/// The comparison of two graphs: a list of pairs of objects that are to be compared yet.
private struct Comparison {
    var differences: [StructuralDifference] = []
    let limit: Int

    private struct Pair: Hashable {
        var left: ObjectIdentifier
        var right: ObjectIdentifier
    }
    /// The way to a value, as steps that know the one before: so a long chain of objects costs one step each.
    private var steps: [(before: Int, step: CodingPath.Step)] = []
    private var seen: Set<Pair> = []
    private var waiting: [(left: AnyObject, right: AnyObject, place: Int)] = []
    private static let root = -1

    init(limit: Int) { self.limit = limit }

    private var isDone: Bool { differences.count >= limit }

    mutating func compare(roots left: Any, _ right: Any) throws {
        if type(of: left) is AnyClass {
            meet(left as AnyObject, right as AnyObject, Self.root)
        } else {
            let plan: ValuePlan = try PlanCache.shared.plan(for: type(of: left))
            try compare(left, right, plan, Self.root, 0)
        }
        var next = 0
        while next < waiting.count, !isDone {
            let (left, right, place) = waiting[next]
            next += 1
            if let left = left as? DynamicObject, let right = right as? DynamicObject {
                try compare(left, right, place)
                continue
            }
            for (mine, theirs) in zip(try ModelParts.of(left), try ModelParts.of(right)) where !isDone {
                let step = self.step(.property(mine.field.sourceName), place)
                switch (mine.value, theirs.value) {
                case (nil, nil): continue
                case (let left?, let right?):
                    if mine.field.ownership.isStrong {
                        try compare(left, right, mine.plan, step, 0)
                    } else {
                        meet(left as AnyObject, right as AnyObject, step)
                    }
                default: differ(mine.value, theirs.value, step)
                }
            }
        }
    }

    /// Compares objects of classes that this program doesn't have.
    private mutating func compare(_ left: DynamicObject, _ right: DynamicObject, _ place: Int) throws {
        guard left.className == right.className, left.version == right.version else {
            return differ(left, right, place)
        }
        try compare(
            .structure(.init(typeName: nil, values: left.values)),
            .structure(.init(typeName: nil, values: right.values)), place, 0)
    }

    private mutating func compare(
        _ left: DynamicValue, _ right: DynamicValue, _ place: Int, _ depth: Int
    ) throws {
        if isDone { return }
        try Depth.check(depth)
        switch (left, right) {
        case (.null, .null): return
        case (.some(let one), .some(let other)): try compare(one, other, place, depth + 1)
        case (.any(let one), .any(let other)) where one.typeName == other.typeName:
            try compare(one.value, other.value, place, depth + 1)
        case (.value(let one), .value(let other)): if !areEqual(one, other) { differ(one, other, place) }
        case (.object(let one), .object(let other)):
            if let one = one.object, let other = other.object { meet(one, other, place) }
        case (.array(let mine), .array(let theirs)) where mine.count == theirs.count:
            for (index, pair) in zip(mine, theirs).enumerated() {
                try compare(pair.0, pair.1, step(.index(index), place), depth + 1)
            }
        case (.dictionary(let mine), .dictionary(let theirs)) where mine.count == theirs.count:
            for (index, pair) in zip(mine, theirs).enumerated() {
                let step = step(.index(index), place)
                try compare(pair.0.key, pair.1.key, step, depth + 1)
                try compare(pair.0.value, pair.1.value, step, depth + 1)
            }
        case (.structure(let mine), .structure(let theirs)) where mine.typeName == theirs.typeName:
            for name in Set(mine.values.names + theirs.values.names).sorted() {
                let step = step(.property(name), place)
                guard let one = mine.values[name], let other = theirs.values[name] else {
                    differ(mine.values[name], theirs.values[name], step)
                    continue
                }
                try compare(one, other, step, depth + 1)
            }
        case (.enumeration(let one), .enumeration(let other)) where one.name == other.name:
            if let mine = one.payload, let theirs = other.payload {
                try compare(mine, theirs, step(.property(one.name), place), depth + 1)
            }
        default: differ(left, right, place)
        }
    }

    private mutating func step(_ step: CodingPath.Step, _ before: Int) -> Int {
        steps.append((before, step))
        return steps.count - 1
    }

    private mutating func differ(_ left: Any?, _ right: Any?, _ place: Int) {
        var path: [CodingPath.Step] = []
        var next = place
        while next >= 0 {
            path.append(steps[next].step)
            next = steps[next].before
        }
        differences.append(
            StructuralDifference(
                path: CodingPath(path.reversed()), left: left.flatMap { unwrapped($0) },
                right: right.flatMap { unwrapped($0) }))
    }

    private mutating func meet(_ left: AnyObject, _ right: AnyObject, _ place: Int) {
        if left === right { return }
        guard type(of: left) == type(of: right) else { return differ(left, right, place) }
        guard type(of: left) is any ModelProtocol.Type else {
            // Objects of other kinds know themselves what they equal.
            if !areEqual(left, right) { differ(left, right, place) }
            return
        }
        if seen.insert(Pair(left: ObjectIdentifier(left), right: ObjectIdentifier(right))).inserted {
            waiting.append((left, right, place))
        }
    }

    private mutating func compare(_ left: Any, _ right: Any, _ plan: ValuePlan, _ place: Int, _ depth: Int) throws {
        if isDone { return }
        try Depth.check(depth)
        if let left = left as? DynamicAny, let right = right as? DynamicAny {
            return try compare(.any(left), .any(right), place, depth)
        }
        switch (try plan.open(left), try plan.open(right)) {
        case (.scalar(let one, _), .scalar(let other, _)): if !areEqual(one, other) { differ(left, right, place) }
        case (.string(let one), .string(let other)): if one != other { differ(left, right, place) }
        case (.data(let one), .data(let other)): if !areEqual(one, other) { differ(left, right, place) }
        case (.none, .none): return
        case (.some(let one), .some(let other)), (.bridged(let one), .bridged(let other)):
            try compare(one.value, other.value, one.plan, place, depth + 1)
        case (.dynamic(let one), .dynamic(let other)):
            guard one.plan === other.plan else { return differ(left, right, place) }
            try compare(one.value, other.value, one.plan, place, depth + 1)
        case (.object(let one), .object(let other)): meet(one, other, place)
        case (.array(let mine), .array(let theirs)):
            for (index, pair) in zip(mine, theirs).enumerated() where !isDone {
                try compare(pair.0, pair.1, step(.index(index), place), depth)
            }
            for index in min(mine.count, theirs.count)..<max(mine.count, theirs.count) where !isDone {
                let step = step(.index(index), place)
                differ(
                    index < mine.count ? mine[index].value : nil, index < theirs.count ? theirs[index].value : nil, step
                )
            }
        case (.set(let mine), .set(let theirs)):
            try compareUnordered(
                mine.map { ($0, nil) }, theirs.map { ($0, nil) }, place, depth)
        case (.dictionary(let mine), .dictionary(let theirs)):
            try compareUnordered(mine.map { ($0.key, $0.value) }, theirs.map { ($0.key, $0.value) }, place, depth)
        case (.structure(let mine), .structure(let theirs)):
            for (one, other) in zip(mine, theirs) where !isDone {
                try compare(one.part, other.part, step(.property(one.name), place), depth)
            }
        case (.enumeration(let one, _, let mine), .enumeration(let other, _, let theirs)):
            guard one == other else { return differ(left, right, place) }
            if let mine, let theirs { try compare(mine, theirs, step(.property(one), place), depth) }
        case (.codable(let one), .codable(let other)):
            if !areEqual(left, right), "\(one)" != "\(other)" { differ(left, right, place) }
        default: differ(left, right, place)
        }
    }

    private mutating func compare(
        _ one: OpenedValue.Part, _ other: OpenedValue.Part, _ place: Int, _ depth: Int
    ) throws {
        guard case .reference = one.plan.shape else {
            return try compare(one.value, other.value, one.plan, place, depth + 1)
        }
        // A weak reference is an Optional of its object, with the plan of the class.
        switch (unwrapped(one.value), unwrapped(other.value)) {
        case (nil, nil): return
        case (let left?, let right?): meet(left as AnyObject, right as AnyObject, place)
        case (let left, let right): differ(left, right, place)
        }
    }

    /// Compares sets and dictionaries: each element, or key, with the one that equals it.
    private mutating func compareUnordered(
        _ mine: [(key: OpenedValue.Part, value: OpenedValue.Part?)],
        _ theirs: [(key: OpenedValue.Part, value: OpenedValue.Part?)], _ place: Int, _ depth: Int
    ) throws {
        var places: [AnyHashable: [Int]] = [:]
        for (index, item) in theirs.enumerated() {
            if let key = item.key.value as? AnyHashable { places[key, default: []].append(index) }
        }
        var free = Set(theirs.indices)
        for item in mine where !isDone {
            // An equal one by the type's own word; else one whose values are all the same.
            var found = (item.key.value as? AnyHashable).flatMap { places[$0]?.first { free.contains($0) } }
            if found == nil, item.key.plan.reachesObjects {
                found = try free.sorted().first { try isEqual(item.key, theirs[$0].key) }
            }
            let step = step(.property(Self.words(item.key)), place)
            guard let found else {
                differ(item.value?.value ?? item.key.value, nil, step)
                continue
            }
            free.remove(found)
            if item.key.plan.reachesObjects { try compare(item.key, theirs[found].key, step, depth) }
            if let one = item.value, let other = theirs[found].value { try compare(one, other, step, depth) }
        }
        for index in free.sorted() where !isDone {
            let item = theirs[index]
            differ(nil, item.value?.value ?? item.key.value, step(.property(Self.words(item.key)), place))
        }
    }

    /// Whether two keys are the same as far as they reach.
    private func isEqual(_ one: OpenedValue.Part, _ other: OpenedValue.Part) throws -> Bool {
        var comparison = Comparison(limit: 1)
        // A pair that is compared already is equal as far as this one is concerned.
        comparison.seen = seen
        try comparison.compare(one, other, Self.root, 0)
        try comparison.finish()
        return comparison.differences.isEmpty
    }

    private mutating func finish() throws {
        var next = 0
        while next < waiting.count, !isDone {
            let (left, right, place) = waiting[next]
            next += 1
            for (mine, theirs) in zip(try ModelParts.of(left), try ModelParts.of(right)) where !isDone {
                guard let left = mine.value, let right = theirs.value, mine.field.ownership.isStrong else { continue }
                try compare(left, right, mine.plan, place, 0)
            }
        }
    }

    private static func words(_ key: OpenedValue.Part) -> String {
        switch key.plan.shape {
        case .scalar, .string: "\(key.value)"
        default: codingName(of: type(of: key.value))
        }
    }
}

/// Whether two values are equal by their own word; NaN is NaN.
private func areEqual(_ left: Any, _ right: Any) -> Bool {
    func open<T: Equatable>(_ left: T) -> Bool {
        guard let right = right as? T else { return false }
        return left == right || (left != left && right != right)
    }
    guard let left = left as? any Equatable else { return false }
    return open(left)
}
