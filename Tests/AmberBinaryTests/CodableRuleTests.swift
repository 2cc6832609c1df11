import AmberBinary
import AmberModel
import Foundation
import Synchronization
import Testing

/// What a type finds in `userInfo`, and keeps its containers alive.
private struct Curious: Codable, Equatable {
    static let key = CodingUserInfoKey(rawValue: "curious")!
    var found: String
    init(found: String) { self.found = found }
    init(from decoder: any Decoder) throws {
        found = decoder.userInfo[Self.key] as? String ?? "none"
        #expect(try decoder.singleValueContainer().decode(String.self) == "out")
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo[Self.key] as? String ?? "none")
    }
}

/// Containers that outlive the call that they were made for.
private struct Keeper: Codable {
    /// One test alone uses it.
    final class Kept: @unchecked Sendable {
        var encoders: [any Encoder] = []
        var keyed: [KeyedEncodingContainer<CodingKeys>] = []
        var decoded: [KeyedDecodingContainer<CodingKeys>] = []
    }
    static let kept = Kept()
    enum CodingKeys: CodingKey { case a, b }
    var a: Int
    init(a: Int) { self.a = a }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        Self.kept.decoded.append(container)
        a = try container.decode(Int.self, forKey: .a)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(a, forKey: .a)
        Self.kept.encoders.append(encoder)
        Self.kept.keyed.append(container)
    }
}

private struct Old: Codable { var a: Int, b: String, c: [Double], d: Int }
private struct New: Codable, Equatable {
    var a: Int8
    var b: String?
    var c: [Float]
    var e: Int?
}

private struct Refusing: Codable {
    var list: [Item]
    struct Item: Codable {
        init() {}
        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: CodableKeyTest.self)
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no"))
        }
        func encode(to encoder: any Encoder) throws {
            _ = encoder.container(keyedBy: CodableKeyTest.self)
        }
    }
}
private struct CodableKeyTest: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct Throwing: Codable {
    var inner = Inner()
    struct Inner: Codable {
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                1, .init(codingPath: encoder.codingPath, debugDescription: "not this one"))
        }
    }
}

private struct TwoKinds: Codable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: CodableKeyTest.self)
        var list = encoder.unkeyedContainer()
        try list.encode(1)
    }
}

/// Any keys, which the type makes up.
private struct Loose: Codable, Equatable {
    var values: [String: Int]
    init(values: [String: Int]) { self.values = values }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodableKeyTest.self)
        values = [:]
        for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodableKeyTest.self)
        for (key, value) in values {
            if let key = CodableKeyTest(stringValue: key) { try container.encode(value, forKey: key) }
        }
    }
}

private struct Sorted: Codable, Equatable {
    var set: Set<String>, table: [Int: String], names: [String: Set<Int>], nodes: Set<[Int]>
}

@Suite struct CodableRules {
    private func back<A: Encodable, B: Decodable>(_ value: A, as type: B.Type) throws -> B {
        try BinaryDecoder().decode(type, from: BinaryEncoder().encode(value))
    }

    @Test func userInfoReachesBothSides() throws {
        let encoder = BinaryEncoder(options: .init(userInfo: [Curious.key: "out"]))
        let decoder = BinaryDecoder(options: .init(userInfo: [Curious.key: "back"]))
        for _ in 0..<3 {
            #expect(try decoder.decode(Curious.self, from: encoder.encode(Curious(found: ""))).found == "back")
        }
    }

    @Test func containersMayOutliveTheirValue() throws {
        for count in [1, 3, 20, 1] {
            let data = try BinaryEncoder().encode((0..<count).map { Keeper(a: $0) })
            #expect(try BinaryDecoder().decode([Keeper].self, from: data).map(\.a) == Array(0..<count))
            for index in Keeper.kept.keyed.indices {
                _ = Keeper.kept.keyed[index].codingPath
                try? Keeper.kept.keyed[index].encode("late", forKey: .b)
                var nested = Keeper.kept.encoders[index].unkeyedContainer()
                try? nested.encode(1)
            }
            let kept = Keeper.kept.decoded
            for (index, container) in kept.enumerated().suffix(count) {
                #expect(try container.decode(Int.self, forKey: .a) == index - (kept.count - count))
            }
        }
    }

    @Test func typesMayChangeBetweenWritingAndReading() throws {
        struct Names: Codable { var a: Int, b: String, c: [Double], d: Int }
        #expect(try back(Old(a: 5, b: "b", c: [0.5], d: 1), as: New.self) == New(a: 5, b: "b", c: [0.5], e: nil))
        let many = (0..<20).map { Old(a: $0, b: "b", c: [0.5], d: 1) }
        #expect(try back(many, as: [New].self) == (0..<20).map { New(a: Int8($0), b: "b", c: [0.5], e: nil) })
    }

    @Test func failuresHavePathsAndCodes() throws {
        func failure<B: Decodable>(_ value: some Encodable, _ type: B.Type) -> DecodingFailure? {
            do { _ = try back(value, as: type) } catch let error as DecodingFailure { return error } catch {}
            return nil
        }
        let misfit = failure([1, 2, 3].map { Old(a: $0 * 100, b: "", c: [], d: 0) }, [New].self)
        #expect(misfit?.code == .doesNotFit && misfit?.path.description == "[1].a")
        let missing = failure(Wrapper(5), Wrapper<Address>.self)
        #expect(missing?.code == .typeMismatch)
        let absent = failure(Defaults(count: 1, name: "x"), Address.self)
        #expect(absent?.code == .missingValue)
        let refused = failure(
            CodableHolder(name: "", value: Refusing(list: [.init(), .init()]), more: [:]).value, Refusing.self)
        #expect(refused?.code == .rejectedByHook && refused?.path.description == "list[0]")
        #expect(throws: EncodingFailure(.codable, "")) { try BinaryEncoder().encode(TwoKinds()) }
        do {
            _ = try BinaryEncoder().encode([Throwing()])
            Issue.record("encoded")
        } catch {
            #expect(error.code == .codable && error.path.description == "inner" && error.reason == "not this one")
        }
    }

    @Test func depthHasALimitThatIsAnError() throws {
        func chain(_ depth: Int) -> CodableBranch {
            (0..<depth).reduce(CodableBranch("end")) { CodableBranch("\($1)", [$0]) }
        }
        try expectSameAsJSON(chain(25))
        #expect(throws: EncodingFailure(.tooDeep, "")) { try BinaryEncoder().encode(chain(300)) }
        let data = try BinaryEncoder().encode(chain(25))
        #expect(throws: DecodingFailure(.limitExceeded, "")) {
            try BinaryDecoder(options: .init(limits: .init(depth: 40))).decode(CodableBranch.self, from: data)
        }
        let deterministic = BinaryEncoder(options: .init(isDeterministic: true))
        #expect(throws: EncodingFailure(.tooDeep, "")) { try deterministic.encode(chain(300)) }
    }

    @Test func theDeepestValuesFitOnASmallStack() throws {
        let done = DispatchSemaphore(value: 0)
        let depths = Mutex<[Int]>([])
        let thread = Thread {
            for isDeterministic in [false, true] {
                let encoder = BinaryEncoder(options: .init(isDeterministic: isDeterministic))
                var value = Anything(.list([]))
                var deepest: Data?
                var depth = 0
                while let data = try? encoder.encode(value) {
                    (deepest, depth) = (data, depth + 1)
                    value = Anything(.table(["k": value]))
                }
                let back = deepest.flatMap { try? BinaryDecoder().decode(Anything.self, from: $0) }
                depths.withLock { $0.append(back == nil ? 0 : depth) }
            }
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        #expect(depths.withLock { $0.allSatisfy { $0 > 55 } && $0.count == 2 })
    }

    @Test func keysThatAreMadeUp() throws {
        for count in [0, 1, 5, 600] {
            let values = (0..<30).map { row in
                Loose(values: Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0 * (row + 1))", $0) }))
            }
            try expectSameAsJSON(values)
            try expectSameAsJSON(values[0])
        }
    }

    @Test func deterministicArchivesAreEqual() throws {
        let encoder = BinaryEncoder(options: .init(isDeterministic: true))
        func value(_ order: [Int]) -> Sorted {
            var made = Sorted(set: [], table: [:], names: [:], nodes: [])
            for item in order {
                made.set.insert("s\(item)")
                made.table[item] = "t\(item)"
                made.names["n\(item)", default: []].formUnion([item, item + 1, item + 2])
                made.nodes.insert([item, -item])
            }
            return made
        }
        let first = try encoder.encode([value(Array(0..<40))])
        for _ in 0..<5 { #expect(try encoder.encode([value(Array(0..<40).shuffled())]) == first) }
        #expect(try BinaryDecoder().decode([Sorted].self, from: first) == [value(Array(0..<40))])
        try expectRoundTrip(CodableWide(), options: encoder.options)
        try expectRoundTrip(Wrapper(Int128.min), options: encoder.options)
        try expectRoundTrip(Contractor(name: "a", email: "b", rate: 1), options: encoder.options)
    }

    @Test func damagedArchivesNeverTrap() throws {
        var random = SystemRandomNumberGenerator()
        let values = (0..<40).map { _ in Anything.random(3, &random) }
        let archives = [
            try BinaryEncoder().encode(values), try BinaryEncoder().encode(Numbers()),
            try BinaryEncoder().encode(CodableWide()),
            try BinaryEncoder().encode((0..<20).map { Defaults(count: $0 % 5, name: "n\($0 % 3)") }),
            try BinaryEncoder().encode(
                CodableBranch("r", [CodableBranch("a"), CodableBranch("b", [CodableBranch("c")])])),
        ]
        func read(_ data: Data) {
            let decoder = BinaryDecoder(options: .init(limits: .init(baseMemory: 1 << 20)))
            _ = try? decoder.decode([Anything].self, from: data)
            _ = try? decoder.decode(Numbers.self, from: data)
            _ = try? decoder.decode(CodableWide.self, from: data)
            _ = try? decoder.decode([Defaults].self, from: data)
            _ = try? decoder.decode(CodableBranch.self, from: data)
        }
        for archive in archives {
            for count in 0..<archive.count { read(archive.prefix(count)) }
            for _ in 0..<250 {
                var damaged = archive
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] =
                        Bool.random() ? .random(in: 0...255, using: &random) : .random(in: 0...24, using: &random)
                }
                read(damaged)
            }
        }
    }

    @Test func valuesOpenIntoPlainData() throws {
        func same<T: Codable & Equatable>(_ value: T) throws {
            #expect(try CodedValue(of: value).value(T.self) == value)
        }
        try same(Numbers())
        try same(CodableWide())
        try same(Contractor(name: "a", email: "b", rate: 1))
        try same(Interleaved(a: [1, 2], b: [3]))
        try same(CodableChoice(items: [.a(1), .b("x")]))
    }

    @Test func manyThreadsShareAType() async throws {
        let value = (0..<20).map { Defaults(count: $0, name: "n\($0)") }
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        let data = try BinaryEncoder().encode(value[3])
                        #expect(try BinaryDecoder().decode(Defaults.self, from: data) == value[3])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
