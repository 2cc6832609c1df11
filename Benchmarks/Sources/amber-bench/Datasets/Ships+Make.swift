// Room:   amber-bench / Datasets. Fills the updates of the naval game.
// Takes:  a count. Gives: updates from a fixed seed. Touches: nothing.

extension Update {
    static func make(count: Int) -> [Update] {
        var random = SeededGenerator(seed: 0x541_95)
        return random.list(count) { Update(from: &$0) }
    }

    private init(from random: inout SeededGenerator) {
        let players = random.uniform(200..<400)
        let noise = (random.unitFloat() * 2 - 1) * 50
        let radius = (15_000 * Float(players)).squareRoot() + noise
        let rank = random.unitFloat()
        contacts = random.list(random.uniform(20..<40)) { Contact(from: &$0, players: players) }
        score = UInt32(rank * rank * rank * rank * 5000) + UInt32(random.below(50))
        worldRadius = radius
        terrainUpdates = random.list(random.uniform(3..<10)) { TerrainUpdate(from: &$0, worldRadius: radius) }
    }
}

extension Contact {
    fileprivate init(from random: inout SeededGenerator, players: Int) {
        let type = random.chance(0.7) ? ShipType.all[random.weighted(ShipType.weights)] : nil
        damage = type != nil && random.chance(0.6) ? 0 : UInt8(random.below(200))
        entityID = UInt32(random.below(20 * players))
        entityType = type?.entity
        guidance = Guidance(
            angle: random.any(UInt16.self), submerge: type?.isSubmarine == true && random.chance(0.9),
            velocity: Self.velocity(from: &random))
        playerID = type == nil ? nil : UInt16(random.below(players))
        let readiness = random.unitDouble()
        reloads = random.list(type?.weapons ?? 0) { $0.chance(readiness) }
        transform = Transform(
            altitude: guidance.submerge ? Int8(random.uniform(-120 ..< -35)) : 0, angle: random.any(UInt16.self),
            position: Point(x: Self.coordinate(from: &random), y: Self.coordinate(from: &random)),
            velocity: Self.velocity(from: &random))
        let base = random.any(UInt16.self)
        turretAngles = random.list(type?.turrets ?? 0) { random in
            random.chance(0.75)
                ? base &+ UInt16(truncatingIfNeeded: random.uniform(-200..<201)) : random.any(UInt16.self)
        }
    }

    private static func velocity(from random: inout SeededGenerator) -> Int16 {
        switch random.below(10) {
        case 0: 0
        case 1: Int16(random.uniform(-225 ..< -35))
        default: Int16(random.uniform(140..<900))
        }
    }

    private static func coordinate(from random: inout SeededGenerator) -> Float {
        random.unitFloat() * 1500 - 750
    }
}

extension TerrainUpdate {
    fileprivate init(from random: inout SeededGenerator, worldRadius: Float) {
        let reach = Int((worldRadius / 1600).rounded(.up))
        chunkID = ChunkID(
            x: Int8(random.uniform(-reach..<reach + 1)), y: Int8(random.uniform(-reach..<reach + 1)))
        let length = random.chance(0.02) ? random.uniform(900..<1100) : random.uniform(3..<9)
        data = random.list(length) { $0.any(UInt8.self) }
    }
}

/// What a kind of ship carries.
private struct ShipType {
    let entity: EntityType
    let weight: Double
    let weapons: Int
    let turrets: Int

    var isSubmarine: Bool { entity == .yasen }

    static let all = [
        ShipType(entity: .arleighBurke, weight: 2.14, weapons: 20, turrets: 1),
        ShipType(entity: .bismarck, weight: 0.52, weapons: 10, turrets: 4),
        ShipType(entity: .clemenceau, weight: 0.97, weapons: 16, turrets: 4),
        ShipType(entity: .fletcher, weight: 1.46, weapons: 18, turrets: 4),
        ShipType(entity: .g5, weight: 13.16, weapons: 2, turrets: 0),
        ShipType(entity: .iowa, weight: 1.55, weapons: 28, turrets: 3),
        ShipType(entity: .kolkata, weight: 0.83, weapons: 15, turrets: 1),
        ShipType(entity: .osa, weight: 7.25, weapons: 6, turrets: 2),
        ShipType(entity: .yasen, weight: 4.06, weapons: 14, turrets: 0),
        ShipType(entity: .zubr, weight: 12.92, weapons: 11, turrets: 3),
    ]
    static let weights = all.map(\.weight)
}
