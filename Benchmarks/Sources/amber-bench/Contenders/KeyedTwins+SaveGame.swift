// Room:   amber-bench / Contenders. NSSecureCoding twins of the saved game.
// Takes:  structs. Gives: objects for NSKeyedArchiver. Touches: Foundation's coders.

import Foundation

final class ItemTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Item

    init(_ record: Item) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.count, "count")
        coder.put(record.slot, "slot")
        coder.put(record.id, "id")
    }

    init?(coder: NSCoder) {
        guard let id = coder.text("id") else { return nil }
        record = Item(count: coder.integer("count"), slot: coder.integer("slot"), id: id)
    }
}

final class AbilitiesTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Abilities

    init(_ record: Abilities) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.walkSpeed, "walkSpeed")
        coder.put(record.flySpeed, "flySpeed")
        coder.put(record.mayFly, "mayFly")
        coder.put(record.flying, "flying")
        coder.put(record.invulnerable, "invulnerable")
        coder.put(record.mayBuild, "mayBuild")
        coder.put(record.instabuild, "instabuild")
    }

    init?(coder: NSCoder) {
        record = Abilities(
            walkSpeed: coder.float("walkSpeed"), flySpeed: coder.float("flySpeed"), mayFly: coder.bool("mayFly"),
            flying: coder.bool("flying"), invulnerable: coder.bool("invulnerable"),
            mayBuild: coder.bool("mayBuild"), instabuild: coder.bool("instabuild"))
    }
}

final class PositionTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Position

    init(_ record: Position) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.x, "x")
        coder.put(record.y, "y")
        coder.put(record.z, "z")
    }

    init?(coder: NSCoder) {
        record = Position(x: coder.double("x"), y: coder.double("y"), z: coder.double("z"))
    }
}

final class RotationTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Rotation

    init(_ record: Rotation) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.yaw, "yaw")
        coder.put(record.pitch, "pitch")
    }

    init?(coder: NSCoder) {
        record = Rotation(yaw: coder.float("yaw"), pitch: coder.float("pitch"))
    }
}

final class EntityIDTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: EntityID

    init(_ record: EntityID) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.a, "a")
        coder.put(record.b, "b")
        coder.put(record.c, "c")
        coder.put(record.d, "d")
    }

    init?(coder: NSCoder) {
        record = EntityID(
            a: coder.integer("a"), b: coder.integer("b"), c: coder.integer("c"), d: coder.integer("d"))
    }
}

final class EntityTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Entity

    init(_ record: Entity) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.id, "id")
        coder.put(record.pos, as: PositionTwin.self, "pos")
        coder.put(record.motion, as: PositionTwin.self, "motion")
        coder.put(record.rotation, as: RotationTwin.self, "rotation")
        coder.put(record.fallDistance, "fallDistance")
        coder.put(record.fire, "fire")
        coder.put(record.air, "air")
        coder.put(record.onGround, "onGround")
        coder.put(record.noGravity, "noGravity")
        coder.put(record.invulnerable, "invulnerable")
        coder.put(record.portalCooldown, "portalCooldown")
        coder.put(record.uuid, as: EntityIDTwin.self, "uuid")
        coder.put(record.customName, "customName")
        coder.put(record.customNameVisible, "customNameVisible")
        coder.put(record.silent, "silent")
        coder.put(record.glowing, "glowing")
    }

    init?(coder: NSCoder) {
        guard let id = coder.text("id"), let pos = coder.record(PositionTwin.self, "pos"),
            let motion = coder.record(PositionTwin.self, "motion"),
            let rotation = coder.record(RotationTwin.self, "rotation"),
            let uuid = coder.record(EntityIDTwin.self, "uuid")
        else { return nil }
        record = Entity(
            id: id, pos: pos, motion: motion, rotation: rotation, fallDistance: coder.float("fallDistance"),
            fire: coder.integer("fire"), air: coder.integer("air"), onGround: coder.bool("onGround"),
            noGravity: coder.bool("noGravity"), invulnerable: coder.bool("invulnerable"),
            portalCooldown: coder.integer("portalCooldown"), uuid: uuid, customName: coder.text("customName"),
            customNameVisible: coder.bool("customNameVisible"), silent: coder.bool("silent"),
            glowing: coder.bool("glowing"))
    }
}

final class VehicleTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Vehicle

    init(_ record: Vehicle) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.uuid, as: EntityIDTwin.self, "uuid")
        coder.put(record.entity, as: EntityTwin.self, "entity")
    }

    init?(coder: NSCoder) {
        guard let uuid = coder.record(EntityIDTwin.self, "uuid"), let entity = coder.record(EntityTwin.self, "entity")
        else { return nil }
        record = Vehicle(uuid: uuid, entity: entity)
    }
}

final class RecipeBookTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: RecipeBook

    init(_ record: RecipeBook) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.recipes, "recipes")
        coder.put(record.toBeDisplayed, "toBeDisplayed")
        coder.put(record.isFilteringCraftable, "isFilteringCraftable")
        coder.put(record.isGuiOpen, "isGuiOpen")
        coder.put(record.isFurnaceFilteringCraftable, "isFurnaceFilteringCraftable")
        coder.put(record.isFurnaceGuiOpen, "isFurnaceGuiOpen")
        coder.put(record.isBlastingFurnaceFilteringCraftable, "isBlastingFurnaceFilteringCraftable")
        coder.put(record.isBlastingFurnaceGuiOpen, "isBlastingFurnaceGuiOpen")
        coder.put(record.isSmokerFilteringCraftable, "isSmokerFilteringCraftable")
        coder.put(record.isSmokerGuiOpen, "isSmokerGuiOpen")
    }

    init?(coder: NSCoder) {
        record = RecipeBook(
            recipes: coder.texts("recipes"), toBeDisplayed: coder.texts("toBeDisplayed"),
            isFilteringCraftable: coder.bool("isFilteringCraftable"), isGuiOpen: coder.bool("isGuiOpen"),
            isFurnaceFilteringCraftable: coder.bool("isFurnaceFilteringCraftable"),
            isFurnaceGuiOpen: coder.bool("isFurnaceGuiOpen"),
            isBlastingFurnaceFilteringCraftable: coder.bool("isBlastingFurnaceFilteringCraftable"),
            isBlastingFurnaceGuiOpen: coder.bool("isBlastingFurnaceGuiOpen"),
            isSmokerFilteringCraftable: coder.bool("isSmokerFilteringCraftable"),
            isSmokerGuiOpen: coder.bool("isSmokerGuiOpen"))
    }
}

final class PlayerTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Player

    init(_ record: Player) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.gameType.rawValue, "gameType")
        coder.put(record.previousGameType.rawValue, "previousGameType")
        coder.put(record.score, "score")
        coder.put(record.dimension, "dimension")
        coder.put(record.selectedItemSlot, "selectedItemSlot")
        coder.put(record.selectedItem, as: ItemTwin.self, "selectedItem")
        coder.put(record.spawnDimension, "spawnDimension")
        coder.put(record.spawnX, "spawnX")
        coder.put(record.spawnY, "spawnY")
        coder.put(record.spawnZ, "spawnZ")
        if let forced = record.spawnForced { coder.put(forced, "spawnForced") }
        coder.put(record.sleepTimer, "sleepTimer")
        coder.put(record.foodExhaustionLevel, "foodExhaustionLevel")
        coder.put(record.foodSaturationLevel, "foodSaturationLevel")
        coder.put(record.foodTickTimer, "foodTickTimer")
        coder.put(record.xpLevel, "xpLevel")
        coder.put(record.xpP, "xpP")
        coder.put(record.xpTotal, "xpTotal")
        coder.put(record.xpSeed, "xpSeed")
        coder.put(record.inventory, as: ItemTwin.self, "inventory")
        coder.put(record.enderItems, as: ItemTwin.self, "enderItems")
        coder.put(record.abilities, as: AbilitiesTwin.self, "abilities")
        coder.put(record.enteredNetherPosition, as: PositionTwin.self, "enteredNetherPosition")
        coder.put(record.rootVehicle, as: VehicleTwin.self, "rootVehicle")
        coder.put(record.shoulderEntityLeft, as: EntityTwin.self, "shoulderEntityLeft")
        coder.put(record.shoulderEntityRight, as: EntityTwin.self, "shoulderEntityRight")
        coder.put(record.seenCredits, "seenCredits")
        coder.put(record.recipeBook, as: RecipeBookTwin.self, "recipeBook")
    }

    init?(coder: NSCoder) {
        guard let gameType = GameType(rawValue: coder.integer("gameType")),
            let previousGameType = GameType(rawValue: coder.integer("previousGameType")),
            let dimension = coder.text("dimension"), let selectedItem = coder.record(ItemTwin.self, "selectedItem"),
            let abilities = coder.record(AbilitiesTwin.self, "abilities"),
            let recipeBook = coder.record(RecipeBookTwin.self, "recipeBook")
        else { return nil }
        record = Player(
            gameType: gameType, previousGameType: previousGameType, score: coder.integer("score"),
            dimension: dimension, selectedItemSlot: coder.integer("selectedItemSlot"), selectedItem: selectedItem,
            spawnDimension: coder.text("spawnDimension"), spawnX: coder.integer("spawnX"),
            spawnY: coder.integer("spawnY"), spawnZ: coder.integer("spawnZ"),
            spawnForced: coder.containsValue(forKey: "spawnForced") ? coder.bool("spawnForced") : nil,
            sleepTimer: coder.integer("sleepTimer"), foodExhaustionLevel: coder.float("foodExhaustionLevel"),
            foodSaturationLevel: coder.float("foodSaturationLevel"), foodTickTimer: coder.integer("foodTickTimer"),
            xpLevel: coder.integer("xpLevel"), xpP: coder.float("xpP"), xpTotal: coder.integer("xpTotal"),
            xpSeed: coder.integer("xpSeed"), inventory: coder.records(ItemTwin.self, "inventory"),
            enderItems: coder.records(ItemTwin.self, "enderItems"), abilities: abilities,
            enteredNetherPosition: coder.record(PositionTwin.self, "enteredNetherPosition"),
            rootVehicle: coder.record(VehicleTwin.self, "rootVehicle"),
            shoulderEntityLeft: coder.record(EntityTwin.self, "shoulderEntityLeft"),
            shoulderEntityRight: coder.record(EntityTwin.self, "shoulderEntityRight"),
            seenCredits: coder.bool("seenCredits"), recipeBook: recipeBook)
    }
}
