// Room:   CustomisingTests. Values whose type only the archive tells, and types that are rare.
// Takes:  such values as root, property, element, in an Optional, in an `Any`. Gives: the same back, from every coder.
// Touches: every coder.

import Amber
import AmberTestSupport
import Foundation
import Synchronization
import Testing

private protocol AnyValueShape { var area: Double { get } }
private struct AnyValueSquare: Model, AnyValueShape, Hashable {
    var side = 2.0
    var area: Double { side * side }
}
private final class AnyValueCircle: Model, AnyValueShape {
    var radius = 1.0
    var parent: (any AnyValueShape)?
    var area: Double { radius }
    init() {}
}
private struct AnyValueShapes: Model {
    var one: any AnyValueShape
    var byName: [String: any AnyValueShape]
    var labelled: (any AnyValueShape, Int)
    var choice: AnyValueChoice
}
private enum AnyValueChoice { case shape(any AnyValueShape), two(Any, Int), nothing }
private enum AnyValueCase: Equatable { case plain, pair(Int, String) }
private struct AnyValueRaw: RawRepresentable, Hashable { var rawValue: Int16 }
private struct AnyValueCoded: Codable, Equatable { var a = 1, b: String? }

private struct AnyValueHolder<Value>: Model {
    var value: Value
    var optional: Value?
    var twice: Value??
    var array: [Value]
    var named: [String: Value]
    var pair: (Value, Int)
}
private final class AnyValueBox<Value>: Model {
    var value: Value?
    var list: [Value] = []
    required init() {}
}
private struct AnyValueAny: Model {
    var any: Any
    var list: [Any]
    var named: [String: Any]
}

@Suite struct AnyValueTests {
    private func check<Value>(
        _ coder: AnyCoder, _ value: Value, inAny: Bool = true, _ isSame: (Value, Value) -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let holder = AnyValueHolder(
            value: value, optional: value, twice: .some(.some(value)), array: Array(repeating: value, count: 12),
            named: ["a": value], pair: (value, 1))
        let back = try coder.copy(holder)
        #expect(isSame(value, back.value), sourceLocation: location)
        #expect(back.optional.map { isSame(value, $0) } == true, sourceLocation: location)
        if case .some(.some(let inner)) = back.twice {
            #expect(isSame(value, inner), sourceLocation: location)
        } else {
            Issue.record("The Optional in an Optional is lost.", sourceLocation: location)
        }
        #expect(back.array.count == 12 && back.array.allSatisfy { isSame(value, $0) }, sourceLocation: location)
        #expect(back.named["a"].map { isSame(value, $0) } == true, sourceLocation: location)
        #expect(isSame(value, back.pair.0) && back.pair.1 == 1, sourceLocation: location)
        let boxes = (0..<20).map { index in
            let box = AnyValueBox<Value>()
            if index % 3 != 0 { (box.value, box.list) = (value, [value, value]) }
            return box
        }
        for (index, box) in try coder.copy(boxes).enumerated() {
            #expect((box.value == nil) == (index % 3 == 0), sourceLocation: location)
            #expect(box.value.map { isSame(value, $0) } != false, sourceLocation: location)
            #expect(box.list.allSatisfy { isSame(value, $0) }, sourceLocation: location)
        }
        #expect(try holder.deepCopy().array.allSatisfy { isSame(value, $0) }, sourceLocation: location)
        guard inAny else { return }
        let any = try coder.copy(AnyValueAny(any: value, list: [value, 1], named: ["x": value, "y": "t"]))
        for found in [any.any, any.list[0], any.named["x"] as Any] {
            if let found = found as? Value {
                #expect(isSame(value, found), sourceLocation: location)
            } else {
                Issue.record("\(type(of: found)) instead of \(Value.self)", sourceLocation: location)
            }
        }
        #expect(any.list[1] as? Int == 1 && any.named["y"] as? String == "t", sourceLocation: location)
    }

    private func check<Value: Equatable>(
        _ coder: AnyCoder, _ value: Value, inAny: Bool = true, at location: SourceLocation = #_sourceLocation
    ) throws {
        try check(coder, value, inAny: inAny, ==, at: location)
    }

    @Test(arguments: AnyCoder.allCases) func valuesOfTheStandardLibrary(coder: AnyCoder) throws {
        try check(coder, Int8(-5))
        try check(coder, UInt64.max)
        try check(coder, Int128.min + 3)
        try check(coder, Float(1.5))
        try check(coder, Duration.seconds(3) + .nanoseconds(7))
        try check(coder, SIMD3<Float>(1, 2, 3))
        try check(coder, 1..<5)
        try check(coder, Date(timeIntervalSince1970: 0.5)...Date(timeIntervalSince1970: 9))
        try check(coder, 3...) { $0.lowerBound == $1.lowerBound }
        try check(coder, [1, 2, 3, 4][1...2])
        try check(coder, ContiguousArray(["a", "b"]))
        try check(coder, "hello".dropFirst())
        try check(coder, Character("👨‍👩‍👧"))
        try check(coder, Unicode.Scalar("é"))
        try check(coder, Set<Character>(["a", "é"]))
        try check(coder, ["b": 1, "a": 2, "b": 3] as KeyValuePairs<String, Int>) { "\($0)" == "\($1)" }
        try check(coder, CollectionOfOne("x")) { $0[0] == $1[0] }
        try check(coder, (a: 1, b: ("x", true))) { "\($0)" == "\($1)" }
        try check(coder, [3: [0.5]] as [Int8: [Float]])
    }

    @Test(arguments: AnyCoder.allCases) func valuesOfOwnTypes(coder: AnyCoder) throws {
        try check(coder, AnyValueCase.pair(4, "x"))
        try check(coder, AnyValueRaw(rawValue: 7))
        try check(coder, AnyValueCoded(a: 3, b: "b"))
        try check(coder, [AnyValueSquare(side: 3)])
        try check(coder, ["k": [AnyValueSquare(side: 3)]])
        try check(coder, TimeZone(identifier: "Europe/Oslo")!)
        try check(coder, DateInterval(start: Date(timeIntervalSinceReferenceDate: 4), duration: 60.5))
        try check(coder, NSRange(location: 3, length: 4))
        try check(coder, IndexPath(indexes: [1, 2]))
        try check(coder, Measurement(value: 3.5, unit: UnitLength.miles))
    }

    @Test(arguments: AnyCoder.allCases) func anyHashables(coder: AnyCoder) throws {
        try check(coder, AnyHashable(AnyValueSquare(side: 3)), inAny: false)
        try check(coder, Set<AnyHashable>([1, "x", 2.5, AnyValueSquare()]), inAny: false)
        var keyed: [AnyHashable: Any] = [:]
        keyed["a"] = 1
        keyed[2] = [AnyValueSquare()]
        keyed[AnyValueSquare()] = "square"
        try check(coder, keyed, inAny: false) { _, back in
            guard back.count == 3, back["a"] as? Int == 1, back[AnyValueSquare()] as? String == "square" else {
                return false
            }
            return back[2] as? [AnyValueSquare] == [AnyValueSquare()]
        }
    }

    @Test(arguments: AnyCoder.allCases) func optionalsInOptionals(coder: AnyCoder) throws {
        for value in [.none, .some(.none), .some(.some(.none)), .some(.some(.some(5)))] as [Int???] {
            let back = try coder.copy(
                AnyValueHolder(
                    value: value, optional: value, twice: .some(.some(value)), array: [value], named: ["a": value],
                    pair: (value, 1)))
            #expect(back.value == value && back.optional == .some(value) && back.twice == .some(.some(value)))
            #expect(back.array == [value] && back.named == ["a": value] && back.pair.0 == value)
        }
    }

    /// What is in an existential may have to wait for objects, wherever the existential is.
    @Test(arguments: AnyCoder.allCases) func structsWithExistentialsInExistentials(coder: AnyCoder) throws {
        for count in [1, 30] {
            let all = (0..<count).map { index in
                let circle = AnyValueCircle()
                circle.radius = Double(index)
                circle.parent = AnyValueSquare(side: Double(index))
                return AnyValueShapes(
                    one: circle, byName: ["a": AnyValueSquare(side: 5), "b": circle],
                    labelled: (AnyValueSquare(side: 3), 7),
                    choice: index % 2 == 0 ? .shape(circle) : .two([AnyValueSquare(side: 9)], index))
            }
            let back = try coder.copy(
                AnyValueAny(any: all, list: all.map { ($0, 1) as Any }, named: ["x": ["y": all[0]], "z": all[0]]))
            let same = try #require(back.any as? [AnyValueShapes])
            for (index, shapes) in same.enumerated() {
                let circle = try #require(shapes.one as? AnyValueCircle)
                #expect(circle.radius == Double(index) && circle.parent?.area == Double(index * index))
                #expect(shapes.byName["a"]?.area == 25 && shapes.byName["b"] as? AnyValueCircle === circle)
                #expect(shapes.labelled.0.area == 9 && shapes.labelled.1 == 7)
                switch shapes.choice {
                case .shape(let shape): #expect(shape as? AnyValueCircle === circle && index % 2 == 0)
                case .two(let any, let number):
                    #expect((any as? [AnyValueSquare])?.first?.side == 9 && number == index)
                case .nothing: Issue.record("The case is lost.")
                }
                let (inTuple, one) = try #require(back.list[index] as? (AnyValueShapes, Int))
                #expect(inTuple.one as? AnyValueCircle === circle && one == 1)
            }
            #expect((back.named["x"] as? [String: AnyValueShapes])?["y"]?.byName["a"]?.area == 25)
        }
    }

    @Test(arguments: AnyCoder.allCases) func elementsSideBySide(coder: AnyCoder) throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let numbers: InlineArray<3, Int> = [1, 2, 3]
        let texts: InlineArray<2, String> = ["a", "b"]
        try check(coder, numbers, inAny: false) { one, other in numbers.indices.allSatisfy { one[$0] == other[$0] } }
        try check(coder, texts, inAny: false) { one, other in texts.indices.allSatisfy { one[$0] == other[$0] } }
    }
}

private final class AnyValueGuarded: Model {
    let lock = Mutex(["start"])
    var number = 1
    init() {}
}
private final class AnyValueUnguarded: Model {
    let lock: Mutex<[String]>
    var number: Int
    init(number: Int) {
        lock = Mutex(["start"])
        self.number = number
    }
}
private struct AnyValueOnlyOnce: ~Copyable { var names = ["start"] }
private final class AnyValueLoose: Model {
    var lock = AnyValueOnlyOnce()
    init() {}
}
private struct AnyValueUnits: Model {
    var unit: Unit
    var length: UnitLength
    var measured: NSMeasurement
    var any: Any
    var efficiency = UnitFuelEfficiency.milesPerImperialGallon
}

@Suite struct RarePropertyTests {
    @Test func whatCannotBeCopiedIsMadeByTheInitializer() throws {
        let one = AnyValueGuarded()
        one.number = 5
        one.lock.withLock { $0.append("changed") }
        for back in [try roundTrip(one), try one.deepCopy()] {
            #expect(back.number == 5 && back.lock.withLock { $0 } == ["start"])
        }
        for failure in [
            encodingFailure { try BinaryEncoder().encode(AnyValueUnguarded(number: 1)) },
            encodingFailure { try BinaryEncoder().encode(AnyValueLoose()) },
        ] {
            #expect(failure?.code == .unsupportedType)
            #expect(failure?.description.contains(".lock: values of its type can't be copied") == true)
        }
    }

    @Test func unitsAndMeasurements() throws {
        let custom = UnitLength(symbol: "ell", converter: UnitConverterLinear(coefficient: 0.6, constant: 0.25))
        for count in [1, 20] {
            let all = Array(
                repeating: AnyValueUnits(
                    unit: UnitMass.grams, length: custom,
                    measured: NSMeasurement(doubleValue: 3.5, unit: UnitTemperature.celsius),
                    any: [UnitSpeed.knots, Unit(symbol: "own"), NSMeasurement(doubleValue: 1, unit: custom)] as [Any]),
                count: count)
            for back in try roundTrip(all) {
                #expect(back.unit == UnitMass.grams && type(of: back.unit) == UnitMass.self)
                #expect(back.length == custom && back.length.converter.baseUnitValue(fromValue: 2) == 1.45)
                #expect(back.measured.doubleValue == 3.5 && back.measured.unit == UnitTemperature.celsius)
                #expect(back.efficiency == .milesPerImperialGallon)
                let list = try #require(back.any as? [Any])
                #expect(list[0] as? UnitSpeed == .knots && list[1] as? Unit == Unit(symbol: "own"))
                #expect((list[2] as? NSMeasurement)?.unit == custom)
            }
        }
        #expect(try BinaryDecoder().decode(Unit.self, from: BinaryEncoder().encode(UnitArea.acres)) == UnitArea.acres)
    }

    @Test func mutableCharacterSets() throws {
        let set = NSMutableCharacterSet(charactersIn: "aé")
        #expect(try roundTrip(set).characterIsMember(0xE9))
        #expect(try KeyedDecoder().decode(NSMutableCharacterSet.self, from: KeyedEncoder().encode(set)) == set)
    }
}
