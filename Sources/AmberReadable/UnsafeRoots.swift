// Room:   AmberReadable. Root values and documents as memory.
// Takes:  a value, or bytes. Gives: what a writer wrote of the value; the value that a reader made.
// Touches: the root value.
//
// Invariants
// 1. A root is borrowed while it is written. Memory for one that is read is initialised by the reader, moved out once, or
//    destroyed when something fails after that.

internal import AmberModel
internal import Foundation

/// Writes a root value.
func write<Root, Sink: ReadableSink & ~Copyable>(
    _ root: borrowing Root, _ sink: consuming Sink, _ schema: TextSchema, _ rules: WritingRules
) throws(EncodingFailure) -> Sink {
    let text: TextPlan
    do throws(SchemaFailure) { text = try schema.plan(for: Root.self) } catch { throw EncodingFailure(error) }
    var writer = ValueWriter(sink, schema, rules)
    unsafe try withAddress(of: root) { address throws(EncodingFailure) in try unsafe writer.write(root: address, text) }
    return writer.sink
}

private func withAddress<Root>(
    of root: borrowing Root, _ body: (UnsafeRawPointer) throws(EncodingFailure) -> Void
) throws(EncodingFailure) {
    if MemoryLayout<Root>.size == 0 {
        // A value without memory may have no address; nothing is ever read from this one.
        let nothing: UInt64 = 0
        return try unsafe withUnsafePointer(to: nothing) { pointer throws(EncodingFailure) in
            try unsafe body(UnsafeRawPointer(pointer))
        }
    }
    try unsafe withUnsafePointer(to: root) { pointer throws(EncodingFailure) in
        try unsafe body(UnsafeRawPointer(pointer))
    }
}

extension ValueWriter where Sink: ~Copyable {
    /// Writes the root, and what was nested too deeply in it.
    mutating func write(root address: UnsafeRawPointer, _ text: TextPlan) throws(EncodingFailure) {
        unsafe root = address
        rootPlan = text
        isRootStructure = rules.isReadable && text.namesItsRoot
        try unsafe write(address, text)
        if !waiting.isEmpty {
            // The root is no object: both stand in one.
            sink.wrap(Marker.rootKey)
            try writeWaiting(inObject: false)
            sink.endObject()
        }
        unsafe root = nil
    }
}

extension TextPlan {
    /// Whether the type of a value is named when it is the root.
    fileprivate var namesItsRoot: Bool {
        switch kind {
        case .structure, .reference: true
        case .dynamic(let dynamic): dynamic.base != nil
        case .optional(_, let payload): payload.namesItsRoot
        default: false
        }
    }
}

/// Reads the root value of a document.
func readRoot<Root>(
    _ type: Root.Type, _ document: Document, _ schema: TextSchema, _ rules: ReadingRules, from node: Int? = nil
) throws(DecodingFailure) -> Root {
    let text: TextPlan
    do throws(SchemaFailure) { text = try schema.plan(for: Root.self) } catch { throw DecodingFailure(error) }
    let memory = unsafe TemporaryValues(text.plan.witnesses, count: 1)
    var reader = ValueReader(document, schema, rules)
    try reader.read(root: memory, text, from: node)
    memory.initialized = 0
    return unsafe memory.base.assumingMemoryBound(to: Root.self).move()
}

/// Reads a document without Swift types: all objects are dynamic ones.
func readDynamicRoot(_ document: Document, _ rules: ReadingRules) throws(DecodingFailure) -> DynamicValue {
    var rules = rules
    rules.makesDynamicObjects = true
    rules.keepsForms = true
    var reader = ValueReader(document, .plain, rules)
    do throws(DecodingFailure) {
        let value = try reader.dynamicValue(reader.rootNode)
        try reader.fill()
        try reader.finish(nil, nil)
        return value
    } catch {
        reader.abandon()
        throw error
    }
}

extension ValueReader {
    /// Makes the root, with all objects in it, in memory that counts as initialised afterwards.
    mutating func read(
        root memory: TemporaryValues, _ text: TextPlan, from given: Int? = nil
    ) throws(DecodingFailure) {
        origin = given
        do throws(DecodingFailure) {
            let node = given ?? (rules.isReadable ? rootNode : 0)
            try unsafe read(node, text, at: memory.base)
            memory.initialized = 1
            let isWaiting = sawWaiting
            sawWaiting = false
            try fill()
            if isWaiting {
                let fresh = unsafe TemporaryValues(text.plan.witnesses, count: 1)
                isFinal = true
                try unsafe read(node, text, at: fresh.base)
                unsafe text.plan.witnesses.destroy(memory.base)
                unsafe text.plan.witnesses.move(to: memory.base, from: fresh.base)
                isFinal = false
                try fill()
            }
            try finish(memory, text)
        } catch {
            if memory.initialized == 1 {
                memory.initialized = 0
                unsafe text.plan.witnesses.destroy(memory.base)
            }
            abandon()
            throw error
        }
    }
}

/// Takes a document over into a model that is there.
func readUpdate<Value: ModelProtocol>(
    _ model: inout Value, _ document: Document, _ schema: TextSchema, _ rules: ReadingRules
) throws(DecodingFailure) {
    let text: TextPlan
    do throws(SchemaFailure) { text = try schema.plan(for: Value.self) } catch { throw DecodingFailure(error) }
    var reader = ValueReader(document, schema, rules)
    if type(of: model) is AnyClass { return try reader.update(model as AnyObject) }
    guard case .structure(let fields) = text.kind, let copy = unsafe text.plan.copy(of: model) else {
        throw DecodingFailure(.unsupportedType, "\(codingName(of: Value.self)) has no properties to update.")
    }
    try reader.update(copy, fields, text)
    copy.initialized = 0
    model = unsafe copy.base.assumingMemoryBound(to: Value.self).move()
}

extension ValueReader {
    /// Reads the root into an object that is there.
    mutating func update(_ object: AnyObject) throws(DecodingFailure) {
        do throws(DecodingFailure) {
            guard document.kind(0) == .object else { throw mismatch(0, type(of: object)) }
            let type: AnyClass = Swift.type(of: object)
            let text: TextClass
            do throws(SchemaFailure) { text = try schema.plan(for: type) } catch { throw DecodingFailure(error) }
            instances.adopt(object, text, node: 0, nodes: document.count)
            try fill()
            try finish(nil, nil)
        } catch {
            abandon()
            throw error
        }
    }

    /// Reads the root into a copy of a struct.
    mutating func update(_ copy: TemporaryValues, _ fields: TextFields, _ text: TextPlan) throws(DecodingFailure) {
        do throws(DecodingFailure) {
            guard document.kind(0) == .object else { throw mismatch(0, text.plan.type) }
            var set = FieldSet()
            try unsafe readFields(0, fields, at: copy.base, isInitialized: true, instance: nil, &set)
            try fill()
            if sawWaiting {
                isFinal = true
                set = FieldSet()
                try unsafe readFields(0, fields, at: copy.base, isInitialized: true, instance: nil, &set)
                isFinal = false
                try fill()
            }
            let model = fields.model.flatMap { $0.isToldOfDecoding ? $0 : nil }
            if model != nil, fields.reachesObjects { hasUntoldStructs = true }
            try finish(copy, text)
            if let model, !fields.reachesObjects {
                do { try unsafe model.tellOfDecoding(at: copy.base) } catch {
                    throw rejected(error, fields.name ?? "", 0)
                }
            }
        } catch {
            copy.initialized = 0
            unsafe text.plan.witnesses.destroy(copy.base)
            abandon()
            throw error
        }
    }
}
