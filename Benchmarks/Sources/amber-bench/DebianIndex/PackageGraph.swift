// Room:   amber-bench / DebianIndex. Paragraphs become packages, names become references.
// Takes:  index files. Gives: the graph, and what was read in one line. Touches: nothing.

import Foundation

/// The packages of this machine's index as a graph.
struct PackageGraph {
    private(set) var packages: [Package] = []
    /// What was read, for people.
    private(set) var summary = ""

    private var newestByName: [String: Package] = [:]
    private var providersByName: [String: [Package]] = [:]
    private var relationTexts: [[String?]] = []

    /// Reads the index of this machine; nil where there is none.
    init?() {
        self.init(reading: IndexFiles.read())
    }

    /// Reads these files; nil when they hold no package.
    init?(reading files: [IndexFiles.Content]) {
        for file in files { read(file.data) }
        guard !packages.isEmpty else { return nil }
        indexNames()
        let counts = resolve()
        let names = files.map { ($0.name as NSString).lastPathComponent }.joined(separator: ", ")
        summary =
            "\(packages.count) packages, \(counts.references) references to \(counts.named) names "
            + "(\(counts.open) of them not in the index), from \(names)"
    }

    /// The fields of ``Package/relations``, in its order.
    private static let relationFields = [
        "Pre-Depends", "Depends", "Recommends", "Suggests", "Enhances", "Breaks", "Conflicts", "Replaces",
    ]

    private mutating func read(_ data: Data) {
        var file = ControlFile(data)
        while let paragraph = file.nextParagraph() {
            guard let name = paragraph["Package"], let version = paragraph["Version"] else { continue }
            if let status = paragraph["Status"], !status.hasSuffix(" installed") { continue }
            let package = Package()
            package.name = name
            package.version = version
            package.fill(from: paragraph)
            packages.append(package)
            relationTexts.append(Self.relationFields.map { paragraph[$0] })
        }
    }

    /// A name stands for its newest version; a virtual name for all that provide it.
    private mutating func indexNames() {
        for package in packages {
            if let known = newestByName[package.name],
                !(DebianVersion(known.version) < DebianVersion(package.version))
            {
                continue
            }
            newestByName[package.name] = package
        }
        for package in packages where newestByName[package.name] === package {
            for provision in package.provides { providersByName[provision.name, default: []].append(package) }
        }
    }

    private mutating func resolve() -> (references: Int, named: Int, open: Int) {
        var references = 0
        var open: Set<String> = []
        var named: Set<String> = []
        let relations = Package.relations
        for (package, texts) in zip(packages, relationTexts) {
            for (relation, text) in zip(relations, texts) {
                guard let text else { continue }
                package[keyPath: relation] = text.split(separator: ",").map { group in
                    Dependency(
                        alternatives: group.split(separator: "|").map { text in
                            var alternative = Alternative(parsing: text)
                            alternative.candidates =
                                newestByName[alternative.name].map { [$0] } ?? providersByName[alternative.name] ?? []
                            references += alternative.candidates.count
                            named.insert(alternative.name)
                            if alternative.candidates.isEmpty { open.insert(alternative.name) }
                            return alternative
                        })
                }
            }
        }
        relationTexts = []
        return (references, named.count, open.count)
    }
}

extension Package {
    fileprivate func fill(from paragraph: Paragraph) {
        architecture = paragraph["Architecture"] ?? ""
        multiArch = paragraph["Multi-Arch"]
        source = paragraph["Source"]
        section = paragraph["Section"] ?? ""
        priority = paragraph["Priority"] ?? ""
        isEssential = paragraph["Essential"] == "yes"
        maintainer = paragraph["Maintainer"] ?? ""
        installedSize = paragraph["Installed-Size"].flatMap { Int64($0) } ?? 0
        size = paragraph["Size"].flatMap { Int64($0) } ?? 0
        summary = paragraph["Description"] ?? ""
        homepage = paragraph["Homepage"]
        tags = paragraph["Tag"].map(Self.tags) ?? []
        sha256 = paragraph["SHA256"].map(Self.bytes) ?? Data()
        provides =
            paragraph["Provides"]?.split(separator: ",").map { text in
                let alternative = Alternative(parsing: text)
                return Provision(name: alternative.name, version: alternative.version)
            } ?? []
    }

    private static func tags(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
    }

    private static func bytes(_ hexadecimal: String) -> Data {
        let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return Data(stride(from: 1, to: digits.count, by: 2).map { UInt8(digits[$0 - 1] << 4 | digits[$0]) })
    }
}

extension Alternative {
    /// Reads `name[:architecture] [(relation version)]`; restrictions in other brackets are left out.
    fileprivate init(parsing text: Substring) {
        let trimmed = text.drop(while: \.isWhitespace)
        let end = trimmed.firstIndex { $0.isWhitespace || $0 == "(" || $0 == "[" } ?? trimmed.endIndex
        let written = trimmed[..<end]
        name = String(written.prefix { $0 != ":" })
        candidates = []
        guard let open = trimmed.firstIndex(of: "("), let close = trimmed[open...].firstIndex(of: ")") else { return }
        let constraint = trimmed[trimmed.index(after: open)..<close]
        let sign = constraint.prefix { "<=>".contains($0) }
        relation = VersionRelation(rawValue: String(sign))
        version = String(constraint.dropFirst(sign.count).filter { !$0.isWhitespace })
    }
}
