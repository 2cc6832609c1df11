// Room:   CustomisingTests. The coders that a customised type is tried with.
// Takes:  a value. Gives: its archive, and what is read from it.
// Touches: the binary and the keyed coder.

import Amber
import AmberKeyed
import Foundation
import Testing

/// A coder that a rule must hold for.
enum AnyCoder: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case binary, deterministic, keyed, xml, readable, readableList

    var isKeyed: Bool { self == .keyed || self == .xml }
    /// Documents name the type of their root.
    var namesItsRoot: Bool { self == .readable || self == .readableList }

    var testDescription: String { rawValue }

    func encode<T>(_ value: T) throws -> Data {
        switch self {
        case .binary: return try BinaryEncoder().encode(value)
        case .deterministic: return try BinaryEncoder(options: .init(isDeterministic: true)).encode(value)
        case .keyed: return try KeyedEncoder().encode(value)
        case .xml:
            var encoder = KeyedEncoder()
            encoder.format = .xml
            return try encoder.encode(value)
        case .readable: return try ReadableEncoder().encode(value)
        case .readableList: return try ReadableEncoder().encode(value, as: .binaryPropertyList)
        }
    }

    func decode<T>(_ type: T.Type, from data: Data) throws -> T {
        switch self {
        case .binary, .deterministic: return try BinaryDecoder().decode(type, from: data)
        case .readable, .readableList: return try ReadableDecoder().decode(type, from: data)
        case .keyed, .xml:
            var decoder = KeyedDecoder()
            // What is in an `Any` may be anything here.
            decoder.requiresSecureCoding = false
            return try decoder.decode(type, from: data)
        }
    }

    /// A value of types of newer versions, as far as this program knows them.
    func decodeLeniently<T>(_ type: T.Type, from data: Data) throws -> T {
        switch self {
        case .binary, .deterministic:
            return try BinaryDecoder(options: .init(newerModels: .readKnownProperties)).decode(type, from: data)
        case .readable, .readableList:
            return try ReadableDecoder(options: .init(newerModels: .readKnownProperties)).decode(type, from: data)
        case .keyed, .xml:
            var decoder = KeyedDecoder()
            (decoder.requiresSecureCoding, decoder.newerModels) = (false, .readKnownProperties)
            return try decoder.decode(type, from: data)
        }
    }

    /// A value after it went out and came back.
    func copy<T>(_ value: T) throws -> T { try decode(T.self, from: try encode(value)) }

    /// What `New` makes of the archive of a value of another type.
    func read<Old, New>(_ value: Old, as type: New.Type) throws -> New {
        if namesItsRoot { return try decode([New].self, from: try encode([value]))[0] }
        return try decode(type, from: try encode(value))
    }
}
