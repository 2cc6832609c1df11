import AmberModel
import Foundation
import Synchronization
import Testing

@testable import AmberKeyed

/// How many of the objects below are alive.
private let alive = Mutex(0)

private class Counted: NSObject {
    override init() {
        super.init()
        alive.withLock { $0 += 1 }
    }
    deinit { alive.withLock { $0 -= 1 } }
}

private protocol TreeDelegate: AnyObject {}

/// A tree as it is written by hand everywhere: children hold their parent weakly and decode it in their initializer.
private final class TreeNode: Counted, NSSecureCoding, TreeDelegate {
    static var supportsSecureCoding: Bool { true }
    let name: String
    var children: [TreeNode] = []
    weak var parent: TreeNode?
    weak var delegate: (any TreeDelegate)?
    var born = Date(timeIntervalSinceReferenceDate: 5)
    var link: URL = URL(fileURLWithPath: "/x")
    var options: [String: Any] = [:]

    init(_ name: String, _ children: [TreeNode] = []) {
        self.name = name
        self.children = children
        super.init()
        for child in children {
            child.parent = self
            child.delegate = self
        }
    }

    required init?(coder: NSCoder) {
        children = coder.decodeObject(of: [NSArray.self, TreeNode.self], forKey: "children") as? [TreeNode] ?? []
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") as String? else { return nil }
        self.name = name
        super.init()
        parent = coder.decodeObject(of: TreeNode.self, forKey: "parent")
        delegate = coder.decodeObject(of: [TreeNode.self], forKey: "delegate") as? any TreeDelegate
    }

    func encode(with coder: NSCoder) {
        coder.encode(children, forKey: "children")
        coder.encode(name, forKey: "name")
        coder.encodeConditionalObject(parent, forKey: "parent")
        coder.encodeConditionalObject(delegate, forKey: "delegate")
    }
}

private struct Corner {
    var label: String
    var node: Anything?
}

private enum Tie {
    case none
    case strong(Anything)
    indirect case nested(Tie, Int)
    case two(Anything, String)
}

private final class Helper {
    weak var weakly: Anything?
    var strongly: Anything?
}

/// Keeps what it decodes in every way there is.
private final class Anything: Counted, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    nonisolated(unsafe) static var kept: [() -> AnyObject?] = []

    var way: String
    var next: Anything?
    var any: Any = 0
    var object: AnyObject?
    var list: [Anything] = []
    var lists: [[Anything?]] = []
    var table: [String: Anything] = [:]
    var keys: [Anything: Int] = [:]
    var set: Set<Anything> = []
    var foundation = NSMutableArray()
    var foundationTable: NSDictionary?
    var corner = Corner(label: "")
    var tie = Tie.none
    var pair: (Int, Anything?) = (0, nil)
    var helper: Helper?
    unowned(safe) var owner: Anything?
    var settings: TreeNode? = nil
    var inner: Anything?

    init(_ way: String) {
        self.way = way
        super.init()
    }

    required init?(coder: NSCoder) {
        guard let way = coder.decodeObject(of: NSString.self, forKey: "way") as String? else { return nil }
        self.way = way
        super.init()
        next = coder.decodeObject(of: Anything.self, forKey: "next")
        guard let object = coder.decodeObject(of: Anything.self, forKey: "back") else { return }
        switch way {
        case "any": any = object
        case "object": self.object = object
        case "list": list = [object, object]
        case "lists": lists = [[nil, object], []]
        case "table": table = ["a": object, "b": self]
        case "keys": keys = [object: 1]
        case "set": set = [object, self]
        case "foundation": foundation = NSMutableArray(object: object)
        case "foundation table": foundationTable = ["k": object]
        case "corner": corner = Corner(label: "l", node: object)
        case "strong": tie = .strong(object)
        case "nested": tie = .nested(.nested(.strong(object), 1), 2)
        case "two": tie = .two(object, "x")
        case "pair": pair = (3, object)
        case "any list": any = ["x": [object]]
        case "helper":
            helper = Helper()
            helper?.weakly = object
            helper?.strongly = object
        case "owner": owner = object
        case "closure": unsafe Anything.kept.append({ object })
        case "weak elsewhere": unsafe Anything.kept.append({ [weak object] in object })
        default: inner = object
        }
    }

    func encode(with coder: NSCoder) {
        coder.encode(way, forKey: "way")
        coder.encode(next, forKey: "next")
        coder.encode(inner, forKey: "back")
    }

    /// What the object was given, wherever it keeps it.
    var back: [AnyObject?] {
        switch way {
        case "any": [any as AnyObject]
        case "object": [object]
        case "list": list
        case "lists": [lists[0][1]]
        case "table": [table["a"]]
        case "keys": [keys.keys.first]
        case "set": [set.first { $0 !== self }]
        case "foundation": FoundationStorage.objects(of: foundation)
        case "foundation table": foundationTable.map { FoundationStorage.pairs(of: $0).values } ?? []
        case "corner": [corner.node]
        case "strong", "nested", "two":
            switch tie {
            case .strong(let object), .nested(.nested(.strong(let object), _), _), .two(let object, _): [object]
            default: []
            }
        case "pair": [pair.1]
        case "any list": [((any as? [String: Any])?["x"] as? [AnyObject])?.first]
        case "helper": [helper?.weakly, helper?.strongly]
        case "owner": [owner]
        default: [inner]
        }
    }

    func letGo() {
        (next, any, object, list, lists, table, keys, set) = (nil, 0, nil, [], [], [:], [:], [])
        (foundation, foundationTable, corner, tie, pair) = (NSMutableArray(), nil, Corner(label: ""), .none, (0, nil))
        (helper, owner, inner) = (nil, nil, nil)
    }
}

/// Has a property for which nobody can make a value.
private final class Closed: Counted, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var action: () -> Void
    var next: Closed?

    override init() {
        action = {}
        super.init()
    }
    required init?(coder: NSCoder) {
        action = {}
        next = coder.decodeObject(of: Closed.self, forKey: "next")
        super.init()
    }
    func encode(with coder: NSCoder) { coder.encode(next, forKey: "next") }
}

@Suite(.serialized) struct CycleTests {
    private static let ways = [
        "any", "object", "list", "lists", "table", "keys", "set", "foundation", "foundation table", "corner", "strong",
        "nested", "two", "pair", "any list", "helper", "owner", "inner",
    ]

    @Test func childrenFindTheirParents() throws {
        let before = alive.withLock { $0 }
        do {
            let root = TreeNode("root", [TreeNode("a", [TreeNode("b"), TreeNode("c")]), TreeNode("d")])
            let back = try KeyedDecoder().decode(TreeNode.self, from: KeyedEncoder().encode(root))
            #expect(back.name == "root" && back.children.map(\.name) == ["a", "d"] && back.parent == nil)
            for child in back.children {
                let isParent = child.parent === back && child.delegate === back
                #expect(isParent)
                for grandchild in child.children { #expect(grandchild.parent === child) }
            }
            #expect(back.children[0].children.map(\.name) == ["b", "c"])
        }
        #expect(alive.withLock { $0 } == before)
    }

    @Test func wideAndLongGraphsTakeTimeInProportion() throws {
        let root = TreeNode("root", (0..<3000).map { TreeNode("\($0)") })
        let back = try KeyedDecoder().decode(TreeNode.self, from: KeyedEncoder().encode(root))
        #expect(back.children.count == 3000 && back.children.allSatisfy { $0.parent === back })
        var deep = TreeNode("end")
        for number in 0..<800 { deep = TreeNode("\(number)", [deep]) }
        var node = try KeyedDecoder().decode(TreeNode.self, from: KeyedEncoder().encode(deep))
        var depth = 0
        while let child = node.children.first {
            try #require(child.parent === node)
            node = child
            depth += 1
        }
        #expect(depth == 800)
    }

    @Test(arguments: ways)
    func referenceBackIsTheObjectItselfWhereverItIsKept(way: String) throws {
        let before = alive.withLock { $0 }
        do {
            let root = Anything("inner")
            let child = Anything(way)
            root.next = child
            child.inner = root
            defer { root.letGo() }
            let back = try KeyedDecoder().decode(Anything.self, from: KeyedEncoder().encode(root))
            let found = try #require(back.next)
            defer {
                back.letGo()
                found.letGo()
            }
            #expect(found.way == way && !found.back.isEmpty)
            for object in found.back { #expect(object === back) }
            if way == "table" { #expect(found.table["b"] === found) }
            if way == "set" { #expect(found.set.contains(back) && found.set.count == 2) }
            if way == "keys" { #expect(found.keys[back] == 1) }
        }
        #expect(alive.withLock { $0 } == before, "Leaked or released twice.")
    }

    @Test(arguments: ways)
    func objectThatRefersToItselfIsOne(way: String) throws {
        let root = Anything(way)
        root.inner = root
        let data = try KeyedEncoder().encode(root)
        root.letGo()
        let back = try KeyedDecoder().decode(Anything.self, from: data)
        for object in back.back where way != "set" { #expect(object === back) }
        #expect(way != "set" || back.set == [back])
        back.letGo()
    }

    @Test(arguments: ["closure", "weak elsewhere"])
    func referenceBackThatCantBePutRightIsAnError(way: String) throws {
        let root = Anything("inner")
        let child = Anything(way)
        root.next = child
        child.inner = root
        defer { root.letGo() }
        let data = try KeyedEncoder().encode(root)
        #expect(throws: DecodingFailure(.unfinishedObject, "")) {
            _ = try KeyedDecoder().decode(Anything.self, from: data)
        }
        // What the closure holds is whole memory still.
        for kept in unsafe Anything.kept { _ = kept().map { "\(type(of: $0))" } }
        unsafe Anything.kept.removeAll()
    }

    @Test func classWhosePropertiesHaveNoEmptyValueIsAnError() throws {
        let root = Closed()
        root.next = root
        let data = try KeyedEncoder().encode(root)
        root.next = nil
        #expect(throws: DecodingFailure(.unfinishedObject, "")) {
            _ = try KeyedDecoder().decode(Closed.self, from: data)
        }
    }

    @Test func parentThatFailsAfterItsChildrenLeavesNothingBehind() throws {
        let before = alive.withLock { $0 }
        let root = TreeNode("root", [TreeNode("a", [TreeNode("b")])])
        var document = try CoderTests.document(KeyedEncoder().encode(root))
        for name in ["root", "a", "b"] {
            let number = try #require(document.objects.firstIndex { $0.string == name })
            document.objects[number] = .string("$null")
            #expect(throws: DecodingFailure(.rejectedByHook, "")) {
                _ = try KeyedDecoder().decode(TreeNode.self, from: BinaryPlistWriter.data(for: document.plist))
            }
            document.objects[number] = .string(name)
        }
        withExtendedLifetime(root) {}
        #expect(alive.withLock { $0 } <= before + 3)
    }

    @Test func referenceBackMustBeAllowedLikeAnyOther() throws {
        let objects: [PlistValue] = [
            .dictionary(["way": .reference(2), "next": .reference(3), "$class": .reference(4)]), .string("x"),
            .dictionary(["name": .reference(2), "parent": .reference(1), "$class": .reference(5)]),
            HostileTests.record(ClassNames.name(of: Anything.self)), HostileTests.record("X"),
        ]
        var decoder = KeyedDecoder()
        decoder.classMap.setClass(TreeNode.self, for: "X")
        // The tree's node allows nodes of trees alone for its parent.
        #expect(throws: DecodingFailure(.refusedType, "")) {
            _ = try decoder.decode(Anything.self, from: HostileTests.archive(objects), allowing: [TreeNode.self])
        }
    }

    @Test func anyReferencesInPlaceOfOthersDoNoHarm() throws {
        var random = Seeded(state: 0xc1c)
        let root = Anything("list")
        var last = root
        for way in Self.ways {
            last.next = Anything(way)
            last.next?.inner = root
            last = last.next ?? root
        }
        let document = try CoderTests.document(KeyedEncoder().encode(root))
        let tree = try CoderTests.document(
            KeyedEncoder().encode(TreeNode("root", [TreeNode("a", [TreeNode("b"), TreeNode("c")]), TreeNode("d")])))
        for sample in [document, tree] {
            for _ in 0..<600 {
                var copy = sample
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let index = Int.random(in: 1..<copy.objects.count, using: &random)
                    guard case .dictionary(var record) = copy.objects[index], !record.entries.isEmpty else { continue }
                    let place = Int.random(in: 0..<record.entries.count, using: &random)
                    let other = PlistValue.reference(UInt32.random(in: 0..<UInt32(copy.objects.count), using: &random))
                    if case .array(var values) = record.entries[place].value, !values.isEmpty {
                        values[Int.random(in: 0..<values.count, using: &random)] = other
                        record.entries[place].value = .array(values)
                    } else if case .reference = record.entries[place].value, record.entries[place].key != "$class" {
                        record.entries[place].value = other
                    }
                    copy.objects[index] = .dictionary(record)
                }
                _ = try? KeyedDecoder().decodeObject(
                    ofClasses: [Anything.self, TreeNode.self], from: BinaryPlistWriter.data(for: copy.plist))
            }
        }
    }
}

private final class Bare: Model {
    let label: String
    var other: Bare?
    var number = 0
    init(label: String) { self.label = label }
}

private final class Owner: Model {
    var name = ""
    var things: [Any] = []
}

private final class Thing: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var owner: Owner?
    init(_ owner: Owner) { self.owner = owner }
    required init?(coder: NSCoder) { owner = coder.decodeObject(of: [Owner.self], forKey: "owner") as? Owner }
    func encode(with coder: NSCoder) { coder.encode(owner, forKey: "owner") }
}

@Suite struct UnfinishedModelTests {
    @Test func objectsOfBothKindsReferToEachOther() throws {
        let owner = Owner()
        owner.name = "o"
        owner.things = [Thing(owner), Thing(owner)]
        defer { owner.things = [] }
        let back = try KeyedDecoder().decode(
            Owner.self, from: KeyedEncoder().encode(owner), allowing: [Thing.self, Owner.self])
        defer { back.things = [] }
        let things = back.things.compactMap { $0 as? Thing }
        #expect(things.count == 2 && things.allSatisfy { $0.owner === back } && back.name == "o")
    }

    /// Objects without an `init()` that refer to each other, of which a late one fails.
    @Test func modelsThatReferToOneThatFailsAreLetGoTogether() throws {
        let first = Bare(label: "a")
        first.other = Bare(label: "b")
        first.other?.other = Bare(label: "c")
        first.other?.other?.other = first
        defer { first.other = nil }
        var document = try CoderTests.document(KeyedEncoder().encode(first))
        for index in document.objects.indices {
            guard case .dictionary(var record) = document.objects[index],
                let place = record.entries.firstIndex(where: { $0.key == "number" })
            else { continue }
            let kept = document.objects[index]
            record.entries[place].value = .string("x")
            document.objects[index] = .dictionary(record)
            #expect(throws: DecodingFailure(.typeMismatch, "")) {
                _ = try KeyedDecoder().decode(Bare.self, from: BinaryPlistWriter.data(for: document.plist))
            }
            document.objects[index] = kept
        }
    }
}
