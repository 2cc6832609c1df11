// Room:   AmberModel / Dynamic. Properties by name, in the order of the archive.
// Takes:  names and dynamic values. Gives: the same, to be looked up, renamed, changed, taken out.
// Touches: nothing.

/// The properties of an instance as an archive holds them, by the names that they have there.
///
/// A migration is given them to make of them what the next version of the type has:
///
/// ```swift
/// ModelRules(version: 3)
///     .migrating(from: 1) { $0.rename("title", to: "name") }
///     .migrating(from: 2) { $0["priority"] = 5 }
/// ```
public struct ArchivedValues: Sequence {
    private var entries: [(name: String, value: DynamicValue)] = []
    /// Where each name stands; made when there are many, so that one look needn't pass all of them.
    private var places: [String: Int]?
    /// Where a coder that wants to know finds the values that nobody has changed, beside `entries`; -1 for others.
    private var sources: [Int]?
    private static let fewest = 12

    /// Makes an empty set of properties.
    public init() {}

    package init(_ entries: [(name: String, value: DynamicValue)]) {
        self.entries = entries
        index()
    }

    /// Makes properties of which the coder finds each that is still as it was in its place.
    package init(_ entries: [(name: String, value: DynamicValue)], sources: [Int]) {
        self.init(entries)
        self.sources = sources
    }

    /// Where a coder finds a value, if it is still the archive's, whatever its name is now.
    package func source(of name: String) -> Int? {
        guard let sources, let place = place(of: name), sources[place] >= 0 else { return nil }
        return sources[place]
    }

    private mutating func index() {
        places = nil
        guard entries.count >= Self.fewest else { return }
        places = Dictionary(entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func place(of name: String) -> Int? {
        places.map { $0[name] } ?? entries.firstIndex { $0.name == name }
    }

    /// The names, in the order of the archive.
    ///
    /// - Complexity: O(*n*).
    public var names: [String] { entries.map(\.name) }

    /// How many properties there are.
    public var count: Int { entries.count }

    /// The properties in order.
    ///
    /// - Returns: An iterator over names and values.
    public func makeIterator() -> IndexingIterator<[(name: String, value: DynamicValue)]> { entries.makeIterator() }

    /// The value of a property; setting `nil` takes it out.
    ///
    /// - Parameter name: The name in the archive.
    /// - Complexity: O(1) on average; O(*n*) to take one out.
    public subscript(_ name: String) -> DynamicValue? {
        get { place(of: name).map { entries[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?):
                entries[place].value = value
                sources?[place] = -1
            case (let place?, nil):
                entries.remove(at: place)
                sources?.remove(at: place)
                index()
            case (nil, let value?):
                places?[name] = entries.count
                entries.append((name, value))
                sources?.append(-1)
                if places == nil { index() }
            case (nil, nil): break
            }
        }
    }

    /// Gives a property another name; nothing happens if there is none, and one that has the new name is replaced.
    ///
    /// - Parameters:
    ///   - name: The name so far.
    ///   - newName: The name from now on.
    /// - Complexity: O(*n*).
    public mutating func rename(_ name: String, to newName: String) {
        guard name != newName, let value = self[name] else { return }
        let source = source(of: name)
        self[newName] = nil
        self[name] = nil
        self[newName] = value
        if let source, let place = place(of: newName) { sources?[place] = source }
    }

    /// Takes a property out.
    ///
    /// - Parameter name: Its name.
    /// - Returns: Its value, or `nil` if there was none.
    /// - Complexity: O(*n*).
    @discardableResult
    public mutating func remove(_ name: String) -> DynamicValue? {
        defer { self[name] = nil }
        return self[name]
    }

    /// The value of a property as a Swift type that can be archived; numbers convert if they fit, older structs migrate.
    ///
    /// References to objects can't be had this way while an archive is read: the objects aren't whole yet.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - type: The Swift type.
    /// - Returns: The value.
    /// - Throws: ``DecodingFailure`` when there is none or it isn't one of the type.
    /// - Complexity: O(*n*) in the parts of the value.
    public func value<T>(_ name: String, as type: T.Type) throws(DecodingFailure) -> T {
        let path = CodingPath([.property(name)])
        guard let value = self[name] else {
            throw DecodingFailure(.missingValue, at: path, "There is no such property.")
        }
        do throws(DecodingFailure) {
            let plan: ValuePlan
            do throws(SchemaFailure) { plan = try PlanCache.shared.plan(for: type) } catch {
                throw DecodingFailure(error)
            }
            if let result = try ValueMaker().make(value, plan) as? T { return result }
        } catch {
            throw error.within(.property(name))
        }
        throw DecodingFailure(.typeMismatch, at: path, "It is not a \(codingName(of: type)).")
    }

    /// Gives a property any Swift value.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value.
    /// - Complexity: O(1) on average.
    public mutating func set(_ name: String, to value: Any) { self[name] = DynamicValue(value) }
}

extension ArchivedValues: ExpressibleByDictionaryLiteral {
    /// Makes properties of names and values.
    ///
    /// - Parameter elements: Names with values; of several with one name the last counts.
    /// - Complexity: O(*n*).
    public init(dictionaryLiteral elements: (String, DynamicValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension DecodingFailure {
    package init(_ failure: SchemaFailure) {
        self.init(failure.code == .invalidRules ? .invalidRules : .unsupportedType, failure.reason)
    }
}
