// Room:   AmberReadable / Document. Documents of any form, by their first bytes.
// Takes:  bytes. Gives: nodes.
// Touches: the scanners.

public import AmberModel
public import Foundation

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
        if data.isEmpty {
            throw DecodingFailure(
                .truncated, offset: 0, position: .init(line: 1, column: 1), "The document is empty.")
        }
        self.init(copying: data)
        var scanner = JSONScanner(
            self, nodeLimit: limits.allowance(forArchiveOf: data.count) / MemoryLayout<Node>.size)
        do throws(SyntaxError) { try scanner.scan() } catch { throw DecodingFailure(error, self) }
    }
}

extension ReadableValue {
    /// Reads a JSON text.
    ///
    /// - Parameters:
    ///   - json: JSON in UTF-8.
    ///   - limits: What the text may cost.
    /// - Throws: ``DecodingFailure`` with line and column if it is no JSON, or nested more than 512 deep.
    /// - Complexity: O(*n*) in the size of the text.
    public init(json: Data, limits: DecodingLimits = DecodingLimits()) throws(DecodingFailure) {
        let document = try Document(json: json, limits)
        if document.isDeeper(than: 512) {
            throw DecodingFailure(.limitExceeded, "The text is nested more than 512 deep.")
        }
        self = document.tree(0)
    }

    /// Returns the tree as JSON; dates are ISO 8601, data is base64.
    ///
    /// - Parameter isPretty: Whether lines are broken and indented.
    /// - Returns: JSON in UTF-8. NaN and the infinities are written as texts.
    /// - Complexity: O(*n*) in the size of the tree.
    public func json(isPretty: Bool = false) -> Data {
        var sink = JSONSink(isPretty: isPretty)
        replay(into: &sink)
        return sink.take()
    }
}
