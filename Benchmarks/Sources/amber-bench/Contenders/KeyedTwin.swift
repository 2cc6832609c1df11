// Room:   amber-bench / Contenders. What NSKeyedArchiver makes a user write beside each struct.
// Takes:  values of simple types. Gives: entries of a keyed coder. Touches: Foundation's coders.

import Foundation

/// A class that carries one struct through NSKeyedArchiver.
protocol KeyedTwin: NSObject, NSSecureCoding {
    associatedtype Record: Equatable & SendableMetatype
    init(_ record: Record)
    var record: Record { get }
}

extension NSCoder {
    func put(_ value: some BinaryInteger, _ key: String) {
        encode(Int64(truncatingIfNeeded: value), forKey: key)
    }

    func put(_ value: Bool, _ key: String) {
        encode(value, forKey: key)
    }

    func put(_ value: Float, _ key: String) {
        encode(value, forKey: key)
    }

    func put(_ value: Double, _ key: String) {
        encode(value, forKey: key)
    }

    func put(_ value: String?, _ key: String) {
        encode(value.map { $0 as NSString }, forKey: key)
    }

    func put<Twin: KeyedTwin>(_ value: Twin.Record?, as twin: Twin.Type, _ key: String) {
        encode(value.map { Twin($0) }, forKey: key)
    }

    func put<Twin: KeyedTwin>(_ values: [Twin.Record], as twin: Twin.Type, _ key: String) {
        encode(values.map { Twin($0) } as NSArray, forKey: key)
    }

    func put(_ values: [String], _ key: String) {
        encode(values.map { $0 as NSString } as NSArray, forKey: key)
    }

    func integer<Value: FixedWidthInteger>(_ key: String) -> Value {
        Value(truncatingIfNeeded: decodeInt64(forKey: key))
    }

    func bool(_ key: String) -> Bool {
        decodeBool(forKey: key)
    }

    func float(_ key: String) -> Float {
        decodeFloat(forKey: key)
    }

    func double(_ key: String) -> Double {
        decodeDouble(forKey: key)
    }

    func text(_ key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key) as String?
    }

    func record<Twin: KeyedTwin>(_ twin: Twin.Type, _ key: String) -> Twin.Record? {
        decodeObject(of: Twin.self, forKey: key)?.record
    }

    func records<Twin: KeyedTwin>(_ twin: Twin.Type, _ key: String) -> [Twin.Record] {
        (decodeObject(of: [NSArray.self, Twin.self], forKey: key) as? [Twin])?.map(\.record) ?? []
    }

    func texts(_ key: String) -> [String] {
        (decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]) ?? []
    }

    func bytes(_ key: String) -> [UInt8] {
        decodeObject(of: NSData.self, forKey: key).map { Array($0 as Data) } ?? []
    }

    func numbers(_ key: String) -> [UInt16] {
        (decodeObject(of: [NSArray.self, NSNumber.self], forKey: key) as? [NSNumber])?.map(\.uint16Value) ?? []
    }
}
