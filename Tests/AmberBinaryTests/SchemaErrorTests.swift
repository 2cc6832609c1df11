// Room:   AmberBinaryTests. Types that can't be archived, and rules that contradict their types.
// Takes:  such types. Gives: an error that names the type and the property, and says what to do.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

class NotAModel { var x = 1 }

final class HoldsObject: Model { var bad: NotAModel? }
final class HoldsList: Model { var bad: [[NotAModel]] = [] }
final class HoldsStruct: Model { var bad = Stranger() }
final class HoldsStructs: Model { var bad: [Stranger] = [] }
final class HoldsClosures: Model { var bad: [() -> Void] = [] }
final class HoldsMetatype: Model { var bad: Any.Type = Int.self }
final class HoldsKeyPath: Model { var bad: KeyPath<String, Int>? }
final class HoldsWeakStranger: Model { weak var bad: NotAModel? }
enum BadCase { case fine, wrong(NotAModel) }
final class HoldsEnum: Model { var bad = BadCase.fine }
final class Excluding: Model {
    var bad: NotAModel?
    var good = 1
    static var rules: ModelRules { ModelRules().excluding("bad") }
}
final class ExcludingOwner: Model {
    var owner: ExcludingOwner?
    var good = 1
    static var rules: ModelRules { ModelRules().excluding("owner") }
}

struct Misnamed: Model {
    var a = 1
    static var rules: ModelRules { ModelRules().excluding("b") }
}

struct Clashing: Model {
    var a = 1
    var b = 2
    static var rules: ModelRules { ModelRules().storing("a", as: "b") }
}

final class ConditionalValue: Model {
    var child = ConditionalChild()
    static var rules: ModelRules { ModelRules().conditional("child") }
}
final class ConditionalChild: Model { var x = 1 }

final class EndlessNest<Content>: Model {
    var content: Content?
    var inner: EndlessNest<[Content]>?
}
actor Worker: Model { var x = 1 }

struct Outermost: Model { var outer = Outside() }
struct Outside: Model { var inner = HoldsStruct() }

final class ClosureWithoutInit: Model {
    var number: Int
    var action: () -> Int
    init(number: Int) {
        self.number = number
        action = { number }
    }
}
struct HoldsClosureWithoutInit: Model { var held: [ClosureWithoutInit] = [] }
final class OptionalClosureWithoutInit: Model {
    var number: Int
    var action: (() -> Int)?
    init(number: Int) {
        self.number = number
        action = { number }
    }
}

@Suite struct SchemaErrorTests {
    @Test func genericTypesWithoutEndAreRefused() {
        for failure in [
            encodingFailure { try BinaryEncoder().encode(EndlessNest<Int>()) }
        ] {
            #expect(failure?.code == .unsupportedType)
            let text = failure?.description ?? ""
            #expect(text.contains(".inner") && text.contains("nested too deeply") && text.utf8.count < 2000, "\(text)")
        }
    }

    @Test func actorsAreRefused() {
        let failure = encodingFailure { try BinaryEncoder().encode(Worker()) }
        #expect(failure?.code == .unsupportedType && failure?.description.contains("is an actor") == true)
    }

    @Test func theInnermostPropertySaysWhatToDoAndNoOther() {
        let text = encodingFailure { try BinaryEncoder().encode(Outermost()) }?.description ?? ""
        #expect(text.contains("HoldsStruct.bad") && text.ranges(of: "excluding(").count == 1, "\(text)")
    }

    @Test func whatCannotBeReadIsNotWritten() throws {
        for failure in [
            encodingFailure { try BinaryEncoder().encode(ClosureWithoutInit(number: 3)) },
            encodingFailure { try BinaryEncoder().encode(HoldsClosureWithoutInit()) },
        ] {
            #expect(failure?.code == .unsupportedType)
            let text = failure?.description ?? ""
            #expect(text.contains("ClosureWithoutInit.action is left out") && text.contains("Optional"), "\(text)")
        }
        #expect(try roundTrip(OptionalClosureWithoutInit(number: 3)).number == 3)
    }

    @Test func longPathsAreCutInTheMiddle() {
        let path = CodingPath((0..<100).map { .property("p\($0)") })
        #expect(path.description.hasPrefix("p0.p1.") && path.description.hasSuffix(".p98.p99"))
        #expect(path.description.contains("…(76 steps)…"))
        #expect(path.description.utf8.count < 200)
    }

    @Test func errorsNameTheTypeAndThePropertyAndSayHowToExclude() {
        func check<T>(_ value: T, _ owner: String, line: Int = #line) {
            let failure = encodingFailure { try BinaryEncoder().encode(value) }
            #expect(failure?.code == .unsupportedType, "line \(line)")
            let text = failure?.description ?? ""
            #expect(text.contains(owner + ".bad") && text.contains(".excluding(\"bad\")"), "line \(line): \(text)")
            let second = decodingFailure { try BinaryDecoder().decode(T.self, from: Data()) }
            #expect(second?.code == .unsupportedType, "line \(line)")
        }
        check(HoldsObject(), "HoldsObject")
        check(HoldsList(), "HoldsList")
        check(HoldsStruct(), "HoldsStruct")
        check(HoldsStructs(), "HoldsStructs")
        check(HoldsClosures(), "HoldsClosures")
        check(HoldsMetatype(), "HoldsMetatype")
        check(HoldsKeyPath(), "HoldsKeyPath")
        check(HoldsWeakStranger(), "HoldsWeakStranger")
        check(HoldsEnum(), "HoldsEnum")
    }

    @Test func rootsThatCannotBeArchivedAreNamed() {
        for failure in [
            encodingFailure { try BinaryEncoder().encode(NotAModel()) },
            encodingFailure { try BinaryEncoder().encode([[Stranger()]]) },
            encodingFailure { try BinaryEncoder().encode({ 1 }) },
            encodingFailure { try BinaryEncoder().encode(Int.self) },
            encodingFailure { try BinaryEncoder().encode(["a": NotAModel()] as [String: Any]) },
            encodingFailure { try BinaryEncoder().encode([Stranger()] as [Any]) },
        ] {
            #expect(failure?.code == .unsupportedType, "\(failure?.description ?? "no failure")")
        }
    }

    @Test func aStructIsRefusedWhereverItStands() {
        // Whether a type can be archived must not depend on what was archived before it.
        _ = try? BinaryEncoder().encode(HoldsStruct())
        #expect(throws: EncodingFailure.self) { try BinaryEncoder().encode([Stranger()]) }
    }

    @Test func excludedPropertiesAreNeverVisited() throws {
        let model = Excluding()
        (model.bad, model.good) = (NotAModel(), 5)
        let back = try roundTrip(model)
        #expect(back.bad == nil && back.good == 5)
        let owned = ExcludingOwner()
        (owned.owner, owned.good) = (owned, 6)
        let copy = try roundTrip(owned)
        #expect(copy.owner == nil && copy.good == 6)
        owned.owner = nil
    }

    @Test func rulesThatContradictTheTypeAreRefused() {
        let misnamed = encodingFailure { try BinaryEncoder().encode(Misnamed()) }
        #expect(misnamed?.code == .invalidRules && misnamed?.description.contains("`b`") == true)
        #expect(encodingFailure { try BinaryEncoder().encode(Clashing()) }?.code == .invalidRules)
        let conditional = encodingFailure { try BinaryEncoder().encode(ConditionalValue()) }
        #expect(conditional?.code == .invalidRules && conditional?.description.contains("child") == true)
    }
}
