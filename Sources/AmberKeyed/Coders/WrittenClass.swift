// Room:   AmberKeyed / Coders. A class of which objects are written, as far as one archive needs to know it.
// Takes:  an object of the class. Gives: how its objects are to be written, found out once.
// Touches: class metadata.

import AmberModel
import Foundation

final class WrittenClass {
    let type: AnyClass
    /// Its kind, if its objects are coded by this module.
    let kind: FoundationKind?
    /// Whether it inherits from NSObject.
    let isObject: Bool
    /// Whether its objects were read from archives that name a class unknown here.
    let isArchived: Bool
    /// Whether its objects stand for others, whose class nobody needs to know.
    let isDynamic: Bool
    /// Whether its objects may say that others are archived for them.
    let isReplaced: Bool
    /// Whether its objects are coded by their schema.
    let isModel: Bool
    /// The Foundation class with two dialects that it inherits from.
    let base: FoundationKind?
    let supportsSecureCoding: Bool
    /// Whether it is one of Foundation's whose own coding methods end the process, or write what nobody reads.
    let isRefused: Bool
    var plan: ClassPlan?
    /// The number of its record in the archive.
    var number: UInt32?
    /// What its objects code themselves by.
    let coding: (any NSCoding.Type)?
    /// How many entries the last record of the class had: the next will have as many.
    var entryCount = 0

    init(of object: AnyObject) {
        type = Swift.type(of: object)
        isObject = type is NSObject.Type
        coding = type as? any NSCoding.Type
        var kind = FoundationClasses.kind(of: type)
        if kind == nil, FoundationClasses.isFoundation(type), let object = object as? NSObject {
            // A private subclass, of a class cluster: it says which public class it stands for.
            kind = FoundationClasses.kind(of: object.classForKeyedArchiver ?? object.classForCoder)
            // Or it doesn't: then its superclasses do.
            var current: AnyClass? = _getSuperclass(type)
            while kind == nil, let candidate = current {
                kind = FoundationClasses.kinds[ObjectIdentifier(candidate)]
                current = _getSuperclass(candidate)
            }
        }
        self.kind = kind
        isRefused =
            kind == nil && FoundationClasses.isFoundation(type) && !FoundationClasses.mayDecodeItself(type)
        isArchived = type == ArchivedObject.self
        isDynamic = type == DynamicObject.self
        isReplaced = type is any ReplacedWhenEncoded.Type
        isModel = FoundationClasses.isCodedBySchema(type)
        base = kind == nil ? Dialect.base(of: type) : nil
        supportsSecureCoding = ClassGate.supportsSecureCoding(type)
    }
}
