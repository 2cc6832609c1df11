// Room:   AmberModel / Codable. Where in a Codable value something is, worked out when somebody asks.
// Takes:  slots and places in them. Gives: coding keys, and paths of failures.
// Touches: nothing.

/// A key that is text, or a place in an array.
struct CodableKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    static let superKey = CodableKey(stringValue: "super")
}

extension CodableSlot {
    /// The keys from the root to a value.
    func path(of index: Int) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var (slot, index) = (self, index)
        while let parent = slot.parent {
            let container: Int
            if parent.kind == .record {
                container = slot.records.map { index < $0.count ? Int($0[index]) : parent.count - 1 } ?? index
                keys.append(CodableKey(stringValue: slot.key))
            } else {
                container = parent.container(of: index)
                if parent.kind == .map {
                    keys.append(CodableKey(stringValue: index < parent.strings.count ? parent.strings[index] : ""))
                } else {
                    keys.append(CodableKey(intValue: index - parent.start(of: container)))
                }
            }
            (slot, index) = (parent.owner, parent.place(of: container))
        }
        return keys.reversed()
    }
}

extension CodableVariant {
    /// The keys from the root to a container.
    func path(of container: Int) -> [any CodingKey] { owner.path(of: place(of: container)) }

    /// The place of a container among all values of its slot.
    fileprivate func place(of container: Int) -> Int {
        guard owner.variants.count > 1, let number = owner.variants.firstIndex(where: { $0 === self }) else {
            return container
        }
        var seen = 0
        for (place, tag) in owner.tags.enumerated() where tag == UInt64(number) {
            if seen == container { return place }
            seen += 1
        }
        return owner.count
    }

    fileprivate func start(of container: Int) -> Int {
        words.prefix(container).reduce(0) { $0 + Int($1) }
    }

    /// The array that has an element.
    fileprivate func container(of element: Int) -> Int {
        var end = 0
        for (container, count) in words.enumerated() {
            end += Int(count)
            if element < end { return container }
        }
        return max(count - 1, 0)
    }
}

extension CodingPath {
    /// The path that coding keys make.
    package init(_ keys: [any CodingKey]) {
        self.init(
            keys.map { key in
                if let index = key.intValue, key.stringValue == "Index \(index)" { return .index(index) }
                return .property(key.stringValue)
            })
    }
}
