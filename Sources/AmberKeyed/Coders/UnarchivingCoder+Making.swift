// Room:   AmberKeyed / Coders. From a number to its object.
// Takes:  the number of an object. Gives: the object with everything below it, made once, or the failure.
// Touches: the slots. The gate is asked before anything of an object is made.

import AmberModel
import Foundation

extension UnarchivingCoder {
    /// What a reference leads to.
    enum Resolution {
        case none
        case object(AnyObject)
        case container(ContainerBuild)
    }

    /// The object of a number, with everything below it.
    func object(_ number: UInt32) throws(KeyedFailure) -> AnyObject? {
        let object = try below(number)
        if object != nil { note(Int(number)) }
        return object
    }

    private func below(_ number: UInt32) throws(KeyedFailure) -> AnyObject? {
        let base = builds.count
        switch try resolve(number, isElement: false) {
        case .none: return nil
        case .object(let object): return object
        case .container(let build): builds.append(build)
        }
        defer { builds.removeSubrange(base...) }
        while true {
            let last = builds.count - 1
            guard let child = builds[last].nextReference() else {
                let object = try finish(builds[last])
                let number = builds[last].number
                if last == base { return object }
                builds.removeLast()
                builds[last - 1].add(object, height: slots[number].height, expansion: slots[number].expansion)
                continue
            }
            switch try resolve(child, isElement: true) {
            case .none:
                guard builds[last].allowsNil else {
                    throw failure(.malformed, "A collection holds nil.")
                }
                builds[last].addNil()
            case .object(let object):
                builds[last].add(
                    object, height: slots[Int(child)].height, expansion: slots[Int(child)].expansion)
            case .container(let build):
                guard frames.count + builds.count < limits.objectDepth else {
                    throw failure(.limitExceeded, "Nested deeper than the limit of \(limits.objectDepth).")
                }
                builds.append(build)
            }
        }
    }

    private func resolve(_ number: UInt32, isElement: Bool) throws(KeyedFailure) -> Resolution {
        guard Int(number) < slots.count else {
            throw failure(.malformed, "Object \(number) is not in the archive.")
        }
        let index = Int(number)
        switch slots[index].state {
        case .done:
            guard let object = slots[index].object else { return .none }
            try check(type(of: object), isElement: isElement, of: object)
            return .object(object)
        case .open:
            return .object(try openObject(index, isElement: isElement))
        case .untouched: break
        }
        let object: AnyObject
        switch document.objects[index] {
        case .string(let text):
            if text == ArchiveDocument.nullText { return .none }
            try check(NSString.self, isElement: isElement)
            object = text as NSString
        case .bool, .integer, .unsigned, .float, .double:
            try check(NSNumber.self, isElement: isElement)
            guard let number = FoundationNumber.number(for: document.objects[index]) else { return .none }
            object = number
        case .data(let data):
            try check(NSData.self, isElement: isElement)
            object = data as NSData
        case .date(let seconds):
            try check(NSDate.self, isElement: isElement)
            object = NSDate(timeIntervalSinceReferenceDate: seconds)
        case .dictionary(let record):
            return try resolve(record, index, isElement: isElement)
        case let value:
            throw failure(.malformed, "Object \(number) is \(value.kindName), which no object is stored as.")
        }
        slots[index].state = .done
        slots[index].object = try replaced(object)
        return .object(slots[index].object ?? object)
    }

    private func resolve(
        _ record: PlistDictionary, _ index: Int, isElement: Bool
    ) throws(KeyedFailure) -> Resolution {
        let archived: ArchivedClass
        do throws(KeyedFailure) {
            resolver.allowed = gates.last?.classes ?? []
            archived = try classes.type(record[ArchiveKey.classReference], in: document.objects, resolver)
        } catch {
            throw failure(error.code, error.message)
        }
        guard let type = archived.type else {
            guard unknownClasses == .kept else {
                throw failure(
                    .unknownClass,
                    "The class \(archived.name) is not in this program. Map its name: `classMap`, `KeyedClassMap.register`. Or keep "
                        + "such objects: `unknownClasses = .kept`.")
            }
            let object = ArchivedObject(
                className: archived.name, classChain: archived.chain, classHints: archived.hints)
            slots[index].state = .open
            slots[index].object = object
            return .container(ContainerBuild(index, object, record))
        }
        try check(type, isElement: isElement)
        if isSecure, !archived.supportsSecureCoding {
            throw failure(.classRefused, "\(ClassNames.shown(type)) does not support secure coding.")
        }
        if archived.isModel {
            for reader in modelReaders.reversed() {
                if let object = try reader.whole(UInt32(index)) { return .object(object) }
            }
            return .object(try ModelReader(self).object(UInt32(index), type))
        }
        if let kind = archived.kind, let shape = ContainerBuild.Shape(kind) {
            let build: ContainerBuild
            do throws(KeyedFailure) {
                build = try ContainerBuild(index, shape, record)
            } catch {
                throw failure(error.code, error.message)
            }
            slots[index].state = .open
            return .container(build)
        }
        return .object(try made(archived, type, record, index))
    }

    /// Makes an object that reads its own record.
    private func made(
        _ archived: ArchivedClass, _ type: AnyClass, _ record: PlistDictionary, _ index: Int
    ) throws(KeyedFailure) -> AnyObject {
        guard frames.count + builds.count < limits.objectDepth else {
            throw failure(.limitExceeded, "Nested deeper than the limit of \(limits.objectDepth).")
        }
        slots[index].state = .open
        var frame = Frame(record)
        frame.openContainers = builds.count
        frame.base = archived.base
        frame.number = index
        frame.type = archived.coding == nil || archived.kind != nil ? nil : type
        frame.finishedBefore = finishedNumbers.count
        let kind = archived.kind
        frames.append(frame)
        var object: AnyObject
        if let kind {
            object = try read(kind, type)
        } else {
            guard let coding = archived.coding else {
                throw failure(.unsupportedType, "\(ClassNames.shown(type)) is no NSCoding class.")
            }
            let made = call { coding.init(coder: self).flatMap { nativeObject(in: $0) ?? $0 as AnyObject } }
            if let failure { throw failure }
            guard let made else {
                throw failure(.codingFailed, "\(ClassNames.shown(type)) gave nothing for its record.")
            }
            object = made
            #if canImport(Darwin)
                if let made = made as? NSObject, let awake = made.awakeAfter(using: self) {
                    object = awake as AnyObject
                }
            #endif
        }
        object = try replaced(object)
        let finished = frames.removeLast()
        slots[index].state = .done
        slots[index].object = object
        slots[index].height = Int32(finished.height + 1)
        slots[index].expansion = kind == nil ? 1 : finished.expansion
        finishedNumbers.append(index)
        if backReferences.isAwaited(index) { try settle(index, object, since: finished.finishedBefore) }
        return object
    }

    /// Calls an initializer, on a fresh stack when those round it have used up this one.
    private func call(_ body: () -> AnyObject?) -> AnyObject? {
        if frames.count <= 2 { stack.begin() }
        guard stack.isExceeded else { return body() }
        let outer = stack
        defer { stack = outer }
        return DeepCalls.onFreshStack {
            stack = StackMeter.forFreshStack()
            return body()
        }
    }

    /// Gives an object to those that asked for it before it was there.
    private func settle(_ index: Int, _ object: AnyObject, since first: Int) throws(KeyedFailure) {
        let slots = slots
        let numbers = finishedNumbers[first...]
        let isSettled = backReferences.settle(
            index, object, askers: { $0.compactMap { slots[$0].object } },
            others: { numbers.compactMap { slots[$0].object } })
        guard isSettled else {
            throw failure(
                .cycle,
                "An object that refers back to a \(ClassNames.shown(type(of: object))) while that is still decoded "
                    + "keeps it where it can't be put right, in a closure for example. Set it after decoding.")
        }
    }

    private func replaced(_ object: AnyObject) throws(KeyedFailure) -> AnyObject {
        guard let didDecode else { return object }
        return didDecode(object).map { $0 as AnyObject } ?? object
    }

    /// Lets the record that is being read know of an object below it.
    func note(_ index: Int) {
        let last = frames.count - 1
        frames[last].height = max(frames[last].height, Int(slots[index].height))
        frames[last].expansion = ContainerBuild.sum(frames[last].expansion, slots[index].expansion)
    }

    /// An object that is still being made, for one inside it that refers to it.
    private func openObject(_ index: Int, isElement: Bool) throws(KeyedFailure) -> AnyObject {
        if let object = slots[index].object {
            try check(type(of: object), isElement: isElement, of: object)
            return object
        }
        if let place = builds.firstIndex(where: { $0.number == index }), let stand = builds[place].standIn() {
            try check(type(of: stand), isElement: isElement)
            slots[index].object = stand
            slots[index].expansion = ContainerBuild.endless
            return stand
        }
        guard let type = frames.last(where: { $0.number == index })?.type else { throw unfinished(index) }
        try check(type, isElement: isElement)
        var askers: [Int] = []
        if let frame = frames.last {
            if let number = frame.number { askers.append(number) }
            if builds.count > frame.openContainers { askers.append(builds[builds.count - 1].number) }
        }
        guard let stand = backReferences.standIn(for: index, type, askers: askers) else { throw unfinished(index) }
        return stand
    }

    private func unfinished(_ index: Int) -> KeyedFailure {
        failure(
            .cycle,
            "The object refers to one whose initializer still runs. Make one of the two references conditional "
                + "and set it after decoding, or adopt Model, whose instances exist before they are filled.")
    }

    /// Asks whether an object of `type` may be made, or handed out.
    private func check(_ type: AnyClass, isElement: Bool, of object: AnyObject? = nil) throws(KeyedFailure) {
        guard isSecure, let gate = gates.last else { return }
        if gate.allows(type) { return }
        if object is ArchivedObject { return }
        // What collections hold may always be text, a number, bytes or a date: these run no code of their own.
        if isElement, ClassGate.isPlainValue(type) { return }
        throw failure(
            .classRefused,
            "The class \(ClassNames.shown(type)) is not among the allowed classes [\(gate.names)]. Allow it, if it is meant."
        )
    }
}
