// Room:   AmberKeyed / Coders. A place for a coder's state that is looked at for every value.
// Takes:  a value. Gives: it, to be read and changed where it lies.
// Touches: memory of its own.
//
// A class's stored property is guarded at run time against overlapping changes, which cost an eighth of the time of
// writing; what is here is not guarded.
//
// Invariants
// 1. Whoever owns a cell frees it once, in its deinit, and lets nobody else have it.
// 2. Nothing that runs while a cell's value is being changed looks at the cell: changes are made by mutating methods of
//    the value alone, which call no coder and nobody's code.

@safe
struct Cell<Value> {
    private let place: UnsafeMutablePointer<Value>

    init(_ value: Value) {
        unsafe place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        unsafe place.initialize(to: value)
    }

    var value: Value {
        @inline(__always) _read { yield unsafe place.pointee }
        @inline(__always) nonmutating _modify { yield unsafe &place.pointee }
    }

    func free() {
        unsafe place.deinitialize(count: 1)
        unsafe place.deallocate()
    }
}
