// Room:   amber-bench / Datasets. A Debian package, its relations as references.
// Takes:  nothing. Gives: the types. DebianIndex/ fills them. Touches: nothing.

import Amber
import Foundation

final class Package: Model {
    var name = ""
    var version = ""
    var architecture = ""
    var multiArch: String?
    var source: String?
    var section = ""
    var priority = ""
    var isEssential = false
    var maintainer = ""
    var installedSize: Int64 = 0
    var size: Int64 = 0
    var summary = ""
    var homepage: String?
    var tags: [String] = []
    var sha256 = Data()
    var preDepends: [Dependency] = []
    var depends: [Dependency] = []
    var recommends: [Dependency] = []
    var suggests: [Dependency] = []
    var enhances: [Dependency] = []
    var breaks: [Dependency] = []
    var conflicts: [Dependency] = []
    var replaces: [Dependency] = []
    var provides: [Provision] = []
}

/// One relation: any of the alternatives fulfils it.
struct Dependency: Model {
    var alternatives: [Alternative]
}

/// A name, and the packages of the index that go by it: the package itself, or those that provide it.
struct Alternative: Model {
    var name: String
    var relation: VersionRelation?
    var version: String?
    var candidates: [Package]
}

/// A name that a package stands in for.
struct Provision: Model, Codable, Equatable {
    var name: String
    var version: String?
}

enum VersionRelation: String, Codable {
    case earlier = "<<"
    case earlierOrEqual = "<="
    case equal = "="
    case laterOrEqual = ">="
    case later = ">>"
}

extension Package {
    /// Every list of relations, in the order of the class.
    static var relations: [ReferenceWritableKeyPath<Package, [Dependency]>] {
        [
            \.preDepends, \.depends, \.recommends, \.suggests, \.enhances, \.breaks, \.conflicts, \.replaces,
        ]
    }

    static func areEqual(_ left: [Package], _ right: [Package]) -> Bool {
        var pairs = GraphPairs<Package>(capacity: left.count)
        guard pairs.pair(left, right) else { return false }
        while let (one, other) = pairs.next() {
            guard one.hasSameValues(as: other) else { return false }
            for relation in relations {
                guard pair(one[keyPath: relation], other[keyPath: relation], in: &pairs) else { return false }
            }
        }
        return true
    }

    private static func pair(_ left: [Dependency], _ right: [Dependency], in pairs: inout GraphPairs<Package>) -> Bool {
        guard left.count == right.count else { return false }
        for (one, other) in zip(left, right) {
            guard one.alternatives.count == other.alternatives.count else { return false }
            for (first, second) in zip(one.alternatives, other.alternatives) {
                guard first.name == second.name, first.relation == second.relation, first.version == second.version,
                    pairs.pair(first.candidates, second.candidates)
                else { return false }
            }
        }
        return true
    }

    private func hasSameValues(as other: Package) -> Bool {
        name == other.name && version == other.version && architecture == other.architecture
            && multiArch == other.multiArch && source == other.source && section == other.section
            && priority == other.priority && isEssential == other.isEssential && maintainer == other.maintainer
            && installedSize == other.installedSize && size == other.size && summary == other.summary
            && homepage == other.homepage && tags == other.tags && sha256 == other.sha256
            && provides == other.provides
    }

    /// Empties the relations: the graph is cyclic, and cycles outlive their last outside reference.
    static func takeApart(_ packages: [Package]) {
        for package in packages {
            for relation in relations { package[keyPath: relation] = [] }
        }
    }
}
