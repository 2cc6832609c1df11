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
    /// The records of objects that are archived by code of their own; made when the first is met.
    var foreign: ForeignWriter?
    /// How deep the value at hand is nested in others.
    var depth = 0
    /// Whether what is written is only compared: references become what their objects are ordered by.
    var isSorting = false
    /// Whether the property at hand is conditional: what it refers to may not be archived.
    var isConditional = false
    /// Bytes of memory that a reader will be charged for.
    var charge = 0
    /// Who helps with large batches.
    var crew: Crew?

    init(options: BinaryEncodingOptions, capacity: Int) {
        self.options = options
        out = ByteWriter(capacity: capacity)
    }

    private init(_ options: BinaryEncodingOptions, _ out: consuming ByteWriter) {
        self.options = options
        self.out = out
    }

    /// Writes the whole archive of a value to a writer that has written nothing yet.
    static func write(
        _ rows: Rows, _ block: SchemaBlock, _ options: BinaryEncodingOptions, _ crew: Crew?, to out: inout ByteWriter
    ) throws(EncodingFailure) {
        // An empty writer stands in for the other meanwhile.
        var writer = GraphWriter(options, ByteWriter.none)
        writer.crew = crew
        swap(&writer.out, &out)
        defer { swap(&writer.out, &out) }
        try writer.write(rows, block)
    }

    /// Writes the whole archive of the value at `root`.
    mutating func write(_ rows: Rows, _ block: SchemaBlock) throws(EncodingFailure) {
        charge += block.types.definitions.count * Definition.charge
        if block.plan.reachesObjects {
            try collect(rows, block.plan)
            types = block.types
            try writeHead(types.definitions.count) { writer, flags in writer.writeSchema(block, flags) }
        } else {
            writeSchema(block, [])
        }
        try writeBatch(rows, 0, block.plan)
        for index in collector.pools.indices {
            let pool = collector.pools[index]
            try writeObjects(pool)
        }
        writeBallast()
    }

    /// Writes the whole archive of a value without a Swift type.
    mutating func write(dynamic value: DynamicValue) throws(EncodingFailure) {
        try collect(value)
        let root: WireType
        var value = value
        if case .any(let any) = value, let origin = any.origin as? BinaryOrigin {
            root = types.imported(origin.members[0].type, from: origin.types)
            value = any.value
        } else {
            if case .any(let any) = value, any.typeName.isEmpty { value = any.value }
            root = types.type(of: [value])
            try number(value, root)
        }
        charge += types.definitions.count * Definition.charge
        let schema = SchemaBlock.encode(root: root, types.definitions)
        try writeHead(types.definitions.count) { writer, flags in
            Header.write(flags, to: &writer.out)
            writer.out.write(bytes: schema)
        }
        try writeDynamicBatch([value], root)
        for index in collector.pools.indices {
            let pool = collector.pools[index]
            try writeObjects(pool)
        }
        writeBallast()
    }

    /// Writes the header and the schema.
    private mutating func writeSchema(_ block: SchemaBlock, _ flags: Header.Flags) {
        if options.schema == .fingerprint {
            Header.write(flags.union(.fingerprint), to: &out)
            out.write(block.fingerprint)
        } else {
            Header.write(flags, to: &out)
            out.write(bytes: block.bytes)
        }
    }

    /// Writes what comes before the values of a graph with objects, or with values of types not known before.
    private mutating func writeHead(
        _ known: Int, _ writeSchema: (inout GraphWriter, Header.Flags) -> Void
    ) throws(EncodingFailure) {
        var classNumbers: [Int] = []
        for pool in collector.pools { classNumbers.append(try classNumber(of: pool)) }
        var dynamic: [(String, WireType)] = []
        var next = 0
        while next < collector.dynamicTypes.count {
            let entry = collector.dynamicTypes[next]
            next += 1
            switch entry {
            case .known(let plan): dynamic.append((TypeResolver.name(of: plan.type), types.wireType(of: plan)))
            case .unknown(let origin):
                dynamic.append((origin.name, types.imported(origin.members[0].type, from: origin.types)))
            case .inferred(let type):
                let wire = types.type(of: type.values)
                for value in type.values { try number(value, wire) }
                type.wire = wire
                type.values = []
                dynamic.append((type.name, wire))
            }
        }
        if let failure = types.failure { throw EncodingFailure(failure) }
        charge += (types.definitions.count - known) * Definition.charge
        let hasMore = types.definitions.count > known || !dynamic.isEmpty
        var flags: Header.Flags = hasMore ? .moreTypes : []
        if !collector.pools.isEmpty { flags.insert(.objects) }
        writeSchema(&self, flags)
        if hasMore { out.write(bytes: Self.moreTypes(types.definitions[known...], dynamic)) }
        if collector.pools.isEmpty { return }
        out.write(count: collector.pools.count)
        for (pool, number) in zip(collector.pools, classNumbers) {
            out.write(count: number)
            unsafe out.write(count: pool.objects.count)
            unsafe charge += pool.objects.count * (pool.plan.instanceSize + 16)
        }
    }

    /// The number of the definition of a pool's class, which an unknown class brings from its archive.
    private mutating func classNumber(of pool: ObjectPool) throws(EncodingFailure) -> Int {
        guard let dynamics = pool.dynamics else { return types.number(of: pool.plan) }
        let classNumber = types.number(of: pool, dynamics)
        let made = dynamics.members.filter { member in
            dynamics.origin?.members.contains { $0.name == member.name } != true
        }
        if made.isEmpty { return classNumber }
        for values in pool.dynamicValues {
            for member in made { try number(values[member.name] ?? .null, member.type) }
        }
        return classNumber
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

    /// A reference to an object that the walk didn't meet.
    @inline(never)
    static func unknownObject() -> EncodingFailure {
        EncodingFailure(
            .changedMeanwhile,
            "The object that it refers to was not there when encoding began. Don't change a graph while it is encoded.")
    }

    /// An unowned reference to an object that nothing else holds.
    @inline(never)
    static func unheldObject() -> EncodingFailure {
        EncodingFailure(
            .unheldReference,
            "Nothing in the archive holds the object that it refers to, so that the reference would dangle. Encode that "
                + "object too, make the property an Optional, or make it `unconditional` in the type's rules and decode it "
                + "together with its holder.")
    }

    /// Goes one level deeper into nested values, or a few.
    @inline(__always)
    mutating func descend(_ levels: Int = 1) throws(EncodingFailure) {
        depth += levels
        if depth > DecodingLimits().depth {
            throw EncodingFailure(
                .tooDeep,
                "Values are nested more than \(DecodingLimits().depth) deep. Make the nested type a class: "
                    + "references between objects have no limit.")
        }
    }
}
