// The runtime entry points that reflection needs, each with its source in the Swift repository.
//
// All are exported by libswiftCore on Linux and on Apple systems. Metadata, value witness tables and field
// descriptors are stable ABI on Apple systems (swift/docs/ABI/TypeMetadata.rst); on Linux the standard library is
// built with the program.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define AMBER_SWIFTCALL __attribute__((swiftcall))
#else
#define AMBER_SWIFTCALL
#endif

#pragma clang assume_nonnull begin

/// What the runtime says of one stored property. `freeName` is null or frees `name`.
/// Source: struct _FieldReflectionMetadata, stdlib/public/core/ReflectionMirror.swift. Since Swift 5.2.
struct AmberFieldMetadata {
    const char *_Nullable name;
    void (*_Nullable freeName)(const char *_Nullable);
    bool isStrong;
    bool isVar;
};

/// The number of stored properties of a struct, tuple or class, superclasses included.
/// Source: stdlib/public/runtime/ReflectionMirror.cpp. Since Swift 5.2.
AMBER_SWIFTCALL
intptr_t swift_reflectionMirror_recursiveCount(const void *type);

/// The type of a stored property; fills `field`. Source: the same file. Since Swift 5.2.
AMBER_SWIFTCALL
const void *_Nullable swift_reflectionMirror_recursiveChildMetadata(
    const void *type, intptr_t index, struct AmberFieldMetadata *field);

/// The byte offset of a stored property in its instance. Source: the same file. Since Swift 5.2.
AMBER_SWIFTCALL
intptr_t swift_reflectionMirror_recursiveChildOffset(const void *type, intptr_t index);

/// The metadata of a type by its mangled name, in the context of a generic type.
/// Source: stdlib/public/runtime/MetadataLookup.cpp. Since Swift 5.1.
AMBER_SWIFTCALL
const void *_Nullable swift_getTypeByMangledNameInContext(
    const char *name, size_t length, const void *_Nullable context, const void *const _Nonnull *_Nullable arguments);

/// Memory for an instance of a class, its reference count at one, its fields not initialised.
/// Source: stdlib/public/runtime/HeapObject.cpp. Since Swift 1.
void *swift_allocObject(const void *metadata, size_t size, size_t alignMask);

/// Frees an instance whose fields are not (or no longer) initialised; its deinit does not run.
/// Source: stdlib/public/runtime/HeapObject.cpp. Since Swift 3.
void swift_deallocPartialClassInstance(void *object, const void *metadata, size_t size, size_t alignMask);

/// Retains an object `count` times at once. Source: stdlib/public/runtime/HeapObject.cpp. Since Swift 1.
void *swift_retain_n(void *object, uint32_t count);

/// Retains, or releases, a native object; null is passed over.
/// Source: stdlib/public/runtime/HeapObject.cpp. Since Swift 1.
void *_Nullable swift_retain(void *_Nullable object);
void swift_release(void *_Nullable object);

/// Retains a bridge object (the storage word of a String) `count` times at once.
/// Source: stdlib/public/runtime/SwiftObject.mm. Since Swift 3.
void *_Nullable swift_bridgeObjectRetain_n(void *_Nullable object, int32_t count);

/// Tells the processor that memory will be read soon. Any address will do.
static inline void amber_prefetch(const void *_Nullable address) {
#if defined(__clang__) || defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

/// The class of an instance. Source: stdlib/public/runtime/Casting.cpp. Since Swift 1.
const void *swift_getObjectType(void *object);

/// The box of an indirect enum payload, and the place of the value in it.
/// Source: stdlib/public/runtime/HeapObject.cpp. Since Swift 3.
struct AmberBoxPair {
    void *object;
    void *value;
};
AMBER_SWIFTCALL
struct AmberBoxPair swift_allocBox(const void *type);
void swift_deallocBox(void *object);
void *swift_projectBox(void *object);

#pragma clang assume_nonnull end
