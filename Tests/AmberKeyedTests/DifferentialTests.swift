import AmberModel
import AmberTestSupport
import Foundation
import Testing

@testable import AmberKeyed

/// A node written for Foundation's archivers: keyed values of every kind, and a tail without keys.
final class DiffNode: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let number: Int
    let text: String?
    let real: Double
    let narrow: Float
    let isOn: Bool
    let bytes: Data
    let child: NSObject?
    let list: NSArray
    let tail: Int32

    init(number: Int, text: String?, child: NSObject?, list: NSArray) {
        self.number = number
        self.text = text
        real = Double(number) / 8
        narrow = Float(number) / 4
        isOn = number.isMultiple(of: 2)
        bytes = Data("bytes of \(number)".utf8)
        self.child = child
        self.list = list
        tail = Int32(truncatingIfNeeded: number)
    }

    static let classes: [AnyClass] = [
        DiffNode.self, NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
        NSData.self, NSNull.self, NSUUID.self, NSURL.self, NSOrderedSet.self,
    ]

    init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
        text = coder.decodeObject(of: NSString.self, forKey: "text") as String?
        real = coder.decodeDouble(forKey: "real")
        narrow = coder.decodeFloat(forKey: "narrow")
        isOn = coder.decodeBool(forKey: "$isOn")
        bytes = unsafe coder.withDecodedUnsafeBytes(forKey: "bytes") { unsafe $0.map { unsafe Data($0) } } ?? Data()
        child = coder.decodeObject(of: Self.classes, forKey: "child") as? NSObject
        list = coder.decodeObject(of: Self.classes, forKey: "list") as? NSArray ?? []
        var tail: Int32 = 0
        unsafe coder.decodeValue(ofObjCType: "i", at: &tail)
        self.tail = tail
    }

    func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
        coder.encode(text.map { $0 as NSString }, forKey: "text")
        coder.encode(real, forKey: "real")
        coder.encode(narrow, forKey: "narrow")
        coder.encode(isOn, forKey: "$isOn")
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe coder.encodeBytes(
                bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count, forKey: "bytes")
        }
        coder.encode(child, forKey: "child")
        coder.encode(list, forKey: "list")
        var tail = tail
        unsafe coder.encodeValue(ofObjCType: "i", at: &tail)
    }
}

/// Written as another object, by the method that Foundation asks.
final class DiffReplaced: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let number: Int
    init(_ number: Int) { self.number = number }
    required init?(coder: NSCoder) { number = 0 }
    func encode(with coder: NSCoder) {}
    override func replacementObject(for coder: NSCoder) -> Any? { "for \(number)" as NSString }
}

/// Written as its superclass.
final class DiffDisguised: Shape {
    override class var supportsSecureCoding: Bool { true }
    override var classForCoder: AnyClass { Shape.self }
}

/// Random graphs of the classes that Foundation handles rightly.
private struct GraphMaker {
    var random: SeededGenerator
    private var made: [NSObject] = []
    /// Foundation makes one of objects that are equal: every container gets something that no other has.
    private var serial = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func unique() -> String {
        serial += 1
        return "unique \(serial)"
    }

    private mutating func leaf() -> NSObject {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return "Grüße 🐝 \(Int.random(in: 0..<9, using: &random))" as NSString
        case 1: return unique() as NSString
        // Foundation makes one of 2 and 2.0 and true: whole numbers are large, reals are never whole.
        case 2: return NSNumber(value: Int.random(in: 2...1 << 40, using: &random))
        case 3: return NSNumber(value: -Int.random(in: 2...1 << 40, using: &random))
        case 4: return NSNumber(value: Double(Int.random(in: 1...1000, using: &random)) + 0.5)
        case 5:
            return NSDate(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...1_000_000, using: &random)) / 16)
        case 6: return Data(unique().utf8) as NSData
        case 7:
            _ = unique()
            return UUID(uuidString: "00000000-0000-4000-8000-\(100_000_000_000 + serial)").map { $0 as NSUUID }
                ?? NSNull()
        default: return NSURL(string: "https://a.b/\(Int.random(in: 0..<50, using: &random))") ?? NSNull()
        }
    }

    mutating func object(depth: Int) -> NSObject {
        // An object that is there already: sharing.
        if !made.isEmpty, Int.random(in: 0..<5, using: &random) == 0, let shared = made.randomElement(using: &random) {
            return shared
        }
        guard depth > 0 else { return leaf() }
        let count = Int.random(in: 0...4, using: &random)
        let object: NSObject
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: object = NSArray(array: [unique()] + (0..<count).map { _ in self.object(depth: depth - 1) })
        case 2: object = NSMutableArray(array: [unique()] + (0..<count).map { _ in self.object(depth: depth - 1) })
        case 3, 4:
            let pairs = (0..<count + 1).map { _ in (unique() as NSString, self.object(depth: depth - 1)) }
            object = NSDictionary(objects: pairs.map(\.1), forKeys: pairs.map(\.0))
        case 5: object = NSSet(array: [unique()] + (0..<count).map { _ in leaf() })
        case 6: object = NSOrderedSet(array: [unique()] + (0..<count).map { _ in leaf() })
        case 7: object = DiffReplaced(serial)
        default:
            let list = NSArray(array: [unique()] + (0..<count).map { _ in self.object(depth: depth - 1) })
            object = DiffNode(
                number: Int.random(in: -1000...1000, using: &random),
                text: Bool.random(using: &random) ? unique() : nil,
                child: Bool.random(using: &random) ? self.object(depth: depth - 1) : nil, list: list)
        }
        made.append(object)
        return object
    }
}

/// Two graphs side by side: kinds, values, and which objects are one.
private struct GraphText {
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var held: [AnyObject] = []
    private(set) var text = ""

    /// Whether collections are to be told apart by whether they can be changed.
    mutating func add(_ object: AnyObject?) {
        guard let object else { return text += "nil " }
        let isContainer = object is NSArray || object is NSDictionary || object is NSSet || object is NSOrderedSet
        if object is DiffNode || isContainer {
            if let known = numbers[ObjectIdentifier(object)] { return text += "#\(known) " }
            numbers[ObjectIdentifier(object)] = numbers.count
            held.append(object)
        }
        switch object {
        case let node as DiffNode:
            text += "node \(node.number) \(node.text ?? "-") \(node.real) \(node.narrow) \(node.isOn) "
            text += "\(node.bytes.base64EncodedString()) \(node.tail) "
            add(node.child)
            add(node.list)
        case let array as NSArray:
            text += array is NSMutableArray ? "m[" : "["
            for element in FoundationStorage.objects(of: array) { add(element) }
            text += "]"
        case let dictionary as NSDictionary:
            let pairs = FoundationStorage.pairs(of: dictionary)
            text += "{"
            for (key, value) in zip(pairs.keys, pairs.values).sorted(by: { "\($0.0)" < "\($1.0)" }) {
                text += "\(key)="
                add(value)
            }
            text += "}"
        case let set as NSOrderedSet:
            text += "o("
            for element in FoundationStorage.objects(of: set) { add(element) }
            text += ")"
        case let set as NSSet: text += "(\(FoundationStorage.objects(of: set).map(Self.leaf).sorted()))"
        case let replaced as DiffReplaced: text += Self.leaf("for \(replaced.number)" as NSString) + " "
        default: text += Self.leaf(object) + " "
        }
    }

    private static func leaf(_ object: AnyObject) -> String {
        switch object {
        case let number as NSNumber: "\(FoundationNumber.value(of: number))"
        case let data as NSData: "data \(Data(referencing: data).base64EncodedString())"
        case let date as NSDate: "date \(date.timeIntervalSinceReferenceDate)"
        case let url as NSURL: "url \(url.absoluteString)"
        case let uuid as NSUUID: "uuid \(uuid.uuidString)"
        case let text as NSString: "text \(text)"
        default: "\(type(of: object))"
        }
    }

    static func of(_ object: Any?) -> String {
        var text = GraphText()
        text.add(object as AnyObject?)
        return text.text
    }
}

/// Ours and Foundation's coders on the same graphs.
@Suite struct DifferentialTests {
    private static let seed: UInt64 = 0x6b65_7965_6421

    @Test func eachReadsTheOthersArchives() throws {
        print("graphs of the seed \(Self.seed)")
        for number in 0..<400 {
            var maker = GraphMaker(seed: Self.seed &+ UInt64(number))
            let root = NSArray(array: ["root", maker.object(depth: 3), maker.object(depth: 2), DiffDisguised()])
            let expected = GraphText.of(root).replacingOccurrences(of: "DiffDisguised", with: "Shape")
            let ours = try KeyedEncoder().encode(root)
            var decoder = KeyedDecoder()
            decoder.requiresSecureCoding = false
            let back = try decoder.decode(NSArray.self, from: ours)
            #expect(GraphText.of(back) == expected, "ours by ours, graph \(number)")
            let secure = try KeyedDecoder().decode(
                NSArray.self, from: ours, allowing: DiffNode.classes + [Shape.self])
            #expect(GraphText.of(secure) == expected, "ours by ours, securely, graph \(number)")
            let theirs = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: true)
            let taken = try decoder.decode(NSArray.self, from: theirs)
            // Foundation's archiver asks for no replacements, and takes a changeable array within another for a fixed one.
            let asTheyWrite = expected.replacingOccurrences(of: "m[", with: "[")
                .replacingOccurrences(of: "for [0-9]+ ", with: "for 0 ", options: .regularExpression)
            #expect(
                GraphText.of(taken).replacingOccurrences(of: "m[", with: "[") == asTheyWrite,
                "Foundation's by ours, graph \(number)")
            let reader = try NSKeyedUnarchiver(forReadingFrom: ours)
            reader.requiresSecureCoding = false
            reader.decodingFailurePolicy = .setErrorAndReturn
            let given = reader.decodeObject(forKey: "root")
            #expect(reader.error == nil && GraphText.of(given) == expected, "ours by Foundation, graph \(number)")
            let xml = {
                var encoder = KeyedEncoder(); encoder.format = .xml; return encoder
            }()
            #expect(try GraphText.of(decoder.decode(NSArray.self, from: xml.encode(root))) == expected)
        }
    }
}
