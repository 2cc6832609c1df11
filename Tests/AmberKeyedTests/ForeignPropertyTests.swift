// Models with properties of Foundation's reference types and of NSCoding classes, in keyed archives.

import AmberKeyed
import AmberModel
import Foundation
import Testing

private final class KeyedToken: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let text: String
    init(_ text: String) { self.text = text }
    init?(coder: NSCoder) { text = coder.decodeObject(of: NSString.self, forKey: "text") as String? ?? "?" }
    func encode(with coder: NSCoder) { coder.encode(text, forKey: "text") }
}

private final class KeyedForeignHolder: Model {
    var number: NSNumber = 0
    var text = NSMutableString(string: "")
    var list = NSMutableArray()
    var table: NSDictionary?
    var token: KeyedToken?
    var tokens: [KeyedToken] = []
    var missing: NSString?
    init() {}
}

private protocol KeyedDelegate: AnyObject {}

@propertyWrapper private final class KeyedReference<Value> {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

private final class KeyedChild: Model {
    weak var delegate: (any KeyedDelegate)?
    @KeyedReference var count = 1
    init() {}
}

private final class KeyedParent: Model, KeyedDelegate {
    var children: [KeyedChild] = []
    init() {}
}

@Suite struct ForeignPropertyTests {
    @Test func weakProtocolsAndWrappersWithClasses() throws {
        let parent = KeyedParent()
        parent.children = [KeyedChild(), KeyedChild()]
        parent.children[0].delegate = parent
        parent.children[1].count = 5
        let data = try KeyedEncoder().encode(parent)
        let back = try KeyedDecoder().decode(KeyedParent.self, from: data)
        #expect(back.children.map(\.count) == [1, 5])
        let isParent = back.children[0].delegate === back
        #expect(isParent)
        #expect(back.children[1].delegate == nil)
    }

    @Test func objectsKeepClassMutabilityAndIdentity() throws {
        let holder = KeyedForeignHolder()
        holder.number = true
        holder.text = "mutable"
        holder.list = [1, "a", holder.text]
        holder.table = ["list": holder.list]
        holder.token = KeyedToken("t")
        holder.tokens = [KeyedToken("u"), holder.token!]
        let data = try KeyedEncoder().encode(holder)
        let back = try KeyedDecoder().decode(KeyedForeignHolder.self, from: data)
        #expect(type(of: back.number) == type(of: NSNumber(value: true)))
        #expect(back.text == "mutable")
        let elements = FoundationStorage.objects(of: back.list)
        #expect(elements.count == 3 && elements[2] === back.text as AnyObject)
        let values = back.table.map { FoundationStorage.pairs(of: $0).values } ?? []
        #expect(values.first === back.list as AnyObject)
        #expect(back.token?.text == "t" && back.tokens.map(\.text) == ["u", "t"])
        let isShared = back.tokens.last === back.token
        #expect(isShared)
        #expect(back.missing == nil)
    }
}
