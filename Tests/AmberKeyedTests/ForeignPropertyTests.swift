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

@Suite struct ForeignPropertyTests {
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
