// Room:   amber-bench / Workloads. Graphs of classes.
// Takes:  the graphs. Gives: trials for every coder, each on the part it can carry. Touches: the run.

import Foundation

extension Bench {
    func people() throws {
        let people = Person.make(count: 20_000)
        defer { Person.takeApart(people) }
        try amber(
            people, count: people.count, keepsBuffer: !options.isQuick, isEqual: Person.areEqual,
            takeApart: Person.takeApart)
        try keyedGraph(people, few: Part(300, quick: 60)) {
            NodeTwin(texts: [$0.name] + $0.tags.sorted(), numbers: [Int64($0.age)])
        } references: {
            $0.friends + [$0.boss].compactMap { $0 }
        }
        let part = size(Part(people.count, quick: 2_000))
        let fitting = part == people.count ? people : Person.make(count: part)
        defer { Person.takeApart(fitting) }
        try flatGraph(
            fitting, count: part, of: people.count, flatten: PersonRow.flatten, link: PersonRow.link,
            isEqual: Person.areEqual, takeApart: Person.takeApart)
    }

    func list() throws {
        let full = 1_000_000
        let first = ListNode.make(count: full)
        defer { ListNode.takeApart(first) }
        try amber(
            first, count: full, keepsBuffer: !options.isQuick, isEqual: ListNode.areEqual, takeApart: ListNode.takeApart
        )
        var nodes = [first]
        while nodes.count < 200, let next = nodes.last?.next { nodes.append(next) }
        try keyedGraph(nodes, few: Part(200, quick: 80), of: full) {
            NodeTwin(texts: [], numbers: [Int64($0.value)])
        } references: {
            [$0.next].compactMap { $0 }
        }
        let part = size(Part(50_000, quick: 5_000))
        let short = ListNode.make(count: part)
        defer { ListNode.takeApart(short) }
        try flatGraph(
            short, count: part, of: full, flatten: ListRow.flatten, link: ListRow.link, isEqual: ListNode.areEqual,
            takeApart: ListNode.takeApart)
    }

    func tree() throws {
        let depth = 5
        let full = TreeNode.count(depth: depth)
        let root = TreeNode.make(depth: depth)
        try amber(root, count: full, keepsBuffer: !options.isQuick, isEqual: TreeNode.areEqual)
        let nodes = [root] + root.children + root.children.flatMap(\.children)
        try keyedGraph(nodes, few: Part(111, quick: 61), of: full) {
            NodeTwin(texts: [$0.label], numbers: [Int64($0.value)])
        } references: {
            $0.children
        }
        let smallDepth = size(Part(4, quick: 3))
        let small = TreeNode.make(depth: smallDepth)
        let count = TreeNode.count(depth: smallDepth)
        let cut = "a tree of \(count) nodes, not \(full): all would take seconds a run"
        try measure(CoderName.propertyList) {
            Trial(
                contender: PropertyListContender(), value: small, count: count, cut: cut, isEqual: TreeNode.areEqual)
        }
        try measure(CoderName.json) {
            Trial(contender: JSONContender(), value: small, count: count, cut: cut, isEqual: TreeNode.areEqual)
        }
    }

    func packages() throws {
        // Every machine has another index: no exact size to keep.
        if case .checkBytes = options.mode { return }
        if case .writeBytes = options.mode { return }
        guard let graph = PackageGraph() else {
            tell("packages: this machine has no Debian package index; the generated people stand in for it\n")
            return try people()
        }
        tell("packages: \(graph.summary)\n")
        let packages = graph.packages
        defer { Package.takeApart(packages) }
        try amber(
            packages, count: packages.count, keepsBuffer: !options.isQuick, isEqual: Package.areEqual,
            takeApart: Package.takeApart)
        try keyedGraph(packages, few: Part(300, quick: 60)) { package in
            NodeTwin(
                texts: [package.name, package.version, package.section, package.maintainer, package.summary],
                numbers: [package.installedSize, package.size])
        } references: { package in
            package.depends.flatMap { $0.alternatives.flatMap(\.candidates) }
        }
        let count = min(packages.count, size(Part(5_000, quick: 500)))
        let part = Package.cut(packages, count: count)
        defer { Package.takeApart(part) }
        try flatGraph(
            part, count: count, of: packages.count, flatten: PackageRow.flatten, link: PackageRow.link,
            isEqual: Package.areEqual, takeApart: Package.takeApart)
    }
}

extension Bench {
    /// NSKeyedArchiver on the first nodes of a graph.
    private func keyedGraph<Node: AnyObject>(
        _ nodes: [Node], few: Part, of full: Int? = nil, twin: (Node) -> NodeTwin, references: (Node) -> [Node]
    ) throws {
        try measure(CoderName.keyedArchiver) {
            let count = min(size(few), nodes.count)
            return Trial(
                contender: KeyedArchiverContender(NSArray.self, classes: [NodeTwin.self]),
                value: NodeTwin.cut(nodes, count: count, twin: twin, references: references), count: count,
                cut: "the first \(count) of \(full ?? nodes.count), references that lead back left out: "
                    + "it recurses, dies of cycles and takes the square of the time",
                isEqual: NodeTwin.areEqual)
        }
    }

    /// The Codable coders on flat rows.
    private func flatGraph<Graph, Rows: Codable>(
        _ graph: Graph, count: Int, of full: Int, flatten: @escaping (Graph) -> Rows, link: @escaping (Rows) -> Graph,
        isEqual: @escaping (Graph, Graph) -> Bool, takeApart: @escaping (Graph) -> Void
    ) throws {
        func trial<Inner: Contender>(_ inner: Inner) -> Trial<FlatRowsContender<Inner, Graph>>
        where Inner.Value == Rows {
            Trial(
                contender: FlatRowsContender(inner: inner, flatten: flatten, link: link), value: graph, count: count,
                cut: "references as indexes of rows written by hand: it has none of its own"
                    + (count == full ? "" : "; \(count) of \(full): all would take seconds a run"),
                isEqual: isEqual, takeApart: takeApart)
        }
        try measure(CoderName.propertyList) { trial(PropertyListContender<Rows>()) }
        try measure(CoderName.json) { trial(JSONContender<Rows>()) }
        try measure(CoderName.readable) {
            Trial(
                contender: ReadableContender(), value: graph, count: count,
                cut: count == full ? nil : "\(count) of \(full): as many as the Codable coders", isEqual: isEqual,
                takeApart: takeApart)
        }
        try measure(CoderName.mapped) { trial(MappedContender<Rows>()) }
    }
}

extension Package {
    /// Copies of the first `count` packages that refer to one another only.
    fileprivate static func cut(_ packages: [Package], count: Int) -> [Package] {
        PackageRow.link(PackageRow.flatten(Array(packages.prefix(count))))
    }
}
