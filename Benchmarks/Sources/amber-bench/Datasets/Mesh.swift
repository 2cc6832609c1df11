// Room:   amber-bench / Datasets. A triangle mesh: nothing but floats.
// Takes:  a count. Gives: triangles from a fixed seed. Touches: nothing.

import Amber

struct Vector3: Model, Codable, Equatable {
    var x: Float
    var y: Float
    var z: Float
}

struct Triangle: Model, Codable, Equatable {
    var v0: Vector3
    var v1: Vector3
    var v2: Vector3
    var normal: Vector3
}

extension Vector3 {
    init(from random: inout SeededGenerator) {
        x = random.unitFloat()
        y = random.unitFloat()
        z = random.unitFloat()
    }
}

extension Triangle {
    static func make(count: Int) -> [Triangle] {
        var random = SeededGenerator(seed: 0x3E5_4)
        return random.list(count) { random in
            Triangle(
                v0: Vector3(from: &random), v1: Vector3(from: &random),
                v2: Vector3(from: &random), normal: Vector3(from: &random))
        }
    }
}
