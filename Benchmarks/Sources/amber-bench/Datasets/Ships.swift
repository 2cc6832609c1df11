// Room:   amber-bench / Datasets. Updates of a naval game: short lists, optionals, skewed numbers.
// Takes:  nothing. Gives: the types. Ships+Make.swift fills them. Touches: nothing.

import Amber

enum EntityType: UInt8, Codable, CaseIterable {
    case arleighBurke
    case bismarck
    case clemenceau
    case fletcher
    case g5
    case iowa
    case kolkata
    case osa
    case yasen
    case zubr
}

struct Guidance: Model, Codable, Equatable {
    var angle: UInt16
    var submerge: Bool
    var velocity: Int16
}

struct Point: Model, Codable, Equatable {
    var x: Float
    var y: Float
}

struct Transform: Model, Codable, Equatable {
    var altitude: Int8
    var angle: UInt16
    var position: Point
    var velocity: Int16
}

struct Contact: Model, Codable, Equatable {
    var damage: UInt8
    var entityID: UInt32
    var entityType: EntityType?
    var guidance: Guidance
    var playerID: UInt16?
    var reloads: [Bool]
    var transform: Transform
    var turretAngles: [UInt16]
}

struct ChunkID: Model, Codable, Equatable {
    var x: Int8
    var y: Int8
}

struct TerrainUpdate: Model, Codable, Equatable {
    var chunkID: ChunkID
    var data: [UInt8]
}

struct Update: Model, Codable, Equatable {
    var contacts: [Contact]
    var score: UInt32
    var worldRadius: Float
    var terrainUpdates: [TerrainUpdate]
}
