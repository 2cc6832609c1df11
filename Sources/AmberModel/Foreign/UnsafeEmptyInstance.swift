// Room:   AmberModel / Foreign. An instance of a program's class that no initializer has seen.
// Takes:  a class. Gives: an instance whose every property is empty, and whether anyone still refers to it.
// Touches: memory of its own instances.
//
// Invariants
// 1. An instance is handed out only when each of its stored properties holds a value of the property's type: nil, zero,
//    an empty collection, a new object. A class with a property that has no such value gets no instance.
// 2. Its deinit never runs: `counts` holds one reference of ours until `discard`, which destroys the properties and
//    frees the memory, and does so only when nobody else refers to it. Else it is left where it is, for ever.
// 3. Offsets, sizes and alignments are the runtime's; only classes are taken above which nothing but a program's own
//    classes and NSObject, which has no properties, stands.

internal import Foundation

@safe
final class EmptyInstance {
    let type: AnyClass
    private let address: ObjectAddress
    /// The properties that hold a value.
    private var filled: [(address: UnsafeMutableRawPointer, type: ValueWitnesses, ownership: Ownership)] = unsafe []
    /// Instances that this one's properties refer to.
    private var parts: [EmptyInstance] = []
    private var counts: ReferenceCounts
    private var countsWithParts: ReferenceCounts

    /// An instance of `type`; nil if the class has a property for which there is no empty value.
    static func make(_ type: AnyClass) -> EmptyInstance? {
        guard let instance = make(type, depth: 0) else { return nil }
        instance.seal()
        return instance
    }

    private static func make(_ type: AnyClass, depth: Int) -> EmptyInstance? {
        #if canImport(ObjectiveC)
            // There the Objective-C runtime makes instances, which is another matter.
            return nil
        #else
            guard depth < 8, EmptyValues.isProgramClass(type) else { return nil }
            let instance = EmptyInstance(type)
            for field in runtimeFields(of: type) {
                let place = unsafe instance.address + field.offset
                guard unsafe instance.fill(place, field.type, field.ownership, depth) else {
                    instance.discard()
                    return nil
                }
                unsafe instance.filled.append((place, ValueWitnesses(field.type), field.ownership))
            }
            return instance
        #endif
    }

    private init(_ type: AnyClass) {
        self.type = type
        unsafe address = allocateInstance(of: type)
        unsafe counts = ReferenceCounts(of: address)
        countsWithParts = counts
    }

    /// The instance.
    var object: AnyObject { unsafe AmberModel.object(at: address) }

    /// Puts `object` in the place of the instance wherever an object that `patch` is given refers to it.
    func replacing(with object: AnyObject) -> ReferencePatcher {
        unsafe ReferencePatcher(address, with: object)
    }

    /// Whether nobody but this holds the instance, or any that was made for its properties, in any way.
    var isLoose: Bool { count() == countsWithParts && parts.allSatisfy(\.isLoose) }

    private func seal() {
        countsWithParts = count()
        for part in parts { part.seal() }
    }

    private func count() -> ReferenceCounts { unsafe ReferenceCounts(of: address) }

    /// Frees the instance if nobody refers to it.
    func discard() {
        guard count() == counts || isLoose else { return }
        for index in unsafe filled.indices {
            let property = unsafe filled[index]
            if unsafe property.ownership.isStrong {
                unsafe property.type.destroy(property.address)
            } else {
                unsafe destroyReference(at: property.address, property.ownership)
            }
        }
        unsafe filled.removeAll()
        unsafe discardInstance(address, of: type)
        for part in parts { part.discard() }
        parts.removeAll()
    }

    // MARK: Properties

    private func fill(
        _ place: UnsafeMutableRawPointer, _ type: Any.Type, _ ownership: Ownership, _ depth: Int
    ) -> Bool {
        switch ownership {
        case .strong: return unsafe fill(place, type, depth)
        case .weak, .weakExistential:
            unsafe storeReference(nil, at: place, ownership)
            return true
        case .unmanaged:
            unsafe place.initializeMemory(as: UInt8.self, repeating: 0, count: ValueWitnesses(type).size)
            return true
        case .unowned:
            if case .optional = runtimeKind(of: type) {
                unsafe storeReference(nil, at: place, .unowned)
                return true
            }
            guard let target = type as? AnyClass, let part = part(target, depth) else { return false }
            unsafe storeReference(part.address, at: place, .unowned)
            return true
        case .unknown: return false
        }
    }

    private func fill(_ place: UnsafeMutableRawPointer, _ type: Any.Type, _ depth: Int) -> Bool {
        if let value = EmptyValues.value(of: type) { return unsafe makeErasedAccess(type).store(value, at: place) }
        let witnesses = ValueWitnesses(type)
        switch runtimeKind(of: type) {
        case .optional:
            unsafe witnesses.storeNil(at: place)
            return true
        case .objectClass:
            guard let target = type as? AnyClass, let part = part(target, depth) else { return false }
            unsafe storeReference(part.address, at: place, .strong)
            return true
        case .structure, .tuple:
            let fields = runtimeFields(of: type)
            if fields.isEmpty { return unsafe zero(place, witnesses) }
            var made: [(UnsafeMutableRawPointer, ValueWitnesses)] = unsafe []
            for field in fields {
                let inner = unsafe place + field.offset
                guard field.ownership.isStrong, depth < 8, unsafe fill(inner, field.type, depth + 1) else {
                    for index in unsafe made.indices { unsafe made[index].1.destroy(made[index].0) }
                    return false
                }
                unsafe made.append((inner, ValueWitnesses(field.type)))
            }
            return true
        case .enumeration:
            // The first case without a payload; cases with one are counted first.
            guard witnesses.hasEnumWitnesses, let cases = runtimeCases(of: type),
                let plain = cases.firstIndex(where: { $0.payload == nil && !$0.isIndirect })
            else { return false }
            unsafe witnesses.injectEnum(UInt32(plain), place)
            return true
        case .other: return unsafe zero(place, witnesses)
        // No function, no type and no conformance can be made up.
        case .function, .existential, .metatype: return false
        }
    }

    private func zero(_ place: UnsafeMutableRawPointer, _ witnesses: ValueWitnesses) -> Bool {
        guard witnesses.isTrivial else { return false }
        unsafe place.initializeMemory(as: UInt8.self, repeating: 0, count: witnesses.size)
        return true
    }

    private func part(_ type: AnyClass, _ depth: Int) -> EmptyInstance? {
        guard let part = Self.make(type, depth: depth + 1) else { return nil }
        parts.append(part)
        return part
    }
}
