// Room:   amber-bench / Workloads. Foundation's objects in keyed archives.
// Takes:  arrays made here. Gives: trials for both keyed coders. Touches: the run.

import Foundation

extension Bench {
    /// Small dictionaries: NSKeyedArchiver looks each up by equality among all before it.
    func keyedDictionaries() throws {
        try keyed(count: 1_000, foundation: Part(200, quick: 60), cut: "it takes the square of the time") { number in
            ["name": "item \(number)", "number": number, "ratio": Double(number) + 0.5] as NSDictionary
        }
    }

    func keyedStrings() throws {
        try keyed(count: 100_000, foundation: Part(100_000, quick: 10_000), cut: "all would take seconds a run") {
            "text of item number \($0)" as NSString
        }
    }

    /// Objects with an encode(with:) written by hand.
    func keyedObjects() throws {
        try keyed(count: 10_000, foundation: Part(10_000, quick: 1_000), cut: "all would take seconds a run") {
            NodeTwin(texts: ["object \($0)"], numbers: [Int64($0)])
        }
    }

    private func keyed(count full: Int, foundation: Part, cut: String, make: (Int) -> NSObject) throws {
        // Both coders get the very same objects.
        let objects = (0..<full).map(make)
        func isEqual(_ left: NSArray, _ right: NSArray) -> Bool {
            left.count == right.count
                && (0..<left.count).allSatisfy { index in
                    guard let one = left[index] as? NodeTwin, let other = right[index] as? NodeTwin else {
                        return (left[index] as? NSObject) == (right[index] as? NSObject)
                    }
                    return one.texts == other.texts && one.numbers == other.numbers
                }
        }
        try measure(CoderName.amberKeyed) {
            Trial(
                contender: AmberKeyedContender(NSArray.self, classes: [NodeTwin.self]), value: NSArray(array: objects),
                count: full, isEqual: isEqual)
        }
        try measure(CoderName.keyedArchiver) {
            let count = size(foundation)
            return Trial(
                contender: KeyedArchiverContender(NSArray.self, classes: [NodeTwin.self, NSDictionary.self]),
                value: NSArray(array: Array(objects.prefix(count))), count: count,
                cut: count == full ? nil : "the first \(count) of \(full): \(cut)", isEqual: isEqual)
        }
    }
}
