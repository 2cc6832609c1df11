// Room:   AmberBinary / Encoding. One archive in the making: header, schema, values, objects.
// Takes:  the address of a root and its schema block. Gives: the bytes.
// Touches: ByteWriter; values through the row and column writers.

internal import AmberBytes
internal import AmberModel

/// The state of one encoding.
struct GraphWriter: ~Copyable {
    var out: ByteWriter
    var collector = ObjectCollector()
    /// Numbers of the column at hand; kept from column to column for its memory.
    var scratch = ColumnScratch()
    var strings = StringInterner()
    /// The archive's types by number.
    var types = TypeTable()
    let version = FormatVersion.current
    let options: BinaryEncodingOptions
    /// How deep the value at hand is nested in others.
    var depth = 0
    /// Whether what is written is only compared: references become what their objects are ordered by.
    var isSorting = false
    /// Bytes of memory that a reader will be charged for.
    var charge = 0

    init(options: BinaryEncodingOptions, capacity: Int) {
        self.options = options
        out = ByteWriter(capacity: capacity)
    }

    /// Writes the whole archive of the value at `root`.
    mutating func write(_ rows: Rows, _ block: SchemaBlock) throws(EncodingFailure) {
        types = block.types
        var more: [UInt8] = []
        var classNumbers: [Int] = []
        if block.plan.reachesObjects {
            try collect(rows, block.plan)
            let known = types.definitions.count
            for pool in collector.pools {
                guard let dynamics = pool.dynamics else {
                    classNumbers.append(types.number(of: pool.plan))
                    continue
                }
                classNumbers.append(types.number(of: pool, dynamics))
                let made = dynamics.members.filter { member in
                    dynamics.origin?.members.contains { $0.name == member.name } != true
                }
                if made.isEmpty { continue }
                for values in pool.dynamicValues {
                    for member in made { try number(values[member.name] ?? .null, member.type) }
                }
            }
            var dynamic: [(String, WireType)] = []
            for entry in collector.dynamicTypes {
                switch entry {
                case .known(let plan): dynamic.append((TypeResolver.name(of: plan.type), types.wireType(of: plan)))
                case .unknown(let origin):
                    dynamic.append((origin.name, types.imported(origin.members[0].type, from: origin.types)))
                }
            }
            if let failure = types.failure { throw EncodingFailure(failure) }
            if types.definitions.count > known || !dynamic.isEmpty {
                more = Self.moreTypes(types.definitions[known...], dynamic)
            }
        }
        var flags: Header.Flags = []
        if options.schema == .fingerprint { flags.insert(.fingerprint) }
        if !more.isEmpty { flags.insert(.moreTypes) }
        if !collector.pools.isEmpty { flags.insert(.objects) }
        Header.write(flags, to: &out)
        if options.schema == .fingerprint {
            out.write(block.fingerprint)
        } else {
            out.write(bytes: block.bytes)
        }
        out.write(bytes: more)
        if !collector.pools.isEmpty {
            out.write(count: collector.pools.count)
            for (pool, number) in zip(collector.pools, classNumbers) {
                out.write(count: number)
                unsafe out.write(count: pool.objects.count)
                unsafe charge += pool.objects.count * (pool.plan.instanceSize + 16)
            }
        }
        try writeBatch(rows, 0, block.plan)
        for index in collector.pools.indices {
            let pool = collector.pools[index]
            try writeObjects(pool)
        }
        writeBallast()
    }

    /// The definitions and dynamic types that the root's schema doesn't have.
    private static func moreTypes(_ definitions: ArraySlice<Definition>, _ dynamic: [(String, WireType)]) -> [UInt8] {
        var out = ByteWriter()
        out.write(count: definitions.count)
        for definition in definitions { definition.write(to: &out) }
        out.write(count: dynamic.count)
        for (name, type) in dynamic {
            out.write(text: name)
            type.write(to: &out)
        }
        return unsafe out.withBytes { unsafe Array($0) }
    }

    /// Zeros that make an archive of much repetition long enough for a reader's default limits.
    private mutating func writeBallast() {
        let limits = DecodingLimits()
        let missing = charge - limits.allowance(forArchiveOf: out.count)
        out.write(count: missing > 0 ? missing / limits.expansion + 1 : 0)
        if missing > 0 { out.write(zeros: missing / limits.expansion + 1) }
    }

    /// Goes one level deeper into nested values.
    @inline(__always)
    mutating func descend() throws(EncodingFailure) {
        depth += 1
        if depth > DecodingLimits().depth {
            throw EncodingFailure(
                .tooDeep, "Values are nested more than \(DecodingLimits().depth) deep. Make the nested type a class: "
                    + "references between objects have no limit.")
        }
    }
}
