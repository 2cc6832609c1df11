// Unowned references to objects that nothing holds in the shape that the program has today.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private final class UnownedTarget: Model {
    var number = 5
    init() {}
}
private final class UnownedBefore: Model {
    var held: UnownedTarget?
    unowned var target: UnownedTarget
    unowned(unsafe) var loose: UnownedTarget
    init(_ target: UnownedTarget) {
        (held, self.target) = (target, target)
        unsafe loose = target
    }
    static var rules: ModelRules { ModelRules(name: "Test.UnownedHolder") }
}
private final class UnownedAfter: Model {
    unowned(unsafe) var loose: UnownedTarget
    init(_ target: UnownedTarget) { unsafe self.loose = target }
    static var rules: ModelRules { ModelRules(name: "Test.UnownedHolder") }
}
private struct UnownedList: Model {
    var holders: [UnownedBefore]
    static var rules: ModelRules { ModelRules(name: "Test.UnownedList") }
}
private struct UnownedListAfter: Model {
    var holders: [UnownedAfter]
    static var rules: ModelRules { ModelRules(name: "Test.UnownedList") }
}

@Suite struct UnownedTests {
    @Test(arguments: [1, 20]) func whatNothingHoldsIsAnError(_ count: Int) throws {
        let targets = (0..<count).map { _ in UnownedTarget() }
        let list = UnownedList(holders: targets.map { UnownedBefore($0) })
        let back = try roundTrip(list)
        #expect(back.holders.allSatisfy { $0.target === $0.held })
        for holder in back.holders { unsafe #expect(holder.loose === holder.held) }
        let failure = decodingFailure { try read(list, as: UnownedListAfter.self) }
        #expect(failure?.code == .missingValue && failure?.description.contains("unowned reference") == true)
    }
}
