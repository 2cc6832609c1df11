// Room:   AmberReadable / Reading. Places of classes that aren't models: Foundation's, and those that adopt NSCoding.
// Takes:  nodes and the class of the place. Gives: the object in its place; a placeholder while it can't be made.
// Touches: uninitialised memory of the place's type.
//
// Invariants
// 1. Those of UnsafeValueReader.
// 2. A placeholder can be destroyed and moved: an empty object, none, or an existential that holds an Int.
//    https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst ("Existential Container Layout")
// 3. `sawWaiting` is set whenever one is stored: the place is read again when its object can be made.

internal import AmberModel
internal import Foundation

extension ValueReader {
    /// Initialises the place of an object with what can be destroyed.
    func storePlaceholder(_ dynamic: DynamicPlan, at address: UnsafeMutableRawPointer) {
        let size = dynamic.witnesses.size
        if unsafe dynamic.base == nil && dynamic.access.store(0, at: address) { return }
        // Objects that are made meanwhile may look at it.
        if let base = dynamic.base, let empty = ForeignShape.empty(base),
            unsafe dynamic.access.store(empty, at: address)
        {
            return
        }
        unsafe UnsafeMutableRawBufferPointer(start: address, count: size).initializeMemory(as: UInt8.self, repeating: 0)
        // One that isn't bound to classes has three words of room for the value, then its type.
        if size >= 32 { unsafe address.storeBytes(of: Int.self, toByteOffset: 24, as: Any.Type.self) }
    }

    /// Reads the object of a place of the class `base`; `false` if the node is a model's, or a plain value for any class.
    mutating func readForeign(
        _ given: Int, _ base: AnyClass, _ dynamic: DynamicPlan, _ plan: ValuePlan,
        at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) -> Bool {
        var node = given
        let shape = ForeignShape.shape(of: base)
        if document.kind(node) == .object, base != CodedByHand.self,
            let name = document.child(node, marker: "$class")
        {
            let text = document.string(name)
            if shape?.isPlain == true, document.child(node, marker: "$value") == nil, let older = try olderForm(node) {
                node = older
            } else if base == NSObject.self || !isForeignName(text) {
                if ClassLookup.type(named: text, expected: nil, rules) != nil { return false }
                if base == NSObject.self, !isRecord(node, text) { return false }
                if TypeNames.type(named: text).map({ !($0 is AnyClass) }) == true, shape != nil { return false }
            }
        } else if base == NSObject.self, !isContainer(node) {
            return false
        }
        if let shape, shape.isPlain, foreign.names[node] == nil,
            document.kind(node) != .object || document.child(node, marker: "$class") == nil
        {
            let object = try plainObject(node, shape)
            guard unsafe dynamic.access.store(object, at: address) else { throw mismatch(node, plan.type) }
            return true
        }
        guard let object = try foreignObject(node, base) else {
            unsafe storePlaceholder(dynamic, at: address)
            return true
        }
        guard unsafe dynamic.access.store(object, at: address) else { throw mismatch(node, plan.type) }
        return true
    }

    /// Whether a node is an array or dictionary without a class.
    private func isContainer(_ node: Int) -> Bool {
        switch document.kind(node) {
        case .array: true
        case .object:
            !document[node].hasMarker
                || (document.child(node, marker: "$date") == nil && document.child(node, marker: "$data") == nil
                    && document.child(node, marker: "$text") == nil)
        default: false
        }
    }

    /// An object of a plain class from the value that it stands for.
    private mutating func plainObject(_ node: Int, _ shape: ForeignShape) throws(DecodingFailure) -> AnyObject {
        let found: Any
        switch shape.kind {
        case .null:
            guard document.kind(node) == .null else { throw mismatch(node, NSNull.self) }
            return NSNull()
        case .value(let type):
            let text: TextPlan
            do throws(SchemaFailure) { text = try schema.plan(for: type) } catch { throw DecodingFailure(error) }
            found = try value(node, text)
        default: found = try number(node)
        }
        do { return try shape.object(of: found) } catch {
            throw (error as? DecodingFailure) ?? failure(.corrupt, node, "\(error)")
        }
    }
}
