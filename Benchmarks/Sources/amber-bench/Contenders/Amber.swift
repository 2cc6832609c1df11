// Room:   amber-bench / Contenders. Amber's binary coder.
// Takes:  any model, or array of models. Gives: archives. Touches: Amber's public interface only.

import Amber
import Foundation

/// Amber's binary coder, into a fresh buffer or into one that is kept.
struct AmberContender<Value>: Contender {
    let name: String
    let keepsBuffer: Bool
    private let encoder: BinaryEncoder
    private let decoder: BinaryDecoder

    /// - Parameters:
    ///   - name: One of Amber's names in ``CoderName``; it decides the options.
    ///   - isDeterministic: Whether equal values give equal bytes.
    init(_ name: String = CoderName.amber, isDeterministic: Bool = false) {
        self.name = name
        keepsBuffer = name == CoderName.amberKept
        var options = BinaryEncodingOptions()
        options.isDeterministic = isDeterministic
        var decodingOptions = BinaryDecodingOptions()
        switch name {
        case CoderName.amberLZ4: options.compression = .lz4()
        case CoderName.amberLZ4High: options.compression = .lz4(LZ4Options(level: 9))
        case CoderName.amberThreads:
            options.threads = ProcessInfo.processInfo.activeProcessorCount
            decodingOptions.threads = options.threads
        default: break
        }
        encoder = BinaryEncoder(options: options)
        decoder = BinaryDecoder(options: decodingOptions)
    }

    func encode(_ value: Value, into buffer: inout Data) throws {
        if keepsBuffer {
            try encoder.encode(value, into: &buffer)
        } else {
            buffer = try encoder.encode(value)
        }
    }

    func decode(_ archive: Data) throws -> Value {
        try decoder.decode(Value.self, from: archive)
    }
}

/// A value that is Codable and nothing else, so that Amber takes its Codable path.
struct CodableOnly<Wrapped: Codable & Equatable>: Codable, Equatable {
    let wrapped: Wrapped

    init(_ wrapped: Wrapped) { self.wrapped = wrapped }

    init(from decoder: any Decoder) throws { wrapped = try Wrapped(from: decoder) }

    func encode(to encoder: any Encoder) throws { try wrapped.encode(to: encoder) }
}
