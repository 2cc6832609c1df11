// Room:   amber-bench / Contenders. NSSecureCoding twins of the naval game.
// Takes:  structs. Gives: objects for NSKeyedArchiver. Touches: Foundation's coders.

import Foundation

final class GuidanceTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Guidance

    init(_ record: Guidance) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.angle, "angle")
        coder.put(record.submerge, "submerge")
        coder.put(record.velocity, "velocity")
    }

    init?(coder: NSCoder) {
        record = Guidance(
            angle: coder.integer("angle"), submerge: coder.bool("submerge"), velocity: coder.integer("velocity"))
    }
}

final class PointTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Point

    init(_ record: Point) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.x, "x")
        coder.put(record.y, "y")
    }

    init?(coder: NSCoder) {
        record = Point(x: coder.float("x"), y: coder.float("y"))
    }
}

final class TransformTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Transform

    init(_ record: Transform) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.altitude, "altitude")
        coder.put(record.angle, "angle")
        coder.put(record.position, as: PointTwin.self, "position")
        coder.put(record.velocity, "velocity")
    }

    init?(coder: NSCoder) {
        guard let position = coder.record(PointTwin.self, "position") else { return nil }
        record = Transform(
            altitude: coder.integer("altitude"), angle: coder.integer("angle"), position: position,
            velocity: coder.integer("velocity"))
    }
}

final class ContactTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Contact

    init(_ record: Contact) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.damage, "damage")
        coder.put(record.entityID, "entityID")
        if let type = record.entityType { coder.put(type.rawValue, "entityType") }
        coder.put(record.guidance, as: GuidanceTwin.self, "guidance")
        if let id = record.playerID { coder.put(id, "playerID") }
        coder.encode(Data(record.reloads.map { $0 ? 1 : 0 }) as NSData, forKey: "reloads")
        coder.put(record.transform, as: TransformTwin.self, "transform")
        coder.encode(record.turretAngles.map { NSNumber(value: $0) } as NSArray, forKey: "turretAngles")
    }

    init?(coder: NSCoder) {
        guard let guidance = coder.record(GuidanceTwin.self, "guidance"),
            let transform = coder.record(TransformTwin.self, "transform")
        else { return nil }
        record = Contact(
            damage: coder.integer("damage"), entityID: coder.integer("entityID"),
            entityType: coder.containsValue(forKey: "entityType")
                ? EntityType(rawValue: coder.integer("entityType")) : nil,
            guidance: guidance, playerID: coder.containsValue(forKey: "playerID") ? coder.integer("playerID") : nil,
            reloads: coder.bytes("reloads").map { $0 == 1 }, transform: transform,
            turretAngles: coder.numbers("turretAngles"))
    }
}

final class ChunkIDTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: ChunkID

    init(_ record: ChunkID) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.x, "x")
        coder.put(record.y, "y")
    }

    init?(coder: NSCoder) {
        record = ChunkID(x: coder.integer("x"), y: coder.integer("y"))
    }
}

final class TerrainUpdateTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: TerrainUpdate

    init(_ record: TerrainUpdate) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.chunkID, as: ChunkIDTwin.self, "chunkID")
        coder.encode(Data(record.data) as NSData, forKey: "data")
    }

    init?(coder: NSCoder) {
        guard let chunkID = coder.record(ChunkIDTwin.self, "chunkID") else { return nil }
        record = TerrainUpdate(chunkID: chunkID, data: coder.bytes("data"))
    }
}

final class UpdateTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Update

    init(_ record: Update) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.contacts, as: ContactTwin.self, "contacts")
        coder.put(record.score, "score")
        coder.put(record.worldRadius, "worldRadius")
        coder.put(record.terrainUpdates, as: TerrainUpdateTwin.self, "terrainUpdates")
    }

    init?(coder: NSCoder) {
        record = Update(
            contacts: coder.records(ContactTwin.self, "contacts"), score: coder.integer("score"),
            worldRadius: coder.float("worldRadius"),
            terrainUpdates: coder.records(TerrainUpdateTwin.self, "terrainUpdates"))
    }
}
