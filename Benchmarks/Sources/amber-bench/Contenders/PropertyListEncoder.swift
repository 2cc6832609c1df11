// Room:   amber-bench / Contenders. Foundation's property list coder, binary.
// Takes:  Codable values. Gives: archives. Touches: Foundation.

import Foundation

/// PropertyListEncoder with the binary format, and PropertyListDecoder.
struct PropertyListContender<Value: Codable>: Contender {
    let name = CoderName.propertyList
    private let encoder: PropertyListEncoder
    private let decoder = PropertyListDecoder()

    init() {
        encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
    }

    func encode(_ value: Value, into buffer: inout Data) throws {
        buffer = try encoder.encode(value)
    }

    func decode(_ archive: Data) throws -> Value {
        try decoder.decode(Value.self, from: archive)
    }
}
