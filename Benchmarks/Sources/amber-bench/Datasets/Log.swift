// Room:   amber-bench / Datasets. A web server's log: small integers and strings that repeat.
// Takes:  a count. Gives: records from a fixed seed. Touches: nothing.

import Amber

struct Address: Model, Codable, Equatable {
    var x0: UInt8
    var x1: UInt8
    var x2: UInt8
    var x3: UInt8
}

struct Log: Model, Codable, Equatable {
    var address: Address
    var identity: String
    var userid: String
    var date: String
    var request: String
    var code: UInt16
    var size: UInt64
}

extension Log {
    static func make(count: Int) -> [Log] {
        var random = SeededGenerator(seed: 0x10_6)
        return random.list(count) { Log(from: &$0) }
    }

    private init(from random: inout SeededGenerator) {
        address = Address(
            x0: random.any(UInt8.self), x1: random.any(UInt8.self),
            x2: random.any(UInt8.self), x3: random.any(UInt8.self))
        identity = "-"
        userid = random.pick(Self.users)
        date = Self.date(from: &random)
        request = "\(random.pick(Self.methods)) \(random.pick(Self.routes)) \(random.pick(Self.protocols))"
        code = random.pick(Self.codes)
        size = UInt64(random.below(100_000_000))
    }

    private static func date(from random: inout SeededGenerator) -> String {
        let day = random.uniform(1..<29)
        let month = random.pick(months)
        let year = random.uniform(1970..<2022)
        let (hour, minute, second) = (random.below(24), random.below(60), random.below(60))
        let zone = random.uniform(-12..<13)
        let digits = zone.magnitude < 10 ? "0\(zone.magnitude)" : "\(zone.magnitude)"
        return "\(day)/\(month)/\(year):\(hour):\(minute):\(second) \(zone < 0 ? "-" : "+")\(digits)00"
    }

    private static let users = ["-", "alice", "bob", "carmen", "david", "eric", "frank", "george", "harry"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let methods = ["GET", "POST", "PUT", "UPDATE", "DELETE"]
    private static let routes = [
        "/favicon.ico", "/css/index.css", "/css/font-awsome.min.css", "/img/logo-full.svg", "/img/splash.jpg",
        "/api/login", "/api/logout",
    ]
    private static let protocols = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"]
    /// The registered HTTP status codes.
    private static let codes: [UInt16] =
        Array(100...103) + Array(200...208) + [226] + Array(300...308) + Array(400...418) + Array(421...426)
        + [428, 429, 431, 451] + Array(500...508) + [510, 511]
}
