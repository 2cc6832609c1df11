// Room:   AmberKeyed / Coders. The records of classes in an archive that is being written.
// Takes:  an object's class. Gives: the number of its record: its name, its superclasses, what may stand in for it.
// Touches: class metadata, the program's maps of names.

import AmberModel
import Foundation

extension ArchivingCoder {
    /// The number of the public class that an object of Foundation's stands for.
    func classNumber(of object: AnyObject, _ kind: FoundationKind, _ known: WrittenClass) -> UInt32 {
        if let number = known.number { return number }
        if FoundationClasses.kinds[ObjectIdentifier(known.type)] != nil || kind == .unit {
            let number = classNumber(of: known.type)
            known.number = number
            return number
        }
        return classNumber(of: (object as? NSObject)?.classForKeyedArchiver ?? known.type)
    }

    func classNumber(of type: AnyClass) -> UInt32 {
        if let known = classesByType[ObjectIdentifier(type)] { return known }
        func name(_ type: AnyClass) -> String {
            if let name = classMap.resolvedName(for: type) { return name }
            if type == OldStyleArray.self { return OldStyleArray.archiveName }
            if let model = type as? any ModelProtocol.Type, let name = ModelRules.combined(of: model).name {
                return name
            }
            return ClassNames.name(of: type)
        }
        var chain: [String] = []
        var current: AnyClass? = type
        while let candidate = current {
            chain.append(name(candidate))
            current = _getSuperclass(candidate)
        }
        if type == NSDecimalNumber.self, chain[0] == "NSDecimalNumber" {
            // The name that Apple's own archives carry; readers of either kind know it.
            chain.insert("NSDecimalNumberPlaceholder", at: 0)
        }
        let hints = (type as? NSObject.Type)?.classFallbacksForKeyedArchiver() ?? []
        let number = classNumber(chain: chain, name: chain[0], hints: hints)
        classesByType[ObjectIdentifier(type)] = number
        return number
    }

    func classNumber(of object: ArchivedObject) -> UInt32 {
        classNumber(chain: object.classChain, name: object.className, hints: object.classHints)
    }

    func classNumber(chain: [String], name: String, hints: [String]) -> UInt32 {
        let identity = ([name] + chain + ["|"] + hints).joined(separator: "\n")
        if let known = classNumbers[identity] { return known }
        var record = PlistDictionary()
        record.entries.append(.init(key: "$classname", value: .string(name)))
        record.entries.append(.init(key: "$classes", value: .array(chain.map { .string($0) })))
        if !hints.isEmpty {
            record.entries.append(.init(key: "$classhints", value: .array(hints.map { .string($0) })))
        }
        let number = UInt32(document.objects.count)
        document.objects.append(.dictionary(record))
        classNumbers[identity] = number
        return number
    }
}
