// Room:   amber-bench / Contenders. Amber's coders of texts.
// Takes:  any model, or array of models. Gives: JSON. Touches: Amber's public interface only.

import Amber
import Foundation

/// Amber's readable coder, without line breaks as JSONEncoder comes.
struct ReadableContender<Value>: Contender {
    let name = CoderName.readable
    private let encoder = ReadableEncoder(options: .init(isPretty: false))
    private let decoder = ReadableDecoder()

    func encode(_ value: Value, into buffer: inout Data) throws {
        buffer = try encoder.encode(value)
    }

    func decode(_ archive: Data) throws -> Value {
        try decoder.decode(Value.self, from: archive)
    }
}

/// Amber's mapped JSON.
struct MappedContender<Value>: Contender {
    let name = CoderName.mapped
    private let encoder = MappedJSONEncoder()
    private let decoder = MappedJSONDecoder()

    func encode(_ value: Value, into buffer: inout Data) throws {
        buffer = try encoder.encode(value)
    }

    func decode(_ archive: Data) throws -> Value {
        try decoder.decode(Value.self, from: archive)
    }
}
