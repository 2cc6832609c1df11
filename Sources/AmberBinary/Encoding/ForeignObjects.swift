// Room:   AmberBinary / Encoding. Objects in existentials: models, and those that are archived by code of their own.
// Takes:  values and references. Gives: the object that stands for each in the archive.
// Touches: ForeignWriter, which asks the objects.

internal import AmberModel

extension GraphWriter {
    /// What is archived as a reference, when a value in an existential is an object: a model, or the record of another.
    mutating func referenced(_ value: Any) throws(EncodingFailure) -> AnyObject? {
        guard let type = type(of: value) as? AnyClass else { return nil }
        if type is any ModelProtocol.Type { return value as AnyObject }
        // A Codable class is archived as what its conformance says.
        if type is any Codable.Type { return nil }
        guard let record = try archived(value as AnyObject) else {
            throw EncodingFailure(
                .unsupportedType,
                "A \(codingName(of: type)) gives nothing as its replacement, where a value is needed.")
        }
        return record
    }

    /// What is archived in an object's place; `nil` for nothing.
    mutating func archived(_ object: AnyObject) throws(EncodingFailure) -> AnyObject? {
        if type(of: object) is any ModelProtocol.Type { return object }
        collector.holdAll()
        let writer = foreign ?? ForeignWriter(isDeterministic: options.isDeterministic)
        foreign = writer
        return try writer.standIn(for: object)
    }

    /// What is archived in an object's place, if it has been met.
    func knownArchived(_ object: AnyObject) -> AnyObject? {
        if type(of: object) is any ModelProtocol.Type { return object }
        return foreign?.knownStandIn(for: object)
    }
}
