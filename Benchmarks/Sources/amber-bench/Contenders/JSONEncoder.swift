// Room:   amber-bench / Contenders. Foundation's JSON coder.
// Takes:  Codable values. Gives: archives. Touches: Foundation.

import Foundation

/// JSONEncoder and JSONDecoder as they come.
struct JSONContender<Value: Codable>: Contender {
    let name = CoderName.json
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    func encode(_ value: Value, into buffer: inout Data) throws {
        buffer = try encoder.encode(value)
    }

    func decode(_ archive: Data) throws -> Value {
        try decoder.decode(Value.self, from: archive)
    }
}
