// Room:   amber-bench / Datasets. Packages as flat rows, for coders without references.
// Takes:  packages. Gives: rows that name packages by index, and the packages again. Touches: nothing.

import Amber
import Foundation

/// A package whose relations name other packages by their index in the list of rows.
struct PackageRow: Codable, Model {
    struct Dependency: Codable, Model {
        var alternatives: [Alternative]
    }

    struct Alternative: Codable, Model {
        var name: String
        var relation: VersionRelation?
        var version: String?
        var candidates: [Int]
    }

    var name: String
    var version: String
    var architecture: String
    var multiArch: String?
    var source: String?
    var section: String
    var priority: String
    var isEssential: Bool
    var maintainer: String
    var installedSize: Int64
    var size: Int64
    var summary: String
    var homepage: String?
    var tags: [String]
    var sha256: Data
    var preDepends: [Dependency]
    var depends: [Dependency]
    var recommends: [Dependency]
    var suggests: [Dependency]
    var enhances: [Dependency]
    var breaks: [Dependency]
    var conflicts: [Dependency]
    var replaces: [Dependency]
    var provides: [Provision]
}

extension PackageRow {
    static func flatten(_ packages: [Package]) -> [PackageRow] {
        let index = packages.indexByIdentity()
        return packages.map { PackageRow($0, index: index) }
    }

    private init(_ package: Package, index: [ObjectIdentifier: Int]) {
        func rows(_ dependencies: [amber_bench.Dependency]) -> [Dependency] {
            dependencies.map { dependency in
                Dependency(
                    alternatives: dependency.alternatives.map { alternative in
                        Alternative(
                            name: alternative.name, relation: alternative.relation, version: alternative.version,
                            candidates: alternative.candidates.compactMap { index[ObjectIdentifier($0)] })
                    })
            }
        }
        name = package.name
        version = package.version
        architecture = package.architecture
        multiArch = package.multiArch
        source = package.source
        section = package.section
        priority = package.priority
        isEssential = package.isEssential
        maintainer = package.maintainer
        installedSize = package.installedSize
        size = package.size
        summary = package.summary
        homepage = package.homepage
        tags = package.tags
        sha256 = package.sha256
        preDepends = rows(package.preDepends)
        depends = rows(package.depends)
        recommends = rows(package.recommends)
        suggests = rows(package.suggests)
        enhances = rows(package.enhances)
        breaks = rows(package.breaks)
        conflicts = rows(package.conflicts)
        replaces = rows(package.replaces)
        provides = package.provides
    }

    static func link(_ rows: [PackageRow]) -> [Package] {
        let packages = rows.map { _ in Package() }
        for (package, row) in zip(packages, rows) { row.fill(package, from: packages) }
        return packages
    }

    private func fill(_ package: Package, from packages: [Package]) {
        func linked(_ dependencies: [Dependency]) -> [amber_bench.Dependency] {
            dependencies.map { dependency in
                amber_bench.Dependency(
                    alternatives: dependency.alternatives.map { alternative in
                        amber_bench.Alternative(
                            name: alternative.name, relation: alternative.relation, version: alternative.version,
                            candidates: alternative.candidates.map { packages[$0] })
                    })
            }
        }
        package.name = name
        package.version = version
        package.architecture = architecture
        package.multiArch = multiArch
        package.source = source
        package.section = section
        package.priority = priority
        package.isEssential = isEssential
        package.maintainer = maintainer
        package.installedSize = installedSize
        package.size = size
        package.summary = summary
        package.homepage = homepage
        package.tags = tags
        package.sha256 = sha256
        package.preDepends = linked(preDepends)
        package.depends = linked(depends)
        package.recommends = linked(recommends)
        package.suggests = linked(suggests)
        package.enhances = linked(enhances)
        package.breaks = linked(breaks)
        package.conflicts = linked(conflicts)
        package.replaces = linked(replaces)
        package.provides = provides
    }
}
