// Room:   amber-bench / Contenders. NSSecureCoding twins of the log, the mesh and the small messages.
// Takes:  structs. Gives: objects for NSKeyedArchiver. Touches: Foundation's coders.

import Foundation

final class AddressTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Address

    init(_ record: Address) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.x0, "x0")
        coder.put(record.x1, "x1")
        coder.put(record.x2, "x2")
        coder.put(record.x3, "x3")
    }

    init?(coder: NSCoder) {
        record = Address(
            x0: coder.integer("x0"), x1: coder.integer("x1"), x2: coder.integer("x2"), x3: coder.integer("x3"))
    }
}

final class LogTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Log

    init(_ record: Log) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.address, as: AddressTwin.self, "address")
        coder.put(record.identity, "identity")
        coder.put(record.userid, "userid")
        coder.put(record.date, "date")
        coder.put(record.request, "request")
        coder.put(record.code, "code")
        coder.put(record.size, "size")
    }

    init?(coder: NSCoder) {
        guard let address = coder.record(AddressTwin.self, "address"), let identity = coder.text("identity"),
            let userid = coder.text("userid"), let date = coder.text("date"), let request = coder.text("request")
        else { return nil }
        record = Log(
            address: address, identity: identity, userid: userid, date: date, request: request,
            code: coder.integer("code"), size: coder.integer("size"))
    }
}

final class Vector3Twin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Vector3

    init(_ record: Vector3) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.x, "x")
        coder.put(record.y, "y")
        coder.put(record.z, "z")
    }

    init?(coder: NSCoder) {
        record = Vector3(x: coder.float("x"), y: coder.float("y"), z: coder.float("z"))
    }
}

final class TriangleTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Triangle

    init(_ record: Triangle) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.v0, as: Vector3Twin.self, "v0")
        coder.put(record.v1, as: Vector3Twin.self, "v1")
        coder.put(record.v2, as: Vector3Twin.self, "v2")
        coder.put(record.normal, as: Vector3Twin.self, "normal")
    }

    init?(coder: NSCoder) {
        guard let v0 = coder.record(Vector3Twin.self, "v0"), let v1 = coder.record(Vector3Twin.self, "v1"),
            let v2 = coder.record(Vector3Twin.self, "v2"), let normal = coder.record(Vector3Twin.self, "normal")
        else { return nil }
        record = Triangle(v0: v0, v1: v1, v2: v2, normal: normal)
    }
}

final class NumbersTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Numbers

    init(_ record: Numbers) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.a, "a")
        coder.put(record.b, "b")
        coder.put(record.c, "c")
        coder.put(record.d, "d")
        coder.put(record.e, "e")
        coder.put(record.f, "f")
        coder.put(record.g, "g")
        coder.put(record.h, "h")
        coder.put(record.i, "i")
        coder.put(record.j, "j")
        coder.put(record.k, "k")
        coder.put(record.l, "l")
    }

    init?(coder: NSCoder) {
        record = Numbers(
            a: coder.integer("a"), b: coder.integer("b"), c: coder.integer("c"), d: coder.integer("d"),
            e: coder.integer("e"), f: coder.integer("f"), g: coder.integer("g"), h: coder.integer("h"),
            i: coder.integer("i"), j: coder.integer("j"), k: coder.integer("k"), l: coder.integer("l"))
    }
}

final class WindowFrameTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: WindowFrame

    init(_ record: WindowFrame) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.x, "x")
        coder.put(record.y, "y")
        coder.put(record.width, "width")
        coder.put(record.height, "height")
    }

    init?(coder: NSCoder) {
        record = WindowFrame(
            x: coder.integer("x"), y: coder.integer("y"), width: coder.integer("width"),
            height: coder.integer("height"))
    }
}

final class SettingsTwin: NSObject, KeyedTwin {
    static var supportsSecureCoding: Bool { true }
    let record: Settings

    init(_ record: Settings) { self.record = record }

    func encode(with coder: NSCoder) {
        coder.put(record.userName, "userName")
        coder.put(record.isSignedIn, "isSignedIn")
        coder.put(record.launches, "launches")
        coder.put(record.volume, "volume")
        coder.put(record.zoom, "zoom")
        coder.put(record.theme, "theme")
        coder.put(record.retries, "retries")
        coder.put(record.lastOpened.timeIntervalSinceReferenceDate, "lastOpened")
        coder.put(record.window, as: WindowFrameTwin.self, "window")
        coder.put(record.recentFiles, "recentFiles")
    }

    init?(coder: NSCoder) {
        guard let userName = coder.text("userName"), let window = coder.record(WindowFrameTwin.self, "window")
        else { return nil }
        record = Settings()
        record.userName = userName
        record.isSignedIn = coder.bool("isSignedIn")
        record.launches = coder.integer("launches")
        record.volume = coder.float("volume")
        record.zoom = coder.double("zoom")
        record.theme = coder.text("theme")
        record.retries = coder.integer("retries")
        record.lastOpened = Date(timeIntervalSinceReferenceDate: coder.double("lastOpened"))
        record.window = window
        record.recentFiles = coder.texts("recentFiles")
    }
}
