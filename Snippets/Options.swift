// Room:   Snippets. The options of the binary coder.
// Takes:  nothing. Gives: archives in several forms. Touches: nothing.
import Amber
import Foundation

struct Reading: Model, Equatable {
    var sensor = "north"
    var values: [Double] = []
}
let readings = (0..<100).map { Reading(values: [Double($0), 0.5]) }
// snippet.show
// An LZ4 frame, which the command `lz4 -d` undoes and the decoder recognises.
let small = try BinaryEncoder(options: .init(compression: .lz4(.init(level: 9)))).encode(readings)

// Equal values, equal bytes: for caches, signatures and diffs.
let stable = try BinaryEncoder(options: .init(isDeterministic: true)).encode(readings)

// Eight bytes instead of the schema: for messages between programs that share the types.
let short = try BinaryEncoder(options: .init(schema: .fingerprint)).encode(readings[0])

// Memory that is used again.
var buffer = Data()
for reading in readings { try BinaryEncoder().encode(reading, into: &buffer) }

// What input from strangers may cost.
let strict = BinaryDecoder(options: .init(limits: .init(bytes: 1 << 20, expansion: 16, baseMemory: 1 << 20)))
let back = try strict.decode([Reading].self, from: small)
// snippet.hide
let decoder = BinaryDecoder()
let (fromStable, fromShort) = (
    try decoder.decode([Reading].self, from: stable), try decoder.decode(Reading.self, from: short)
)
let fromBuffer = try decoder.decode(Reading.self, from: buffer)
precondition(back == readings && fromStable == readings && fromShort == readings[0] && fromBuffer == readings[99])
