// Room:   amber-bench / Contenders. Foundation's keyed archiver.
// Takes:  NSSecureCoding objects, twins of the models. Gives: archives. Touches: Foundation.

import Foundation

/// NSKeyedArchiver and NSKeyedUnarchiver on one root object.
struct KeyedArchiverContender<Root: NSObject & NSSecureCoding>: Contender {
    let name = CoderName.keyedArchiver
    /// The classes that may occur, besides the root's and Foundation's own containers.
    private let classes: [AnyClass]

    init(_ root: Root.Type, classes: [AnyClass] = []) {
        self.classes = classes + [Root.self, NSArray.self, NSString.self, NSNumber.self]
    }

    func encode(_ value: Root, into buffer: inout Data) throws {
        buffer = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    }

    func decode(_ archive: Data) throws -> Root {
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: archive)
        guard let root = object as? Root else { throw UnexpectedRoot(found: "\(type(of: object))") }
        return root
    }
}

/// The archive holds something else than what went in.
struct UnexpectedRoot: Error {
    let found: String
}
