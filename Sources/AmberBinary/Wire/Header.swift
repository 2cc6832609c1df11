// Room:   AmberBinary / Wire. The first bytes of an archive.
// Takes:  flags. Gives: six bytes; or an error that says why these are not ours.
// Touches: ByteWriter, ByteReader.

internal import AmberBytes
internal import AmberModel

/// The header: four bytes of magic, the format's version, flags.
enum Header {
    /// `AMBR`: what every archive starts with.
    static let magic: UInt32 = 0x5242_4D41
    static let size = 6

    /// What the archive contains. Bits without a name are zero.
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// The schema is left out; its fingerprint stands in its place.
        static let fingerprint = Flags(rawValue: 1)
        /// Definitions of types follow that the root's type doesn't name.
        static let moreTypes = Flags(rawValue: 2)
        /// There are objects.
        static let objects = Flags(rawValue: 4)
        static let all: Flags = [.fingerprint, .moreTypes, .objects]
    }

    static func write(_ flags: Flags, to out: inout ByteWriter) {
        out.write(magic)
        out.write(byte: FormatVersion.current.rawValue)
        out.write(byte: flags.rawValue)
    }

    static func read(from input: inout ByteReader) throws(DecodingFailure) -> (FormatVersion, Flags) {
        guard (try? input.read(UInt32.self)) == magic else {
            throw DecodingFailure(
                .notAnArchive, offset: 0, "These bytes are not an Amber archive: it starts with `AMBR`.")
        }
        let number = try lifting { () throws(ByteError) in try input.readByte() }
        guard let version = FormatVersion(rawValue: number) else {
            throw DecodingFailure(
                .unsupportedVersion, offset: 4,
                "The archive has version \(number) of the format; this reader knows versions up to "
                    + "\(FormatVersion.current.rawValue). Update Amber.")
        }
        let bits = try lifting { () throws(ByteError) in try input.readByte() }
        guard Flags.all.isSuperset(of: Flags(rawValue: bits)) else {
            throw DecodingFailure(.corrupt, offset: 5, "The header has flags that version \(number) doesn't know.")
        }
        return (version, Flags(rawValue: bits))
    }
}
