// Room:   AmberReadable / Writing. Where in a document things are, and the texts of such places.
// Takes:  steps as a writer goes. Gives: key paths for `$alias`.
// Touches: nothing.

/// A step from a container to a value in it.
enum PathStep {
    /// A key as the document has it.
    case key(String)
    case index(Int)
}

/// The places of a document that something may refer to, as a tree that grows from its leaves.
struct PathTree {
    private struct Place {
        var parent: Int32
        var step: PathStep
    }

    private var places: ContiguousArray<Place> = []
    /// The place at hand; -1 is the root.
    private(set) var current: Int32 = -1
    /// Places up to here are referred to.
    private var kept = 0

    /// Goes one step down.
    mutating func push(_ step: PathStep) {
        places.append(Place(parent: current, step: step))
        current = Int32(places.count - 1)
    }

    /// Goes to the next element.
    mutating func next(_ index: Int) {
        let parent = places[Int(current)].parent
        pop()
        current = parent
        push(.index(index))
    }

    /// Goes one step up.
    mutating func pop() {
        let place = Int(current)
        current = places[place].parent
        if place == places.count - 1, place >= kept { places.removeLast() }
    }

    /// Goes to another place; gives the one before.
    mutating func move(to place: Int32) -> Int32 {
        defer { current = place }
        return current
    }

    /// The place at hand, kept for references to it.
    mutating func keep() -> Int32 {
        kept = places.count
        return current
    }

    /// The place of an object in the list of those that are nested too deeply.
    mutating func addObject(_ index: Int) -> Int32 {
        places.append(Place(parent: -1, step: .key(Marker.objects)))
        places.append(Place(parent: Int32(places.count - 1), step: .index(index)))
        kept = places.count
        return Int32(places.count - 1)
    }

    /// The text of a place.
    func text(of place: Int32) -> String {
        if place < 0 { return Marker.root }
        var steps: [String] = []
        var next = place
        while next >= 0 {
            switch places[Int(next)].step {
            case .key(let key): steps.append(KeyPath.escaped(key))
            case .index(let index): steps.append(String(index))
            }
            next = places[Int(next)].parent
        }
        return steps.reversed().joined(separator: ".")
    }
}

/// Key paths as documents hold them: steps joined by points; in a key, `~1` is a point and `~0` a tilde.
enum KeyPath {
    static func escaped(_ key: String) -> String {
        if key.isEmpty { return "~2" }
        guard key.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "~") }) else { return key }
        var result = ""
        for scalar in key.unicodeScalars {
            switch scalar {
            case ".": result += "~1"
            case "~": result += "~0"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The steps of a path, each with and without its escapes undone.
    static func steps(_ path: String) -> [(raw: String, key: String)] {
        let pieces: [Substring] = path.split(separator: ".", omittingEmptySubsequences: false)
        return pieces.map { step in
            let raw = String(step)
            if raw == "~2" { return (raw, "") }
            return (raw, raw.replacing("~1", with: ".").replacing("~0", with: "~"))
        }
    }
}
