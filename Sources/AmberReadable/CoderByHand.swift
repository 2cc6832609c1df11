// Room:   AmberReadable. Documents written and read by an NSCoder that a function is given; documents in files.
// Takes:  a function, or a file. Gives: a document; what the function makes of one.
// Touches: the readable coder; files.

public import AmberModel
public import Foundation

extension ReadableEncoder {
    /// Returns the document of what a function gives a coder, as an NSCoding class's `encode(with:)` would.
    ///
    /// ```swift
    /// let data = try ReadableEncoder().encode(as: .json) { $0.encode(window.title, forKey: "title") }
    /// ```
    ///
    /// - Parameters:
    ///   - format: The form of the document.
    ///   - encode: What is written. Objects are shared as in any other document.
    /// - Returns: The document: one object with the keys that the coder was given, without `$class`.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``; `rejectedByHook` when `encode` throws.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encode(
        as format: ReadableFormat, by encode: (NSCoder) throws -> Void
    ) throws(EncodingFailure) -> Data {
        try withoutActuallyEscaping(encode) { encode throws(EncodingFailure) in
            try self.encode(CodedByHand(encode), as: format)
        }
    }

    /// Writes the document of `root` to a file, all or nothing.
    ///
    /// - Parameters:
    ///   - root: A model, or a value made of models and of the types that properties can have.
    ///   - format: The form of the document.
    ///   - url: Where the file is. One that is there is replaced when everything is written.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``; what the file system says.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encode<Root>(_ root: Root, as format: ReadableFormat, to url: URL) throws {
        try encode(root, as: format).write(to: url, options: .atomic)
    }
}

extension ReadableDecoder {
    /// Returns what a function makes of a document, which it reads as an NSCoding class's `init(coder:)` would.
    ///
    /// ```swift
    /// let title = try ReadableDecoder().decode(from: data) { $0.decodeObject(forKey: "title") as? String }
    /// ```
    ///
    /// - Parameters:
    ///   - data: A document whose root is an object, of whatever class.
    ///   - decode: What reads the root's keys. Its coder is of use only while it runs.
    /// - Returns: What `decode` returns.
    /// - Throws: ``DecodingFailure``; `rejectedByHook` when `decode` throws another error.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decode<Result>(
        from data: Data, by decode: (NSCoder) throws -> Result
    ) throws(DecodingFailure) -> Result {
        var result: Result?
        let document = try Document(data, options.limits)
        try withoutActuallyEscaping({ coder in result = try decode(coder) }) { body throws(DecodingFailure) in
            var rules = options.rules
            rules.byHand = body
            _ = try readRoot(CodedByHand.self, document, .plain, rules)
        }
        guard let result else { throw DecodingFailure(.corrupt, "The document's root was not read.") }
        return result
    }

    /// Returns the root of a document in a file, with everything it reaches.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - url: Where the file is.
    /// - Returns: The root.
    /// - Throws: ``DecodingFailure``; its code is `unreadableFile` when the file can't be read.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decode<Root>(_ type: Root.Type, contentsOf url: URL) throws(DecodingFailure) -> Root {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw DecodingFailure(.unreadableFile, "\(url.path) can't be read: \(error.localizedDescription)")
        }
        return try decode(type, from: data)
    }
}

/// The root of a document that a function writes or reads.
final class CodedByHand: NSObject, NSCoding {
    private let write: (NSCoder) throws -> Void

    init(_ write: @escaping (NSCoder) throws -> Void) { self.write = write }

    /// The reader calls the function itself.
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        do { try write(coder) } catch { coder.failWithError(error) }
    }
}
