// Room:   AmberTestSupport. Whether two graphs are the same: values, classes, and who is whom.
// Takes:  two roots. Gives: nil, or the path of the first difference.
// Touches: both graphs, read by Mirror, which shares no code with the library.

package import Foundation

/// Something in an unordered collection that is told from its neighbours by a label.
package protocol Labelled {
    var label: String { get }
}

/// The first difference of two graphs, or `nil`. Floats are compared by their bits, objects by the pairs they form.
/// Nothing recurses from object to object.
package func difference(_ left: Any, _ right: Any) -> String? {
    var comparison = GraphComparison()
    return comparison.run(left, right)
}

private struct GraphComparison {
    private var partners: [ObjectIdentifier: ObjectIdentifier] = [:]
    private var taken: Set<ObjectIdentifier> = []
    private var pending: [(AnyObject, AnyObject, String)] = []

    mutating func run(_ left: Any, _ right: Any) -> String? {
        if let found = compare(left, right, "") { return found }
        while let (left, right, path) = pending.popLast() {
            if let found = compareChildren(Mirror(reflecting: left), Mirror(reflecting: right), path) { return found }
        }
        return nil
    }

    private mutating func compare(_ left: Any, _ right: Any, _ path: String) -> String? {
        guard type(of: left) == type(of: right) else {
            return "\(path): \(type(of: left)) against \(type(of: right))"
        }
        if let same = sameLeaf(left, right) { return same ? nil : "\(path): \(left) against \(right)" }
        let (one, other) = (Mirror(reflecting: left), Mirror(reflecting: right))
        if type(of: left) is AnyClass {
            let (one, other) = (left as AnyObject, right as AnyObject)
            if let known = partners[ObjectIdentifier(one)] {
                return known == ObjectIdentifier(other) ? nil : "\(path): another object"
            }
            guard taken.insert(ObjectIdentifier(other)).inserted else { return "\(path): shared only once" }
            partners[ObjectIdentifier(one)] = ObjectIdentifier(other)
            pending.append((one, other, path))
            return nil
        }
        if one.displayStyle == .set || one.displayStyle == .dictionary {
            return compareUnordered(one, other, path)
        }
        return compareChildren(one, other, path)
    }

    private mutating func compareUnordered(_ left: Mirror, _ right: Mirror, _ path: String) -> String? {
        func sorted(_ mirror: Mirror) -> [(String, Any)] {
            mirror.children.map { child -> (String, Any) in
                let pair = mirror.displayStyle == .dictionary ? Mirror(reflecting: child.value).children.first : nil
                let key = pair.map(\.value) ?? child.value
                return ((key as? any Labelled)?.label ?? "\(key)", child.value)
            }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        }
        let (one, other) = (sorted(left), sorted(right))
        guard one.map(\.0) == other.map(\.0) else { return "\(path): \(one.map(\.0)) against \(other.map(\.0))" }
        for (a, b) in zip(one, other) {
            if let found = compare(a.1, b.1, "\(path)[\(a.0)]") { return found }
        }
        return nil
    }

    private mutating func compareChildren(_ left: Mirror, _ right: Mirror, _ path: String) -> String? {
        guard left.children.count == right.children.count else {
            return "\(path): \(left.children.count) children against \(right.children.count)"
        }
        for (index, (a, b)) in zip(left.children, right.children).enumerated() {
            guard a.label == b.label else { return "\(path): \(a.label ?? "") against \(b.label ?? "")" }
            if let found = compare(a.value, b.value, "\(path).\(a.label ?? "\(index)")") { return found }
        }
        if let parent = left.superclassMirror, let other = right.superclassMirror {
            return compareChildren(parent, other, path)
        }
        return nil
    }

    private func sameLeaf(_ left: Any, _ right: Any) -> Bool? {
        switch (left, right) {
        case (let left as Double, let right as Double): left.bitPattern == right.bitPattern
        case (let left as Float, let right as Float): left.bitPattern == right.bitPattern
        case (let left as Date, let right as Date):
            left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
        case (let left as any LeafValue, let right as any LeafValue): left.isSame(as: right)
        default: nil
        }
    }
}

/// Values that say themselves whether they are equal.
private protocol LeafValue: Equatable {}

extension LeafValue {
    fileprivate func isSame(as other: any LeafValue) -> Bool { (other as? Self) == self }
}

extension Bool: LeafValue {}
extension Int: LeafValue {}
extension Int8: LeafValue {}
extension Int16: LeafValue {}
extension Int32: LeafValue {}
extension Int64: LeafValue {}
extension UInt: LeafValue {}
extension UInt8: LeafValue {}
extension UInt16: LeafValue {}
extension UInt32: LeafValue {}
extension UInt64: LeafValue {}
extension Int128: LeafValue {}
extension UInt128: LeafValue {}
extension String: LeafValue {}
extension Substring: LeafValue {}
extension Character: LeafValue {}
extension Data: LeafValue {}
extension UUID: LeafValue {}
extension URL: LeafValue {}
extension Decimal: LeafValue {}
extension IndexSet: LeafValue {}
extension Range: LeafValue {}
extension ClosedRange: LeafValue {}
