import AmberBinary
import AmberModel
import Foundation
import Testing

final class Person: Model, Hashable {
    var name = ""
    var age: Int32 = 0
    var friends: [Person] = []
    weak var boss: Person?
    var tags: Set<String> = []
    var born: Date?
    var next: Person?
    static func == (a: Person, b: Person) -> Bool { a === b }
    func hash(into h: inout Hasher) { h.combine(name) }
}
enum Pay: Equatable { case none, tag(UUID), pair(x: Int, y: Int), name(String); indirect case more(Pay) }
enum Color: String, Codable { case red, green, blue }
struct Everything: Model, Equatable {
    var a: Int8 = 1, b: UInt16 = 2, c: Int64 = -5, d: UInt64 = .max, e = true, f: Float = 1.1, g = 0.1
    var s = "hello", t: String? = nil, u: String? = "x", data = Data([1, 2, 3])
    var date = Date(timeIntervalSinceReferenceDate: 542911754.16538298), uuid = UUID(), url = URL(string: "http://a.b/c")!
    var dec = Decimal(string: "0.123456789012345678901")!, ch: Character = "é", r = 1..<5, cr = 1...5
    var i128 = Int128.max, tuple: Int = 1
    var arr = [1, 2, 3], nested = [[1, 2], nil, [3, 4]] as [[Int]?], set: Set<Int> = [1, 2, 3], dict = ["a": [1], "b": []]
    var pay = Pay.pair(x: 1, y: -1), pays = [Pay.none, .tag(UUID()), .more(.name("x"))], color = Color.green
    var cols: [Color: Int] = [.red: 1], opt: Int?? = .some(nil), idx = IndexSet([1, 2, 3, 7]), slice = [1, 2, 3][1...]
    var point = CGPoint(x: 1, y: 2), rect = CGRect(x: 1, y: 2, width: 3, height: 4), sub: Substring = "abc"
    var bools = [true, false, true]
    var floats: [Float] = (0..<100).map { Float($0) }
}
func roundTrip<T>(_ value: T, _ options: BinaryEncodingOptions = .init()) throws -> T {
    let data = try BinaryEncoder(options: options).encode(value)
    print(T.self, data.count)
    return try BinaryDecoder().decode(T.self, from: data)
}
@Test func everything() throws {
    let e = Everything()
    #expect(try roundTrip(e) == e)
    let many = (0..<100).map { i in var e = Everything(); e.a = Int8(i); e.t = i % 3 == 0 ? nil : "t\(i)"; e.pay = i % 2 == 0 ? .more(.pair(x: i, y: 2)) : .name("n\(i)"); return e }
    #expect(try roundTrip(many) == many)
    #expect(try roundTrip(many, .init(compression: .lz4())) == many)
}
@Test func graph() throws {
    for count in [1, 3, 50, 1000] {
        let people = (0..<count).map { i in let p = Person(); p.name = "P\(i)"; p.age = Int32(i); p.tags = ["a", "b\(i)"]; return p }
        for (i, p) in people.enumerated() { p.friends = (0..<5).map { people[(i * 7 + $0 * 13) % count] }; p.boss = people[(i + 1) % count]; p.next = people[(i + 1) % count] }
        let back = try roundTrip(people)
        #expect(back.count == count)
        for (i, p) in back.enumerated() {
            #expect(p.name == people[i].name && p.age == people[i].age && p.tags == people[i].tags)
            #expect(p.boss === back[(i + 1) % count])
            for k in 0..<5 { #expect(p.friends[k] === back[(i * 7 + k * 13) % count]) }
        }
        let set = Set(people)
        let set2 = try roundTrip(set)
        #expect(set2.count == set.count && Set(set2.map(\.name)) == Set(people.map(\.name)))
        for p in set2 { #expect(set2.contains(p)) }
    }
}
