import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

/// One line of NSCoder's interface: what it writes, and what must come back.
struct CoderLine: Sendable, CustomTestStringConvertible {
    var name: String
    var write: @Sendable (NSCoder) -> Void
    var read: @Sendable (NSCoder) -> Bool
    /// Whether Foundation's own coders can be asked too.
    var isFoundations = true
    var testDescription: String { name }

    init(
        _ name: String, isFoundations: Bool = true, write: @escaping @Sendable (NSCoder) -> Void,
        read: @escaping @Sendable (NSCoder) -> Bool
    ) {
        (self.name, self.write, self.read, self.isFoundations) = (name, write, read, isFoundations)
    }
}

private func number<T: BitwiseCopyable & Equatable & Sendable>(_ code: String, _ value: T, _ zero: T) -> CoderLine {
    // Foundation's archiver ends the process on 16 bits.
    CoderLine("encodeValue(ofObjCType: \(code))", isFoundations: code != "s" && code != "S") { coder in
        var value = value
        unsafe coder.encodeValue(ofObjCType: code, at: &value)
    } read: { coder in
        var result = zero
        unsafe coder.decodeValue(ofObjCType: code, at: &result)
        return result == value
    }
}

private let keyedLines: [CoderLine] = [
    CoderLine("encode(Any?, forKey:)") {
        $0.encode("x" as NSString, forKey: "k")
    } read: {
        $0.decodeObject(forKey: "k") as? String == "x"
    },
    CoderLine("decodeObject(of:forKey:)") {
        $0.encode([1, 2] as NSArray, forKey: "k")
    } read: {
        $0.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "k") as? [Int] == [1, 2]
    },
    CoderLine("decodeObject(of: class)") {
        $0.encode("x" as NSString, forKey: "k")
    } read: {
        $0.decodeObject(of: NSString.self, forKey: "k") == "x"
    },
    CoderLine("nil is there") {
        $0.encode(nil, forKey: "k")
    } read: {
        $0.containsValue(forKey: "k") && $0.decodeObject(forKey: "k") == nil
    },
    CoderLine("encode(Bool)") {
        $0.encode(true, forKey: "k")
    } read: {
        $0.decodeBool(forKey: "k")
    },
    CoderLine("encode(Int32)") {
        $0.encode(Int32.min, forKey: "k")
    } read: {
        $0.decodeInt32(forKey: "k") == .min
    },
    CoderLine("decodeCInt", isFoundations: false) {
        $0.encode(Int32.min, forKey: "k")
    } read: {
        $0.decodeCInt(forKey: "k") == .min
    },
    CoderLine("encode(Int64)") {
        $0.encode(Int64.min, forKey: "k")
    } read: {
        $0.decodeInt64(forKey: "k") == .min
    },
    CoderLine("encode(Int)") {
        $0.encode(-7, forKey: "k")
    } read: {
        $0.decodeInteger(forKey: "k") == -7
    },
    CoderLine("encode(Float)") {
        $0.encode(Float(0.1), forKey: "k")
    } read: {
        $0.decodeFloat(forKey: "k") == 0.1
    },
    CoderLine("encode(Double)") {
        $0.encode(0.1, forKey: "k")
    } read: {
        $0.decodeDouble(forKey: "k") == 0.1
    },
    CoderLine("encodeBytes(forKey:)") {
        unsafe $0.encodeBytes([1, 2, 3], length: 3, forKey: "k")
    } read: {
        let raw = unsafe $0.withDecodedUnsafeBytes(forKey: "k") { unsafe $0.map { unsafe Array($0) } }
        let typed = unsafe $0.withDecodedUnsafeBufferPointer(forKey: "k") { unsafe $0.map { unsafe Array($0) } }
        return raw == [1, 2, 3] && typed == [1, 2, 3]
    },
    CoderLine("encodeConditionalObject(forKey:)", isFoundations: false) {
        let object = NSMutableString(string: "m")
        $0.encodeConditionalObject(object, forKey: "c")
        $0.encode(object, forKey: "k")
    } read: {
        let conditional = $0.decodeObject(forKey: "c") as? NSObject
        return conditional === $0.decodeObject(forKey: "k") as? NSObject && conditional as? NSString == "m"
    },
    CoderLine("encodeConditionalObject(forKey:), held by nobody") {
        $0.encodeConditionalObject(NSMutableString(string: "m"), forKey: "c")
    } read: {
        $0.decodeObject(forKey: "c") == nil
    },
    CoderLine("encode(point, forKey:)") {
        $0.encode(CGPoint(x: 1, y: -2.5), forKey: "k")
    } read: {
        $0.decodePoint(forKey: "k") == CGPoint(x: 1, y: -2.5)
    },
    CoderLine("encode(size, forKey:)") {
        $0.encode(CGSize(width: 1, height: 2.5), forKey: "k")
    } read: {
        $0.decodeSize(forKey: "k") == CGSize(width: 1, height: 2.5)
    },
    CoderLine("encode(rect, forKey:)") {
        $0.encode(CGRect(x: 1, y: 2, width: 3, height: 4), forKey: "k")
    } read: {
        $0.decodeRect(forKey: "k") == CGRect(x: 1, y: 2, width: 3, height: 4)
    },
    CoderLine("decodePropertyList(forKey:)") {
        $0.encode(["a": [1]] as NSDictionary, forKey: "k")
    } read: {
        $0.decodePropertyList(forKey: "k") as? [String: [Int]] == ["a": [1]]
    },
    CoderLine("encodePropertyList(forKey:)") {
        ($0 as? ArchivingCoder)?.encodePropertyList(["a": 1] as NSDictionary, forKey: "k")
        ($0 as? NSKeyedArchiver)?.encodePropertyList(["a": 1] as NSDictionary, forKey: "k")
    } read: {
        $0.decodePropertyList(forKey: "k") as? [String: Int] == ["a": 1]
    },
    CoderLine("a key with a dollar") {
        $0.encode(5, forKey: "$k")
    } read: {
        $0.decodeInteger(forKey: "$k") == 5 && $0.containsValue(forKey: "$k") && !$0.containsValue(forKey: "k")
    },
    CoderLine("a key that is the class's") {
        $0.encode(5, forKey: "$class")
    } read: {
        $0.decodeInteger(forKey: "$class") == 5
    },
    CoderLine("a key that looks unkeyed", isFoundations: false) {
        $0.encode(5, forKey: "$0")
        $0.encode("u" as NSString)
    } read: {
        $0.decodeInteger(forKey: "$0") == 5 && $0.decodeObject() as? String == "u"
    },
    CoderLine("no such key") { _ in
    } read: {
        !$0.containsValue(forKey: "k") && $0.decodeInteger(forKey: "k") == 0 && !$0.decodeBool(forKey: "k")
            && $0.decodeDouble(forKey: "k") == 0
    },
    CoderLine("numbers are converted") {
        $0.encode(7, forKey: "k")
    } read: {
        $0.decodeDouble(forKey: "k") == 7 && $0.decodeFloat(forKey: "k") == 7
    },
    CoderLine("reals are converted") {
        $0.encode(7.75, forKey: "k")
    } read: {
        $0.decodeInteger(forKey: "k") == 7
    },
    CoderLine("the later of two values counts", isFoundations: false) {
        $0.encode(1, forKey: "k")
        $0.encode(2, forKey: "k")
    } read: {
        $0.decodeInteger(forKey: "k") == 2
    },
]

private let unkeyedLines: [CoderLine] = [
    CoderLine("encode(Any?)") {
        $0.encode("x" as NSString)
    } read: {
        $0.decodeObject() as? String == "x"
    },
    CoderLine("encode(nil)") {
        $0.encode(nil)
    } read: {
        $0.decodeObject() == nil
    },
    CoderLine("encode(Data)") {
        $0.encode(Data([1, 2]))
    } read: {
        $0.decodeData() == Data([1, 2])
    },
    CoderLine("encodeRootObject") {
        $0.encodeRootObject("r" as NSString)
    } read: {
        $0.decodeObject() as? String == "r"
    },
    CoderLine("encodeByrefObject") {
        $0.encodeByrefObject("r" as NSString)
    } read: {
        $0.decodeObject() as? String == "r"
    },
    CoderLine("encodeBycopyObject") {
        $0.encodeBycopyObject("r" as NSString)
    } read: {
        $0.decodeObject() as? String == "r"
    },
    CoderLine("encodePropertyList") {
        $0.encodePropertyList([1, "a"] as NSArray)
    } read: {
        ($0.decodePropertyList() as? [Any])?.count == 2
    },
    CoderLine("encodeConditionalObject", isFoundations: false) {
        let object = NSMutableString(string: "m")
        $0.encodeConditionalObject(object)
        $0.encode(object)
    } read: {
        let conditional = $0.decodeObject() as? NSObject
        return conditional === $0.decodeObject() as? NSObject && conditional as? NSString == "m"
    },
    // Foundation's encode(_: CGPoint) and its like without a key take every coder for NSKeyedArchiver, and nobody can
    // override them.
    CoderLine("encodeBytes(length:)") {
        unsafe $0.encodeBytes([1, 2, 3] as [UInt8], length: 3)
    } read: {
        var length: UInt32 = 0
        unsafe $0.decodeValue(ofObjCType: "I", at: &length)
        guard length == 3 else { return false }
        var bytes: [UInt8] = [0, 0, 0]
        unsafe $0.decodeArray(ofObjCType: "c", count: 3, at: &bytes)
        return bytes == [1, 2, 3]
    },
    CoderLine("encodeArray(ofObjCType:)") {
        unsafe $0.encodeArray(ofObjCType: "d", count: 2, at: [0.5, -1.5])
    } read: {
        var numbers = [0.0, 0.0]
        unsafe $0.decodeArray(ofObjCType: "d", count: 2, at: &numbers)
        return numbers == [0.5, -1.5]
    },
    // Foundation's unarchiver takes the place of an object for one that is never nil.
    CoderLine("encodeValue(ofObjCType: @)", isFoundations: false) {
        var object: Any? = "o" as NSString
        let coder = $0
        unsafe withUnsafePointer(to: &object) { unsafe coder.encodeValue(ofObjCType: "@", at: $0) }
    } read: {
        var object: Any?
        let coder = $0
        unsafe withUnsafeMutablePointer(to: &object) { unsafe coder.decodeValue(ofObjCType: "@", at: $0) }
        return object as? String == "o"
    },
    CoderLine("encodeValue(ofObjCType: #)") {
        var type: AnyClass = NSArray.self
        unsafe $0.encodeValue(ofObjCType: "#", at: &type)
    } read: {
        var type: AnyClass = NSString.self
        unsafe $0.decodeValue(ofObjCType: "#", at: &type)
        return type == NSArray.self
    },
    CoderLine("encodeValue(ofObjCType: *)") { coder in
        unsafe "Grüße".withCString { text in
            var text = unsafe text
            unsafe coder.encodeValue(ofObjCType: "*", at: &text)
        }
    } read: {
        var text: UnsafePointer<CChar>?
        unsafe $0.decodeValue(ofObjCType: "*", at: &text)
        return unsafe text.map { unsafe String(cString: $0) } == "Grüße"
    },
    number("c", Int8(-5), 0), number("C", UInt8(250), 0), number("s", Int16(-500), 0), number("S", UInt16(60_000), 0),
    number("i", Int32(-70_000), 0), number("I", UInt32(4_000_000_000), 0), number("q", Int64.min, 0),
    number("Q", UInt64(5), 0), number("f", Float(0.1), 0), number("d", 0.1, 0), number("B", true, false),
]

/// Every line of NSCoder's interface on Linux, each way: in our archives, in ours read by Foundation, in Foundation's.
@Suite struct CoderMethodTests {
    private static func ours(_ line: CoderLine, _ format: KeyedFormat = .binary) throws -> Data {
        let coder = ArchivingCoder(requiringSecureCoding: false)
        coder.outputFormat = format
        line.write(coder)
        return try coder.archive()
    }

    private static func reader(_ data: Data) throws -> UnarchivingCoder {
        try UnarchivingCoder(reading: data, requiringSecureCoding: false)
    }

    @Test(arguments: keyedLines + unkeyedLines, [KeyedFormat.binary, .xml])
    func comesBack(line: CoderLine, format: KeyedFormat) throws {
        let reader = try Self.reader(Self.ours(line, format))
        #expect(line.read(reader), "\(String(describing: reader.error))")
        #expect(reader.error == nil)
    }

    @Test(arguments: (keyedLines + unkeyedLines).filter(\.isFoundations))
    func foundationReadsOurs(line: CoderLine) throws {
        let reader = try NSKeyedUnarchiver(forReadingFrom: Self.ours(line))
        reader.requiresSecureCoding = false
        reader.decodingFailurePolicy = .setErrorAndReturn
        #expect(line.read(reader), "\(String(describing: reader.error))")
    }

    @Test(arguments: (keyedLines + unkeyedLines).filter(\.isFoundations))
    func foundationsIsRead(line: CoderLine) throws {
        let coder = NSKeyedArchiver(requiringSecureCoding: false)
        line.write(coder)
        let reader = try Self.reader(coder.encodedData)
        #expect(line.read(reader), "\(String(describing: reader.error))")
        #expect(reader.error == nil)
    }

    @Test func errorsOfAnObjectEndTheDecodingUnderEitherPolicy() throws {
        let coder = ArchivingCoder()
        coder.encode(5, forKey: "number")
        let data = try coder.archive()
        for policy in [NSCoder.DecodingFailurePolicy.setErrorAndReturn, .raiseException] {
            let reader = try UnarchivingCoder(reading: data)
            #expect(reader.decodingFailurePolicy == .setErrorAndReturn)
            reader.decodingFailurePolicy = policy
            #expect(reader.decodingFailurePolicy == policy)
            #expect(reader.decodeInteger(forKey: "number") == 5)
            try reader.finish()
            reader.failWithError(CocoaError(.coderReadCorrupt))
            #expect(reader.decodeInteger(forKey: "number") == 0 && reader.error != nil)
            #expect(throws: DecodingFailure(.rejectedByHook, "")) { try reader.finish() }
            #expect(reader.decodeObject(forKey: "number") == nil && !reader.containsValue(forKey: "number"))
        }
    }

    @Test func whatACoderSaysOfItselfIsWhatFoundationsSays() throws {
        let ours = ArchivingCoder(requiringSecureCoding: false)
        let theirs = NSKeyedArchiver(requiringSecureCoding: false)
        #expect(ours.allowsKeyedCoding == theirs.allowsKeyedCoding && ours.systemVersion == theirs.systemVersion)
        #expect(ours.requiresSecureCoding == theirs.requiresSecureCoding)
        ours.encode(1, forKey: "k")
        theirs.encode(1, forKey: "k")
        let reader = try UnarchivingCoder(reading: ours.archive())
        let other = try NSKeyedUnarchiver(forReadingFrom: theirs.encodedData)
        // Secure unless told otherwise, as on Apple's systems.
        #expect(reader.requiresSecureCoding)
        #expect(reader.allowsKeyedCoding == other.allowsKeyedCoding && reader.systemVersion == other.systemVersion)
        #expect(reader.version(forClassName: "NSArray") == NSNotFound)
        #expect(reader.decodingFailurePolicy == .setErrorAndReturn && other.error == nil && reader.error == nil)
    }

    @Test func objectThatGivesUpIsAFailureThatNamesIt() throws {
        let archive = HostileTests.archive([.dictionary(["$class": .reference(2)]), HostileTests.record("Refusing")])
        var decoder = KeyedDecoder()
        decoder.classMap.setClass(RefusingObject.self, for: "Refusing")
        do {
            _ = try decoder.decode(RefusingObject.self, from: archive)
            Issue.record("Made.")
        } catch {
            #expect(error.code == .rejectedByHook && error.description.contains("RefusingObject"))
        }
    }
}

private final class RefusingObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) {}
    required init?(coder: NSCoder) { return nil }
}
