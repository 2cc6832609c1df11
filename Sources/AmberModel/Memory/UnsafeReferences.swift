// Room:   AmberModel / Memory. References to objects, read and written by their ownership.
// Takes:  the address of a stored reference. Gives: the object's address; a stored reference to an object.
// Touches: reference fields; reference counts.
//
// Invariants
// 1. A weak or unowned field is read and written as such storage, never as a pointer (swift/docs/ABI, "Reference
//    storage"): the wrappers below have exactly the layout of such a field.
// 2. `load` gives an address without keeping the object alive: the caller holds the graph, and what it finds by a weak
//    field it keeps in its table.
// 3. `store` is given uninitialised memory and an object whose class the caller has checked.

internal import CSwiftRuntime

private struct WeakStorage { weak var object: AnyObject? }
private struct UnownedStorage { unowned var object: AnyObject? }

/// The address of an object; what coders keep in place of a reference.
@usableFromInline
package typealias ObjectAddress = UnsafeMutableRawPointer

/// The object that the field at `address` refers to. A weakly held one is retained by the value returned.
@unsafe
package func loadReference(at address: UnsafeRawPointer, _ ownership: Ownership) -> AnyObject? {
    switch ownership {
    case .weak, .weakExistential: return unsafe address.assumingMemoryBound(to: WeakStorage.self).pointee.object
    case .unowned: return unsafe address.assumingMemoryBound(to: UnownedStorage.self).pointee.object
    default:
        guard let object = unsafe address.load(as: ObjectAddress?.self) else { return nil }
        return unsafe Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }
}

/// Initialises the field at `address` with a reference to `object`.
@unsafe
package func storeReference(_ object: ObjectAddress?, at address: UnsafeMutableRawPointer, _ ownership: Ownership) {
    switch ownership {
    case .weak:
        let object = unsafe object.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        unsafe address.initializeMemory(as: WeakStorage.self, to: WeakStorage(object: object))
    case .weakExistential(let held):
        let object = unsafe object.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        let fits = unsafe held.storeTables(of: object, at: address + 8)
        unsafe address.initializeMemory(as: WeakStorage.self, to: WeakStorage(object: fits ? object : nil))
    case .unowned:
        let object = unsafe object.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        unsafe address.initializeMemory(as: UnownedStorage.self, to: UnownedStorage(object: object))
    case .unmanaged:
        unsafe address.storeBytes(of: object, as: ObjectAddress?.self)
    default:
        unsafe swift_retain(object)
        unsafe address.storeBytes(of: object, as: ObjectAddress?.self)
    }
}

extension Rows {
    /// Initialises strong references in the rows: number `n` stands for `objects[n - 1]`, 0 for nil.
    ///
    /// The numbers must have been checked.
    @unsafe
    package func storeReferences(_ offset: Int, _ numbers: [UInt64], _ objects: ContiguousArray<ObjectAddress>) {
        precondition(numbers.count >= count, "A column needs a number for each row.")
        unsafe numbers.withUnsafeBufferPointer { numbers in
            unsafe objects.withUnsafeBufferPointer { objects in
                unsafe forEach(offset) { address, index in
                    let number = unsafe Int(truncatingIfNeeded: numbers[index])
                    let object = unsafe number == 0 ? nil : objects[number &- 1]
                    unsafe swift_retain(object)
                    unsafe address.storeBytes(of: object, as: ObjectAddress?.self)
                }
            }
        }
    }
}

/// Destroys the field at `address`.
@unsafe
package func destroyReference(at address: UnsafeMutableRawPointer, _ ownership: Ownership) {
    switch ownership {
    case .weak, .weakExistential: unsafe address.assumingMemoryBound(to: WeakStorage.self).deinitialize(count: 1)
    case .unowned: unsafe address.assumingMemoryBound(to: UnownedStorage.self).deinitialize(count: 1)
    case .unmanaged: break
    default: unsafe swift_release(address.load(as: ObjectAddress?.self))
    }
}

/// The address of an object.
package func objectAddress(_ object: AnyObject) -> ObjectAddress {
    unsafe Unmanaged.passUnretained(object).toOpaque()
}

/// The object in an `Any`, if it holds one; unlike a cast it looks for no bridge, which takes a microsecond.
package func nativeObject(in value: Any) -> AnyObject? {
    func open<T>(_ value: T) -> AnyObject? {
        guard MemoryLayout<T>.size == MemoryLayout<AnyObject>.size, case .objectClass = runtimeKind(of: T.self) else {
            return nil
        }
        // A value of a class type is a reference to an object.
        return unsafe unsafeBitCast(value, to: AnyObject.self)
    }
    return _openExistential(value, do: open)
}

/// An object as one of a class that it is known to be of: a cast without a search.
package func downcast<T: AnyObject>(_ object: AnyObject, _ type: T.Type) -> T {
    unsafe unsafeDowncast(object, to: type)
}

/// An object as a value of its own class, whose conformances are known: a cast without a search. The type is a class
/// that the object is of: the caller has it from the object's metadata.
package func instance<T>(_ object: AnyObject, of type: T.Type) -> T {
    unsafe unsafeBitCast(object, to: type)
}

/// The object at an address, retained.
@unsafe
package func object(at address: ObjectAddress) -> AnyObject {
    unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
}

/// The class of the object at an address.
@unsafe
@inlinable
@inline(__always)
package func classOfObject(at address: ObjectAddress) -> AnyClass {
    #if canImport(ObjectiveC)
        unsafe runtimeClassOfObject(at: address)
    #else
        // Without Objective-C the first word of an object is its class.
        unsafe unsafeBitCast(address.load(as: UnsafeRawPointer.self), to: AnyClass.self)
    #endif
}

@unsafe
@usableFromInline
package func runtimeClassOfObject(at address: UnsafeMutableRawPointer) -> AnyClass {
    unsafe unsafeBitCast(swift_getObjectType(address), to: AnyClass.self)
}

/// Retains the object at an address.
@unsafe
package func retainObject(_ address: ObjectAddress) {
    unsafe swift_retain(address)
}

/// Releases the object at an address.
@unsafe
package func releaseObject(_ address: ObjectAddress) {
    unsafe swift_release(address)
}

/// Retains the storage of a string `count` times, which copies of its bits are about to share.
@unsafe
package func retainString(_ string: UnsafeRawPointer, count: Int) {
    let object = unsafe string.load(fromByteOffset: 8, as: UnsafeMutableRawPointer?.self)
    unsafe _ = swift_bridgeObjectRetain_n(object, Int32(truncatingIfNeeded: count))
}
