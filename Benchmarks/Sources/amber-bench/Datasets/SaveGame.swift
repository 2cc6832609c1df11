// Room:   amber-bench / Datasets. A saved game: nested structs, optionals, random integers.
// Takes:  nothing. Gives: the types. SaveGame+Make.swift fills them. Touches: nothing.

import Amber

struct Item: Model, Codable, Equatable {
    var count: Int8
    var slot: UInt8
    var id: String
}

struct Abilities: Model, Codable, Equatable {
    var walkSpeed: Float
    var flySpeed: Float
    var mayFly: Bool
    var flying: Bool
    var invulnerable: Bool
    var mayBuild: Bool
    var instabuild: Bool
}

struct Position: Model, Codable, Equatable {
    var x: Double
    var y: Double
    var z: Double
}

struct Rotation: Model, Codable, Equatable {
    var yaw: Float
    var pitch: Float
}

struct EntityID: Model, Codable, Equatable {
    var a: UInt32
    var b: UInt32
    var c: UInt32
    var d: UInt32
}

struct Entity: Model, Codable, Equatable {
    var id: String
    var pos: Position
    var motion: Position
    var rotation: Rotation
    var fallDistance: Float
    var fire: UInt16
    var air: UInt16
    var onGround: Bool
    var noGravity: Bool
    var invulnerable: Bool
    var portalCooldown: Int32
    var uuid: EntityID
    var customName: String?
    var customNameVisible: Bool
    var silent: Bool
    var glowing: Bool
}

struct Vehicle: Model, Codable, Equatable {
    var uuid: EntityID
    var entity: Entity
}

struct RecipeBook: Model, Codable, Equatable {
    var recipes: [String]
    var toBeDisplayed: [String]
    var isFilteringCraftable: Bool
    var isGuiOpen: Bool
    var isFurnaceFilteringCraftable: Bool
    var isFurnaceGuiOpen: Bool
    var isBlastingFurnaceFilteringCraftable: Bool
    var isBlastingFurnaceGuiOpen: Bool
    var isSmokerFilteringCraftable: Bool
    var isSmokerGuiOpen: Bool
}

enum GameType: UInt8, Codable, CaseIterable {
    case survival
    case creative
    case adventure
    case spectator
}

struct Player: Model, Codable, Equatable {
    var gameType: GameType
    var previousGameType: GameType
    var score: Int64
    var dimension: String
    var selectedItemSlot: UInt32
    var selectedItem: Item
    var spawnDimension: String?
    var spawnX: Int64
    var spawnY: Int64
    var spawnZ: Int64
    var spawnForced: Bool?
    var sleepTimer: UInt16
    var foodExhaustionLevel: Float
    var foodSaturationLevel: Float
    var foodTickTimer: UInt32
    var xpLevel: UInt32
    var xpP: Float
    var xpTotal: Int32
    var xpSeed: Int32
    var inventory: [Item]
    var enderItems: [Item]
    var abilities: Abilities
    var enteredNetherPosition: Position?
    var rootVehicle: Vehicle?
    var shoulderEntityLeft: Entity?
    var shoulderEntityRight: Entity?
    var seenCredits: Bool
    var recipeBook: RecipeBook
}
