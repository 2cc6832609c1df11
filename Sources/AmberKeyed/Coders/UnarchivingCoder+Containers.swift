// Room:   AmberKeyed / Coders. Collections and unknown objects from their finished contents.
// Takes:  a container whose elements are decoded. Gives: the collection, in place of what stood for it.
// Touches: the slot of the container.

import AmberModel
import Foundation

extension UnarchivingCoder {
    /// Makes the object of a container whose contents are complete.
    func finish(_ build: ContainerBuild) throws(KeyedFailure) -> AnyObject {
        let object: AnyObject
        if build.shape == .unknown {
            object = try filled(build)
        } else {
            object = try collection(build)
        }
        slots[build.number].state = .done
        slots[build.number].object = didDecode?(object).map { $0 as AnyObject } ?? object
        slots[build.number].height = Int32(clamping: build.height + 1)
        finishedNumbers.append(build.number)
        guard build.height < limits.objectDepth else {
            throw failure(.limitExceeded, "Nested deeper than the limit of \(limits.objectDepth).")
        }
        // Whoever met this container while it was open took it for endless: so is what holds itself by collections alone.
        slots[build.number].expansion = build.shape == .unknown ? 1 : max(build.expansion, 2)
        return slots[build.number].object ?? object
    }

    private func collection(_ build: ContainerBuild) throws(KeyedFailure) -> AnyObject {
        let children = build.children
        switch build.shape {
        case .array, .mutableArray:
            if let array = build.handedOut as? NSMutableArray {
                array.addObjects(from: children)
                return array
            }
            return build.shape == .array ? FoundationStorage.array(children) : FoundationStorage.mutableArray(children)
        case .dictionary, .mutableDictionary:
            return try dictionary(build, children)
        default: break
        }
        try checkComparisons(build.containers, build.containerExpansion)
        switch build.shape {
        case .set, .mutableSet:
            if let set = build.handedOut as? NSMutableSet {
                for child in children { set.add(child) }
                return set
            }
            return build.shape == .set ? NSSet(array: children) : NSMutableSet(array: children)
        case .orderedSet, .mutableOrderedSet:
            if let set = build.handedOut as? NSMutableOrderedSet {
                for child in children { set.add(child) }
                return set
            }
            return build.shape == .orderedSet ? NSOrderedSet(array: children) : NSMutableOrderedSet(array: children)
        default:
            return try countedSet(build, children)
        }
    }

    private func dictionary(_ build: ContainerBuild, _ children: [AnyObject]) throws(KeyedFailure) -> AnyObject {
        let count = children.count / 2
        var keys: [NSObject] = []
        keys.reserveCapacity(count)
        try checkComparisons(build.containers, build.containerExpansion)
        for key in children[..<count] {
            guard let object = key as? NSObject else {
                throw failure(.typeMismatch, "A dictionary's key is no object that can be one.")
            }
            keys.append(object)
        }
        let values = Array(children[count...])
        if let dictionary = build.handedOut as? NSMutableDictionary {
            for index in 0..<count { dictionary.setObject(values[index], forKey: keys[index]) }
            return dictionary
        }
        return build.shape == .dictionary
            ? NSDictionary(objects: values, forKeys: keys) : NSMutableDictionary(objects: values, forKeys: keys)
    }

    private func countedSet(_ build: ContainerBuild, _ children: [AnyObject]) throws(KeyedFailure) -> AnyObject {
        let set = build.handedOut as? NSCountedSet ?? NSCountedSet()
        var total = 0
        for (index, child) in children.enumerated() {
            guard let count = build.record["NS.count\(index)"]?.integerValue, count > 0 else {
                throw failure(.malformed, "A counted set lacks a count.")
            }
            // Foundation takes one call a count: a file of a hundred bytes may not ask for billions.
            guard count <= limits.comparisons, total <= limits.comparisons else {
                throw failure(.limitExceeded, "A counted set's counts are larger than the limit.")
            }
            total += Int(count)
            for _ in 0..<count { set.add(child) }
        }
        return set
    }

    private func checkComparisons(_ containers: Int, _ expansion: Int) throws(KeyedFailure) {
        // Even alone one without end is refused: Foundation asks a set for its count while it puts the set into itself.
        guard containers > 1 || expansion >= ContainerBuild.endless else { return }
        let (product, overflow) = containers.multipliedReportingOverflow(by: expansion)
        guard !overflow, product <= limits.comparisons else {
            throw failure(
                .limitExceeded, "A set or dictionary is keyed by containers that take too long to compare.")
        }
    }

    private func filled(_ build: ContainerBuild) throws(KeyedFailure) -> AnyObject {
        guard let object = build.handedOut as? ArchivedObject else {
            throw failure(.malformed, "An unknown object was lost.")
        }
        var children = build.children.makeIterator()
        func value(_ stored: PlistValue) -> ArchivedObject.Value {
            switch stored {
            case .reference: .object(children.next().flatMap { $0 === ContainerBuild.noObject ? nil : $0 as? NSObject })
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .unsigned(let value): .unsigned(value)
            case .float(let value): .float(value)
            case .double(let value): .double(value)
            case .data(let value): .data(value)
            case .string(let value): .string(value)
            case .date(let value): .date(Date(timeIntervalSinceReferenceDate: value))
            case .array(let values): .list(values.map(value))
            case .dictionary(let dictionary): .dictionary(dictionary.entries.map { ($0.key, value($0.value)) })
            }
        }
        for entry in build.record.entries where entry.key != ArchiveKey.classReference {
            object.values.append((entry.key, value(entry.value)))
        }
        return object
    }
}
