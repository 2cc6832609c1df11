// Room:   amber-bench / Datasets. Fills saved games.
// Takes:  a count. Gives: players from a fixed seed. Touches: nothing.

extension Player {
    static func make(count: Int) -> [Player] {
        var random = SeededGenerator(seed: 0x5A_7E)
        return random.list(count) { Player(from: &$0) }
    }

    private init(from random: inout SeededGenerator) {
        gameType = random.pick(GameType.allCases)
        previousGameType = random.pick(GameType.allCases)
        score = random.any(Int64.self)
        dimension = random.pick(Self.dimensions)
        selectedItemSlot = random.any(UInt32.self)
        selectedItem = Item(from: &random)
        spawnDimension = random.maybe { $0.pick(Self.dimensions) }
        spawnX = random.any(Int64.self)
        spawnY = random.any(Int64.self)
        spawnZ = random.any(Int64.self)
        spawnForced = random.maybe { $0.coin() }
        sleepTimer = random.any(UInt16.self)
        foodExhaustionLevel = random.unitFloat()
        foodSaturationLevel = random.unitFloat()
        foodTickTimer = random.any(UInt32.self)
        xpLevel = random.any(UInt32.self)
        xpP = random.unitFloat()
        xpTotal = random.any(Int32.self)
        xpSeed = random.any(Int32.self)
        inventory = random.list(random.below(40)) { Item(from: &$0) }
        enderItems = random.list(random.below(27)) { Item(from: &$0) }
        abilities = Abilities(from: &random)
        enteredNetherPosition = random.maybe { Position(from: &$0) }
        rootVehicle = random.maybe { Vehicle(uuid: EntityID(from: &$0), entity: Entity(from: &$0)) }
        shoulderEntityLeft = random.maybe { Entity(from: &$0) }
        shoulderEntityRight = random.maybe { Entity(from: &$0) }
        seenCredits = random.coin()
        recipeBook = RecipeBook(from: &random)
    }

    private static let dimensions = ["overworld", "nether", "end"]
}

extension SeededGenerator {
    /// A value half the time.
    fileprivate mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
        coin() ? make(&self) : nil
    }
}

extension Item {
    fileprivate init(from random: inout SeededGenerator) {
        count = random.any(Int8.self)
        slot = random.any(UInt8.self)
        id = random.pick(Self.ids)
    }

    private static let ids = ["dirt", "stone", "pickaxe", "sand", "gravel", "shovel", "chestplate", "steak"]
}

extension Abilities {
    fileprivate init(from random: inout SeededGenerator) {
        walkSpeed = random.unitFloat()
        flySpeed = random.unitFloat()
        mayFly = random.coin()
        flying = random.coin()
        invulnerable = random.coin()
        mayBuild = random.coin()
        instabuild = random.coin()
    }
}

extension Position {
    fileprivate init(from random: inout SeededGenerator) {
        x = random.unitDouble()
        y = random.unitDouble()
        z = random.unitDouble()
    }
}

extension EntityID {
    fileprivate init(from random: inout SeededGenerator) {
        a = random.any(UInt32.self)
        b = random.any(UInt32.self)
        c = random.any(UInt32.self)
        d = random.any(UInt32.self)
    }
}

extension Entity {
    fileprivate init(from random: inout SeededGenerator) {
        id = random.pick(Self.ids)
        pos = Position(from: &random)
        motion = Position(from: &random)
        rotation = Rotation(yaw: random.unitFloat(), pitch: random.unitFloat())
        fallDistance = random.unitFloat()
        fire = random.any(UInt16.self)
        air = random.any(UInt16.self)
        onGround = random.coin()
        noGravity = random.coin()
        invulnerable = random.coin()
        portalCooldown = random.any(Int32.self)
        uuid = EntityID(from: &random)
        customName = random.maybe { $0.pick(Self.customNames) }
        customNameVisible = random.coin()
        silent = random.coin()
        glowing = random.coin()
    }

    private static let ids = ["cow", "sheep", "zombie", "skeleton", "spider", "creeper", "parrot", "bee"]
    private static let customNames = [
        "rainbow", "princess", "steve", "johnny", "missy", "coward", "fairy", "howard",
    ]
}

extension RecipeBook {
    fileprivate init(from random: inout SeededGenerator) {
        recipes = random.list(random.below(30)) { $0.pick(Self.ids) }
        toBeDisplayed = random.list(random.below(10)) { $0.pick(Self.ids) }
        isFilteringCraftable = random.coin()
        isGuiOpen = random.coin()
        isFurnaceFilteringCraftable = random.coin()
        isFurnaceGuiOpen = random.coin()
        isBlastingFurnaceFilteringCraftable = random.coin()
        isBlastingFurnaceGuiOpen = random.coin()
        isSmokerFilteringCraftable = random.coin()
        isSmokerGuiOpen = random.coin()
    }

    private static let ids = ["pickaxe", "torch", "bow", "crafting table", "furnace", "shears", "arrow", "tnt"]
}
