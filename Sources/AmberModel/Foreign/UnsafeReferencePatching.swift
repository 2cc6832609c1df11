// Room:   AmberModel / Foreign. References that were given out before their object existed, put right.
// Takes:  an object that stood for another, that other, and objects that may refer to the first. Gives: nothing.
// Touches: stored properties of the objects named, and of those that nothing else but they refer to.
//
// Invariants
// 1. A property is changed only where it refers to the stand-in; the new object's class is the stand-in's or inherits
//    from it, so that it is a value of whatever type the property has.
// 2. Objects are visited whose decoding has ended and which nobody else has seen; objects that they refer to only if
//    nothing else refers to those. No other thread knows any of them.
// 3. Properties are read and written by their ownership, at the runtime's offsets, as values of their own types. An enum's
//    payload is changed in a copy, for its own memory may hold the case in spare bits of the payload.
// 4. Elements of arrays are changed where they lie, whoever shares the storage: the stand-in may stay nowhere.

internal import Foundation

@safe
final class ReferencePatcher {
    private let old: ObjectAddress
    private let new: ObjectAddress
    private let replacement: AnyObject
    private var visited: Set<ObjectIdentifier> = []
    private var waiting: [AnyObject] = []
    /// How many values lie round the one that is looked at.
    private var depth = 0
    /// Deeper ones are not looked at: what they keep is found out by the count.
    private static let depthLimit = 64

    /// - Parameters:
    ///   - standIn: The object whose references are replaced; somebody keeps it alive.
    ///   - object: The one that replaces it, of the same class or a subclass.
    @unsafe
    init(_ standIn: ObjectAddress, with object: AnyObject) {
        unsafe old = standIn
        unsafe new = objectAddress(object)
        replacement = object
    }

    /// Puts right what `objects` refer to.
    func patch(_ objects: [AnyObject]) {
        waiting = objects
        while let object = waiting.popLast() {
            guard visited.insert(ObjectIdentifier(object)).inserted else { continue }
            let base = unsafe objectAddress(object)
            for field in runtimeFields(of: type(of: object)) {
                unsafe _ = patch(base + field.offset, field)
            }
            withExtendedLifetime(object) {}
        }
    }

    private func patch(_ place: UnsafeMutableRawPointer, _ field: RuntimeField) -> Bool {
        switch field.ownership {
        case .strong: return unsafe patch(place, field.type)
        case .weak, .weakExistential:
            guard let object = unsafe loadReference(at: place, .weak), unsafe objectAddress(object) == old else {
                return false
            }
        case .unowned, .unmanaged:
            // Loading one whose object is gone would end the process: the word alone is looked at.
            guard unsafe place.load(as: ObjectAddress?.self) == old else { return false }
        case .unknown: return false
        }
        unsafe destroyReference(at: place, field.ownership)
        unsafe storeReference(new, at: place, field.ownership)
        return true
    }

    /// Puts right the value of `type` at `place`; tells whether it had to.
    func patch(_ place: UnsafeMutableRawPointer, _ type: Any.Type) -> Bool {
        let witnesses = ValueWitnesses(type)
        if witnesses.isTrivial || type == String.self || depth > Self.depthLimit { return false }
        depth += 1
        defer { depth -= 1 }
        if let type = type as? any PatchableValue.Type { return unsafe type.patch(at: place, self) }
        switch runtimeKind(of: type) {
        case .objectClass: return unsafe patchWord(place)
        case .existential: return unsafe patchExistential(place, type)
        case .structure, .tuple:
            var changed = false
            for field in runtimeFields(of: type) {
                if unsafe patch(place + field.offset, field) { changed = true }
            }
            return changed
        case .enumeration: return unsafe patchEnum(place, type, witnesses)
        case .optional, .function, .metatype, .other: return false
        }
    }

    private func patchWord(_ place: UnsafeMutableRawPointer) -> Bool {
        guard let word = unsafe place.load(as: ObjectAddress?.self) else { return false }
        guard unsafe word == old else {
            unsafe look(at: word)
            return false
        }
        unsafe storeReference(new, at: place, .strong)
        unsafe releaseObject(old)
        return true
    }

    /// An object that only one reference leads to belongs to whoever has that reference.
    private func look(at address: ObjectAddress) {
        if unsafe ReferenceCounts(of: address).strong == ReferenceCounts.lone {
            waiting.append(unsafe object(at: address))
        }
    }

    /// A cast at run time: it takes an existential out of the one that a generic parameter stands for.
    private func cast<From, To>(_ value: From, to type: To.Type) -> To? { value as? To }

    private func patchExistential(_ place: UnsafeMutableRawPointer, _ type: Any.Type) -> Bool {
        func open<T>(_ type: T.Type) -> Bool {
            let pointer = unsafe place.assumingMemoryBound(to: T.self)
            guard let value = unsafe cast(pointer.pointee, to: Any.self) else { return false }
            if Swift.type(of: value) is AnyClass {
                let address = unsafe objectAddress(value as AnyObject)
                guard unsafe address == old else {
                    unsafe look(at: address)
                    return false
                }
                guard let new = replacement as? T else { return false }
                unsafe pointer.pointee = new
                return true
            }
            guard let changed = patched(value).flatMap({ cast($0, to: T.self) }) else { return false }
            unsafe pointer.pointee = changed
            return true
        }
        return _openExistential(type, do: open)
    }

    /// The value with its references put right; nil if there are none to put right.
    private func patched(_ value: Any) -> Any? {
        func open<T>(_ value: T) -> Any? {
            var copy = value
            return patchValue(&copy) ? copy : nil
        }
        return _openExistential(value, do: open)
    }

    private func patchEnum(
        _ place: UnsafeMutableRawPointer, _ type: Any.Type, _ witnesses: ValueWitnesses
    ) -> Bool {
        guard witnesses.hasEnumWitnesses, let cases = runtimeCases(of: type) else { return false }
        let tag = unsafe witnesses.enumTag(place)
        guard Int(tag) < cases.count, let payload = cases[Int(tag)].payload else { return false }
        if cases[Int(tag)].isIndirect {
            // The box is one for all copies of the value: what is in it is put right for all of them.
            return unsafe withScratch(for: witnesses) { copy in
                unsafe witnesses.copy(to: copy, from: place)
                unsafe witnesses.projectEnum(copy)
                let box = unsafe copy.load(as: ObjectAddress.self)
                defer { unsafe releaseObject(box) }
                return unsafe patch(boxedValue(box), payload)
            }
        }
        return unsafe withScratch(for: witnesses) { copy in
            unsafe witnesses.copy(to: copy, from: place)
            unsafe witnesses.projectEnum(copy)
            guard unsafe patch(copy, payload) else {
                unsafe ValueWitnesses(payload).destroy(copy)
                return false
            }
            unsafe witnesses.injectEnum(tag, copy)
            unsafe witnesses.destroy(place)
            unsafe witnesses.move(to: place, from: copy)
            return true
        }
    }

    /// Puts right a value of a type known only where this is called.
    func patchValue<T>(_ value: inout T) -> Bool {
        unsafe withUnsafeMutablePointer(to: &value) { unsafe patch(UnsafeMutableRawPointer($0), T.self) }
    }
}
