// Room:   amber-bench / Datasets. People who know each other: shared, cyclic, weak.
// Takes:  a count. Gives: persons from a fixed seed, their comparison, their flat rows. Touches: nothing.

import Amber

final class Person: Model {
    var name = ""
    var age: Int32 = 0
    var friends: [Person] = []
    weak var boss: Person?
    var tags: Set<String> = []
}

extension Person {
    static func make(count: Int) -> [Person] {
        var random = SeededGenerator(seed: 0x9E0_91E)
        let people = (0..<count).map { _ in Person() }
        for person in people {
            person.name = name(from: &random)
            person.age = Int32(random.uniform(18..<90))
            person.friends = random.list(5) { $0.pick(people) }
            person.boss = random.chance(0.9) ? random.pick(people) : nil
            for _ in 0..<random.below(4) { person.tags.insert(random.pick(allTags)) }
        }
        return people
    }

    private static func name(from random: inout SeededGenerator) -> String {
        let first = random.pick(firstNames)
        let last = random.pick(lastNames)
        guard random.chance(0.5) else { return "\(first) \(last)" }
        return "\(first) \(random.pick(initials)). \(last)"
    }

    private static let initials = Array("ABCDEFGHIJKLMNOPRSTW")
    private static let firstNames = [
        "Ada", "Alan", "Amara", "Anton", "Barbara", "Bela", "Chen", "Clara", "Dmitri", "Donald", "Edith", "Emil",
        "Fatima", "Felix", "Grace", "Gustav", "Hana", "Hedy", "Ingrid", "Ivan", "Jamal", "Joan", "Kenji", "Katja",
        "Leila", "Linus", "Margaret", "Mei", "Nadia", "Niklaus", "Olga", "Omar", "Paula", "Pavel", "Quentin", "Radia",
        "Rosa", "Sven", "Tomas", "Wanda",
    ]
    private static let lastNames = [
        "Adams", "Baker", "Becker", "Chandra", "Clarke", "Diaz", "Dijkstra", "Eriksson", "Evans", "Fischer", "Fujita",
        "Garcia", "Goldberg", "Hamilton", "Haddad", "Hopper", "Ibrahim", "Ivanova", "Jansen", "Johnson", "Kaur",
        "Keller",
        "Kim", "Kowalski", "Lamarr", "Lee", "Lovelace", "Martin", "Meyer", "Moreau", "Nakamura", "Nguyen", "Novak",
        "Okafor",
        "Olsen", "Papadopoulos", "Perlman", "Petrov", "Quinn", "Rossi", "Santos", "Schmidt", "Silva", "Singh", "Smith",
        "Suzuki", "Tanaka", "Torvalds", "Turing", "Ueda", "Vargas", "Wagner", "Wang", "Weber", "Wirth", "Yilmaz",
        "Zhang",
        "Zimmermann",
    ]
    private static let allTags = [
        "archive", "choir", "climbing", "cooking", "cycling", "drama", "early", "founder", "garden", "mentor", "night",
        "remote", "running", "sailing", "travel", "union",
    ]
}

extension Person {
    static func areEqual(_ left: [Person], _ right: [Person]) -> Bool {
        var pairs = GraphPairs<Person>(capacity: left.count)
        guard pairs.pair(left, right) else { return false }
        while let (one, other) = pairs.next() {
            guard one.name == other.name, one.age == other.age, one.tags == other.tags,
                pairs.pair(one.friends, other.friends), pairs.pair(one.boss, other.boss)
            else { return false }
        }
        return true
    }

    /// Empties the lists of friends: the graph is cyclic, and cycles outlive their last outside reference.
    static func takeApart(_ people: [Person]) {
        for person in people { person.friends = [] }
    }
}

/// A person whose friends and boss are indexes into the list of rows.
struct PersonRow: Codable, Model {
    var name: String
    var age: Int32
    var friends: [Int]
    var boss: Int?
    var tags: Set<String>
}

extension PersonRow {
    static func flatten(_ people: [Person]) -> [PersonRow] {
        let index = people.indexByIdentity()
        return people.map { person in
            PersonRow(
                name: person.name, age: person.age, friends: person.friends.map { index[ObjectIdentifier($0)] ?? 0 },
                boss: person.boss.flatMap { index[ObjectIdentifier($0)] }, tags: person.tags)
        }
    }

    static func link(_ rows: [PersonRow]) -> [Person] {
        let people = rows.map { _ in Person() }
        for (person, row) in zip(people, rows) {
            person.name = row.name
            person.age = row.age
            person.friends = row.friends.map { people[$0] }
            person.boss = row.boss.map { people[$0] }
            person.tags = row.tags
        }
        return people
    }
}

extension Array where Element: AnyObject {
    /// Where each instance stands in the list.
    func indexByIdentity() -> [ObjectIdentifier: Int] {
        var index: [ObjectIdentifier: Int] = [:]
        index.reserveCapacity(count)
        for (position, element) in enumerated() { index[ObjectIdentifier(element)] = position }
        return index
    }
}
