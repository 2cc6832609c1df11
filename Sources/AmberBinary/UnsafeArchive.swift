// Room:   AmberBinary. From the bytes of an archive to its root value.
// Takes:  Data, the type of the root. Gives: the root; LZ4 frames are undone on the way.
// Touches: GraphReader; LZ4Frame.
//
// Invariants
// 1. The bytes are read inside the closure that lends them only; nothing that is decoded keeps a pointer to them.

internal import AmberBytes
internal import AmberModel
internal import Foundation

/// The root of an archive that may be an LZ4 frame.
func readArchive<Root>(
    of type: Root.Type, in data: Data, _ options: BinaryDecodingOptions
) throws(DecodingFailure) -> Root {
    try unsafe data.withBytes { bytes throws(DecodingFailure) in try unsafe readArchive(of: type, in: bytes, options) }
}

private func readArchive<Root>(
    of type: Root.Type, in bytes: UnsafeRawBufferPointer, _ options: BinaryDecodingOptions
) throws(DecodingFailure) -> Root {
    let block: SchemaBlock
    do throws(SchemaFailure) { block = try SchemaBlock.block(for: type) } catch { throw DecodingFailure(error) }
    try checkSize(bytes.count, options.limits)
    if unsafe LZ4Frame.isFrame(bytes) {
        let archive = try unsafe LZ4Frame.decompress(bytes, limit: options.limits.bytes)
        return unsafe try archive.withBytes { archive throws(DecodingFailure) in
            try unsafe readRoot(type, from: archive, options, block)
        }
    }
    return try unsafe readRoot(type, from: bytes, options, block)
}

/// The root of an archive that may be an LZ4 frame, read without its types.
func readDynamicArchive(in data: Data, _ options: BinaryDecodingOptions) throws(DecodingFailure) -> DynamicValue {
    try unsafe data.withBytes { bytes throws(DecodingFailure) in
        try checkSize(bytes.count, options.limits)
        guard unsafe LZ4Frame.isFrame(bytes) else { return try unsafe readDynamicRoot(from: bytes, options) }
        let archive = try unsafe LZ4Frame.decompress(bytes, limit: options.limits.bytes)
        return unsafe try archive.withBytes { archive throws(DecodingFailure) in
            try unsafe readDynamicRoot(from: archive, options)
        }
    }
}

private func readDynamicRoot(
    from bytes: UnsafeRawBufferPointer, _ options: BinaryDecodingOptions
) throws(DecodingFailure) -> DynamicValue {
    var options = options
    options.objects = .dynamic
    let budget = ByteBudget(bytes: options.limits.allowance(forArchiveOf: bytes.count))
    return try unsafe withByteReader(over: bytes, budget: budget) { input throws(DecodingFailure) in
        var reader = GraphReader(input, options: options)
        return try reader.readDynamicRoot()
    }
}

private func readRoot<Root>(
    _ type: Root.Type, from bytes: UnsafeRawBufferPointer, _ options: BinaryDecodingOptions, _ block: SchemaBlock
) throws(DecodingFailure) -> Root {
    let budget = ByteBudget(bytes: options.limits.allowance(forArchiveOf: bytes.count))
    return try unsafe withByteReader(over: bytes, budget: budget) { input throws(DecodingFailure) in
        try makeRoot(type) { rows throws(DecodingFailure) in
            if let message = block.message, try message.read(into: rows, from: &input, options.limits) { return }
            var reader = GraphReader(input, options: options)
            let crew = Crew.hire(options.threads, options.smallestSharedBatch)
            defer { crew?.dismiss() }
            reader.crew = crew
            try reader.read(into: rows, block)
        }
    }
}
