// Room:   AmberReadable. Models as dictionaries that key-value stores take.
// Takes:  a model. Gives: a dictionary of numbers, texts, dates, data, arrays and dictionaries; its size; the model again.
// Touches: the readable coder.

public import AmberModel
internal import Foundation

/// Makes models dictionaries that key-value stores and property lists take, and back.
///
/// ```swift
/// let dictionary = try KeyValueCoder().dictionary(of: settings)
/// let same = try KeyValueCoder().model(Settings.self, from: dictionary)
/// ```
///
/// Every model in a model is a dictionary with the name of its class; nil is left out, unless the model's `init()` gives the
/// property a value: then it is the text `$null`, so that nothing that was set to nil comes back as its default. What property lists don't have, such as
/// sets in an `Any`, stands in the marked form of the readable coder. Objects that are referred to twice are written once.
public struct KeyValueCoder: Sendable {
    /// The key of class names that older model libraries write.
    public static let olderClassKey = "__MTLModel_NSUbiquitousKeyValueStore_className__"

    /// What a dictionary takes in a store.
    public struct Size: Sendable, Equatable {
        /// The bytes of all keys and values, as a binary property list.
        public var bytes: Int
        /// How many keys the dictionary has.
        public var keys: Int
        /// The bytes of the longest of these keys in UTF-8.
        public var longestKey: Int
    }

    /// The key under which the name of a model's class is written. Default: `$class`. Both are read.
    public var classKey: String
    /// How dictionaries are read.
    public var options: ReadableDecodingOptions

    /// Makes a coder.
    ///
    /// - Parameters:
    ///   - classKey: The key under which the name of a model's class is written; ``olderClassKey`` for stores that an older
    ///     library reads too. There each reference is written as a dictionary of its own.
    ///   - options: How dictionaries are read.
    public init(classKey: String = "$class", options: ReadableDecodingOptions = ReadableDecodingOptions()) {
        self.classKey = classKey
        self.options = options
    }

    private func tree<Root>(_ model: Root) throws(EncodingFailure) -> ReadableValue {
        var rules = ReadableEncodingOptions().rules
        rules.namesModels = true
        rules.omitsNil = true
        rules.keepsNilOverDefaults = true
        rules.usesAliases = classKey == Marker.type
        let tree = try write(model, TreeSink(.propertyList), .plain, rules).root
        return classKey == Marker.type ? tree : tree.renaming(Marker.type, to: classKey)
    }

    /// Returns the dictionary of a model.
    ///
    /// - Parameter model: An object or struct.
    /// - Returns: A dictionary that is a property list.
    /// - Throws: ``EncodingFailure``, `unsupportedType` for what is no dictionary.
    /// - Complexity: O(*n*) in what the model reaches.
    public func dictionary<Root>(of model: Root) throws(EncodingFailure) -> [String: Any] {
        guard let dictionary = try tree(model).foundation as? [String: Any] else {
            throw EncodingFailure(
                .unsupportedType, "A \(codingName(of: Root.self)) is no dictionary. Put it in a model.")
        }
        return dictionary
    }

    /// Returns what a model's dictionary takes, without putting it anywhere.
    ///
    /// - Parameter model: An object or struct.
    /// - Returns: Its size as a binary property list, which stores measure by, and that of its keys.
    /// - Throws: ``EncodingFailure``, as ``dictionary(of:)``.
    /// - Complexity: O(*n*) in what the model reaches.
    public func size<Root>(of model: Root) throws(EncodingFailure) -> Size {
        let tree = try tree(model)
        var sink = BinarySink()
        tree.replay(into: &sink)
        let keys = (tree.object ?? []).map(\.key.utf8.count)
        return Size(bytes: sink.data.count, keys: keys.count, longestKey: keys.max() ?? 0)
    }

    /// Returns the model of a dictionary.
    ///
    /// - Parameters:
    ///   - type: The type of the model.
    ///   - dictionary: What ``dictionary(of:)``, or an older library, made.
    /// - Returns: The model.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the dictionary.
    public func model<Root>(_ type: Root.Type, from dictionary: [String: Any]) throws(DecodingFailure) -> Root {
        guard let tree = ReadableValue(foundation: dictionary) else {
            throw DecodingFailure(
                .notAnArchive, "The dictionary holds a value that no property list has, or is nested too deeply.")
        }
        let renamed = tree.renaming(Self.olderClassKey, to: Marker.type).renaming(classKey, to: Marker.type)
        return try ReadableDecoder(options: options).decode(type, from: renamed)
    }
}

extension ReadableValue {
    /// The tree with a key of all objects under another name, where it has a text.
    func renaming(_ key: String, to name: String) -> ReadableValue {
        if key == name { return self }
        switch self {
        case .array(let elements): return .array(elements.map { $0.renaming(key, to: name) })
        case .object(let pairs):
            return .object(
                pairs.map { pair in
                    if pair.key == key, pair.value.string != nil { return (key: name, value: pair.value) }
                    return (key: pair.key, value: pair.value.renaming(key, to: name))
                })
        default: return self
        }
    }
}
