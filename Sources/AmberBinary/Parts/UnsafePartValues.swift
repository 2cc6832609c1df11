// Room:   AmberBinary / Parts. The values of a part while they are read, and the memory of the archive that they come from.
// Takes:  a type, rows to fill. Gives: an array.
// Touches: memory of its own; the bytes of an archive, which Data lends.
//
// Invariants
// 1. Each chunk holds initialised values of the plan's type; they stay at their addresses until `take`, since collections of
//    objects are put into them when all objects are filled.
// 2. `take` moves the values out, once; chunks that are dropped destroy theirs.
// 3. The plan is that of `Value`, or of a property whose type is `Value`.

internal import AmberBytes
internal import AmberModel
internal import Foundation

/// Values that were read for a part of an archive.
@safe
final class PartValues {
    private(set) var plan: ValuePlan
    /// The way from the type in the archive that was read last.
    var lastPlan: (wire: WireType, plan: ReadPlan)?
    private var chunks: [(values: TemporaryValues, kept: Range<Int>)] = []

    init(_ plan: ValuePlan) { self.plan = plan }

    /// Reads by the plan of a property, if that has the type that is asked for: it may have rules of its own.
    func use(_ property: ValuePlan) {
        if property.type == plan.type { plan = property }
    }

    /// Adds values that `fill` makes, of which only those in a range are wanted.
    func append(
        _ count: Int, keeping selection: Range<Int>, _ fill: (Rows) throws(DecodingFailure) -> Void
    ) throws(DecodingFailure) {
        let values = unsafe TemporaryValues(plan.witnesses, count: count)
        try fill(values.rows)
        values.initialized = count
        chunks.append((values, selection))
    }

    func removeAll() { chunks = [] }

    /// The wanted values, which are moved out.
    func take<Value>(as type: Value.Type) -> [Value] {
        let total = chunks.reduce(0) { $0 + $1.kept.count }
        let result = unsafe [Value](unsafeUninitializedCapacity: total) { buffer, count in
            guard var target = buffer.baseAddress else { return }
            for (values, kept) in chunks {
                let source = unsafe values.base.bindMemory(to: Value.self, capacity: values.count)
                unsafe source.deinitialize(count: kept.lowerBound)
                unsafe target.moveInitialize(from: source + kept.lowerBound, count: kept.count)
                unsafe (source + kept.upperBound).deinitialize(count: values.count - kept.upperBound)
                values.initialized = 0
                unsafe target += kept.count
            }
            count = total
        }
        chunks = []
        return result
    }
}

/// Reads a part of an archive that is in no LZ4 frame.
func readParts<Value>(
    _ part: ArchivePart, of type: Value.Type, in data: Data, _ options: BinaryDecodingOptions
) throws(DecodingFailure) -> [Value] {
    let plan: ValuePlan
    do throws(SchemaFailure) { plan = try PlanCache.shared.plan(for: type) } catch { throw DecodingFailure(error) }
    let values = PartValues(plan)
    try withReader(over: data, options) { reader throws(DecodingFailure) in try reader.readPart(part, values) }
    return values.take(as: type)
}

/// Gives `body` a reader at the start of an archive that is in no LZ4 frame.
func withReader<R>(
    over data: Data, _ options: BinaryDecodingOptions, _ body: (inout GraphReader) throws(DecodingFailure) -> R
) throws(DecodingFailure) -> R {
    try unsafe data.withBytes { bytes throws(DecodingFailure) in
        let budget = ByteBudget(bytes: options.limits.allowance(forArchiveOf: bytes.count))
        return try unsafe withByteReader(over: bytes, budget: budget) { input throws(DecodingFailure) in
            var reader = GraphReader(input, options: options)
            return try body(&reader)
        }
    }
}

/// An archive without its LZ4 frame, if it has one.
func plainArchive(_ data: Data, _ limits: DecodingLimits) throws(DecodingFailure) -> Data {
    try unsafe data.withBytes { bytes throws(DecodingFailure) in
        try checkSize(bytes.count, limits)
        guard unsafe LZ4Frame.isFrame(bytes) else { return data }
        var archive = try unsafe LZ4Frame.decompress(bytes, limit: limits.bytes)
        return Data(taking: &archive)
    }
}

/// An archive may not be larger than the limits say.
func checkSize(_ size: Int, _ limits: DecodingLimits) throws(DecodingFailure) {
    if size <= limits.bytes { return }
    throw DecodingFailure(
        .limitExceeded,
        "The archive has \(size) bytes, more than `DecodingLimits.bytes` allows. If it is to be trusted, raise the limit."
    )
}

extension Data {
    /// The contents of a file, mapped into memory where the system can.
    init(mapping url: URL) throws(DecodingFailure) {
        do { try self.init(contentsOf: url, options: .alwaysMapped) } catch {
            throw DecodingFailure(.unreadableFile, "\(url.path) can't be read: \(error.localizedDescription)")
        }
    }
}
