// Room:   AmberModel / Foreign. References in values of the standard library's generic types, put right.
// Takes:  the place of a value, and a patcher. Gives: whether anything was changed.
// Touches: the value.
//
// Invariants: those of UnsafeReferencePatching.swift.

/// Types of the standard library whose values may hold references.
protocol PatchableValue {
    static func patch(at place: UnsafeMutableRawPointer, _ patcher: ReferencePatcher) -> Bool
}

extension Optional: PatchableValue {
    static func patch(at place: UnsafeMutableRawPointer, _ patcher: ReferencePatcher) -> Bool {
        // What an Optional holds lies where the Optional does, in its own form.
        guard unsafe place.assumingMemoryBound(to: Self.self).pointee != nil else { return false }
        return unsafe patcher.patch(place, Wrapped.self)
    }
}

extension Array: PatchableValue {
    static func patch(at place: UnsafeMutableRawPointer, _ patcher: ReferencePatcher) -> Bool {
        if ValueWitnesses(Element.self).isTrivial { return false }
        return unsafe place.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer { elements in
            var changed = false
            for index in elements.indices {
                guard let base = elements.baseAddress else { break }
                let element = unsafe UnsafeMutableRawPointer(mutating: base + index)
                if unsafe patcher.patch(element, Element.self) { changed = true }
            }
            return changed
        }
    }
}

extension Set: PatchableValue {
    static func patch(at place: UnsafeMutableRawPointer, _ patcher: ReferencePatcher) -> Bool {
        if ValueWitnesses(Element.self).isTrivial { return false }
        let pointer = unsafe place.assumingMemoryBound(to: Self.self)
        var elements = unsafe Array(pointer.pointee)
        guard patcher.patchValue(&elements) else { return false }
        unsafe pointer.pointee = Set(elements)
        return true
    }
}

extension Dictionary: PatchableValue {
    static func patch(at place: UnsafeMutableRawPointer, _ patcher: ReferencePatcher) -> Bool {
        if ValueWitnesses(Key.self).isTrivial, ValueWitnesses(Value.self).isTrivial { return false }
        let pointer = unsafe place.assumingMemoryBound(to: Self.self)
        var keys = unsafe Array(pointer.pointee.keys)
        var values = unsafe Array(pointer.pointee.values)
        let changedKeys = patcher.patchValue(&keys)
        guard patcher.patchValue(&values) || changedKeys else { return false }
        unsafe pointer.pointee = Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
        return true
    }
}
