// Room:   amber-bench / Contenders. Amber's keyed coders.
// Takes:  NSSecureCoding objects. Gives: archives as Foundation's. Touches: Amber's public interface only.

import Amber
import Foundation

/// KeyedEncoder and KeyedDecoder on one root object.
struct AmberKeyedContender<Root: NSObject & NSSecureCoding>: Contender {
    let name = CoderName.amberKeyed
    private let classes: [AnyClass]

    init(_ root: Root.Type, classes: [AnyClass] = []) {
        self.classes = classes + [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self]
    }

    func encode(_ value: Root, into buffer: inout Data) throws {
        buffer = try KeyedEncoder().encode(value)
    }

    func decode(_ archive: Data) throws -> Root {
        try KeyedDecoder().decode(Root.self, from: archive, allowing: classes)
    }
}
