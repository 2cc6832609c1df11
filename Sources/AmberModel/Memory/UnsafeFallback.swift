// Room:   AmberModel / Memory. Default values made in uninitialised memory.
// Takes:  a function that makes a value. Gives: the fallback that stores it.
// Touches: the memory of the field it is called for.
//
// Invariants
// 1. `make` is called with uninitialised memory of exactly the type `T`: the field that the fallback belongs to.

/// Makes default values of one type.
package class FallbackValue: @unchecked Sendable {
    /// Initialises memory of the type with a new value.
    @unsafe package func make(at address: UnsafeMutableRawPointer) {}
}

private final class TypedFallbackValue<T>: FallbackValue, @unchecked Sendable {
    private let makeValue: @Sendable () -> T

    init(_ makeValue: @escaping @Sendable () -> T) { self.makeValue = makeValue }

    override func make(at address: UnsafeMutableRawPointer) {
        unsafe address.initializeMemory(as: T.self, to: makeValue())
    }
}

func makeFallback<T>(_ make: @escaping @Sendable () -> T) -> Fallback {
    .make(TypedFallbackValue(make))
}
