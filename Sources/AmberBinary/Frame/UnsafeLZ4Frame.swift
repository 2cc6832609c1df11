// Room:   AmberBinary / Frame. A standard LZ4 frame around an archive.
// Takes:  the bytes of an archive, or of a frame. Gives: the other.
// Touches: liblz4's frame interface (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md).
//
// Invariants
// 1. liblz4 writes into memory of at least the size that its own bound function names.
// 2. Contexts are freed on every way out; after an error they are not used again.
// 3. Output grows with what was really decompressed, never with what a header declares.

internal import AmberBytes
internal import AmberModel
internal import CLZ4
internal import Foundation

enum LZ4Frame {
    /// The first four bytes of every frame, as a little-endian number.
    static let magic: UInt32 = 0x184D_2204

    /// The frame of an archive, with its size and a checksum of its contents.
    static func compress(_ archive: inout ByteWriter, _ options: LZ4Options) throws(EncodingFailure) -> Data {
        var preferences = LZ4F_preferences_t()
        preferences.frameInfo.blockSizeID = options.blockSize.code
        preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled
        preferences.frameInfo.contentSize = UInt64(archive.count)
        preferences.compressionLevel = Int32(clamping: options.level)
        let bound = unsafe LZ4F_compressFrameBound(archive.count, &preferences)
        var frame = ByteWriter(capacity: bound)
        let size = unsafe archive.withBytes { source in
            unsafe LZ4F_compressFrame(frame.base, bound, source.baseAddress, source.count, &preferences)
        }
        guard LZ4F_isError(size) == 0 else {
            throw EncodingFailure(.compression, "liblz4 failed: \(unsafe String(cString: LZ4F_getErrorName(size))).")
        }
        unsafe frame.appendUninitialized(size) { _ in }
        return Data(taking: &frame)
    }

    /// The archive in a frame.
    static func decompress(
        _ frame: UnsafeRawBufferPointer, limit: Int
    ) throws(DecodingFailure) -> ByteWriter {
        var created: OpaquePointer?
        guard unsafe LZ4F_isError(LZ4F_createDecompressionContext(&created, UInt32(LZ4F_VERSION))) == 0,
            let context = unsafe created
        else { throw DecodingFailure(.corrupt, "liblz4 could not be set up.") }
        defer { unsafe _ = LZ4F_freeDecompressionContext(context) }
        // LZ4 can't expand by more than 255; a small frame gets a small buffer.
        var archive = ByteWriter(capacity: min(frame.count * 4 + 1024, 1 << 20))
        var consumed = 0
        while true {
            let room = max(min(archive.count, 4 << 20), 64 << 10)
            archive.reserve(room)
            var produced = room
            var taken = frame.count - consumed
            let hint = unsafe LZ4F_decompress(
                context, archive.base + archive.count, &produced,
                frame.baseAddress.map { unsafe $0 + consumed }, &taken, nil)
            guard LZ4F_isError(hint) == 0 else {
                throw DecodingFailure(
                    .corrupt, offset: consumed,
                    "The LZ4 frame is damaged: \(unsafe String(cString: LZ4F_getErrorName(hint))).")
            }
            consumed += taken
            unsafe archive.appendUninitialized(produced) { _ in }
            guard archive.count <= limit else {
                throw DecodingFailure(
                    .limitExceeded, offset: consumed,
                    "The LZ4 frame holds more than \(limit) bytes. If it is to be trusted, raise `DecodingLimits.bytes`."
                )
            }
            if hint == 0 { break }
            if taken == 0, produced == 0 {
                throw DecodingFailure(.truncated, offset: consumed, "The LZ4 frame ends before its contents do.")
            }
        }
        guard consumed == frame.count else {
            throw DecodingFailure(.truncated, offset: consumed, "Bytes follow the end of the LZ4 frame.")
        }
        return archive
    }
}

extension LZ4Options.BlockSize {
    fileprivate var code: LZ4F_blockSizeID_t {
        switch self {
        case .kilobytes64: LZ4F_max64KB
        case .kilobytes256: LZ4F_max256KB
        case .megabyte1: LZ4F_max1MB
        case .megabytes4: LZ4F_max4MB
        }
    }
}

extension LZ4Frame {
    /// Whether bytes start as an LZ4 frame does.
    static func isFrame(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 4 else { return false }
        return unsafe UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == magic
    }
}
