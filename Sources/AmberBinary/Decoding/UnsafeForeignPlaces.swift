// Room:   AmberBinary / Decoding. Places of objects that are made by code of their own, when everything else is read.
// Takes:  places that existentials and references stand in. Gives: placeholders; then the objects.
// Touches: rows of uninitialised memory; ForeignReader.
//
// Invariants
// 1. A placeholder can be destroyed and moved, and nobody looks at it: no object, or an existential that holds an Int.
//    https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst ("Existential Container Layout")
// 2. A place keeps its address until its object is stored: what is around it and can't wait there is put off as well.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Whether a value of a type may have to wait until all objects are filled, in this archive.
    func waits(_ plan: ValuePlan) -> Bool {
        plan.mayWait || (plan.mayMeetForeign && (foreign != nil || existentialsMayWait))
    }

    /// Reads what is inside a value that waits for it.
    mutating func waitingInside(
        _ read: (inout GraphReader) throws(DecodingFailure) -> Void
    ) throws(DecodingFailure) {
        waitDepth += 1
        defer { waitDepth -= 1 }
        try read(&self)
    }

    /// Initialises the place of an object with what can be destroyed.
    @unsafe
    func storePlaceholder(_ dynamic: DynamicPlan, at address: UnsafeMutableRawPointer) {
        let size = dynamic.witnesses.size
        if unsafe dynamic.base == nil && dynamic.access.store(0, at: address) { return }
        unsafe UnsafeMutableRawBufferPointer(start: address, count: size).initializeMemory(as: UInt8.self, repeating: 0)
        // One that isn't bound to classes has three words of room for the value, then its type.
        if size >= 32 { unsafe address.storeBytes(of: Int.self, toByteOffset: 24, as: Any.Type.self) }
    }

    /// Puts the object with a number in its place when all records are read.
    mutating func wait(for number: UInt64, at address: UnsafeMutableRawPointer, _ dynamic: DynamicPlan) {
        guard let foreign, let reference = try? reference(number), case .object(let found) = reference else { return }
        let place = input.position
        let work: () throws -> Void = {
            let object: AnyObject
            do throws(DecodingFailure) { object = try foreign.object(found, as: dynamic.base) } catch {
                throw DecodingFailure(error.code, at: error.path, offset: place, error.reason)
            }
            try unsafe withScratch(for: dynamic.witnesses) { scratch -> Result<Void, DecodingFailure> in
                guard unsafe dynamic.access.store(object, at: scratch) else {
                    return .failure(
                        DecodingFailure(
                            .typeMismatch, offset: place,
                            "The archive holds a \(codingName(of: type(of: object))) where it isn't expected."))
                }
                unsafe dynamic.witnesses.destroy(address)
                unsafe dynamic.witnesses.move(to: address, from: scratch)
                return .success(())
            }.get()
        }
        if waitDepth == 0 { waitingFirst.append(work) } else { waiting.append(work) }
    }

    /// Makes the objects that stand directly in fields, before anything that may look at them.
    ///
    /// `isSeen` tells whether code of theirs has seen objects of the archive, and may have kept some: it is set whether this
    /// succeeds or fails.
    mutating func finishForeign(_ isSeen: inout Bool) throws(DecodingFailure) {
        if foreign == nil { return }
        defer { isSeen = foreign?.hasShownModels ?? false }
        let works = waitingFirst
        waitingFirst = []
        for work in works {
            do { try work() } catch {
                throw (error as? DecodingFailure) ?? DecodingFailure(.corrupt, "\(error)")
            }
        }
    }

    /// Makes objects of the records of this archive.
    func foreignReader() -> ForeignReader {
        let found = pools
        return ForeignReader(allowing: options.allowedClasses) { reference throws(DecodingFailure) in
            if let object = reference.object { return object }
            guard let object = found.whole(reference.number) else {
                throw DecodingFailure(.corrupt, "The archive refers to an object that is not there.")
            }
            return object
        }
    }
}
