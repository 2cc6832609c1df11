// Room:   AmberReadable / Document. Documents of any form, by their first bytes.
// Takes:  bytes. Gives: nodes.
// Touches: the scanners.

internal import AmberModel
internal import Foundation

extension Document {
    /// The document of a text or property list, whichever it is.
    convenience init(_ data: Data, _ limits: DecodingLimits) throws(DecodingFailure) {
        let isBinary = data.starts(with: Array("bplist0".utf8))
        let first = data.first { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
        guard isBinary || first == UInt8(ascii: "<") else {
            try self.init(json: data, limits)
            return
        }
        try Self.check(data, limits)
        self.init(copying: isBinary ? Data() : data)
        let (bytes, allowance) = ([UInt8](data), limits.allowance(forArchiveOf: data.count))
        do throws(SyntaxError) {
            if isBinary {
                var scanner = BinaryScanner(self, bytes, budget: allowance)
                try scanner.scan()
            } else {
                var scanner = XMLScanner(self, bytes, nodeLimit: allowance / MemoryLayout<Node>.size)
                try scanner.scan()
            }
        } catch {
            throw DecodingFailure(error, self)
        }
    }

    private static func check(_ data: Data, _ limits: DecodingLimits) throws(DecodingFailure) {
        guard data.count <= limits.bytes, data.count < Int(Int32.max) - 64 else {
            throw DecodingFailure(
                .limitExceeded, "\(data.count) bytes are more than the limit of \(min(limits.bytes, Int(Int32.max))).")
        }
    }

    /// The document of a JSON text.
    convenience init(json data: Data, _ limits: DecodingLimits) throws(DecodingFailure) {
        try Self.check(data, limits)
        self.init(copying: data)
        var scanner = JSONScanner(
            self, nodeLimit: limits.allowance(forArchiveOf: data.count) / MemoryLayout<Node>.size)
        do throws(SyntaxError) { try scanner.scan() } catch { throw DecodingFailure(error, self) }
    }
}
