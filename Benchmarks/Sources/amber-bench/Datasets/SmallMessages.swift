// Room:   amber-bench / Datasets. Messages of a few bytes, where the fixed cost of a call shows.
// Takes:  nothing. Gives: one message of each kind. Touches: nothing.

import Amber
import Foundation

/// Twelve integers of one to four digits.
struct Numbers: Model, Codable, Equatable {
    var a: Int32
    var b: Int32
    var c: Int32
    var d: Int32
    var e: Int32
    var f: Int32
    var g: Int32
    var h: Int32
    var i: Int32
    var j: Int32
    var k: Int32
    var l: Int32

    static let sample = Numbers(
        a: 7, b: 42, c: 365, d: 1024, e: 3, f: 99, g: 640, h: 4800, i: 1, j: 12, k: 256, l: 9999)
}

struct WindowFrame: Model, Codable, Equatable {
    var x: Int32
    var y: Int32
    var width: Int32
    var height: Int32
}

/// What a small program keeps between two starts.
final class Settings: Model, Codable {
    var userName = ""
    var isSignedIn = false
    var launches = 0
    var volume: Float = 1
    var zoom = 1.0
    var theme: String?
    var retries: UInt8 = 3
    var lastOpened = Date(timeIntervalSinceReferenceDate: 0)
    var window = WindowFrame(x: 0, y: 0, width: 0, height: 0)
    var recentFiles: [String] = []

    static func makeSample() -> Settings {
        let settings = Settings()
        settings.userName = "Ada Lovelace"
        settings.isSignedIn = true
        settings.launches = 1815
        settings.volume = 0.75
        settings.zoom = 1.25
        settings.theme = "dark"
        settings.retries = 5
        settings.lastOpened = Date(timeIntervalSinceReferenceDate: 794_000_000.5)
        settings.window = WindowFrame(x: 120, y: 80, width: 1280, height: 800)
        settings.recentFiles = ["notes.txt", "engine.swift", "budget.csv"]
        return settings
    }
}

extension Settings: Equatable {
    static func == (left: Settings, right: Settings) -> Bool {
        left.userName == right.userName && left.isSignedIn == right.isSignedIn && left.launches == right.launches
            && left.volume == right.volume && left.zoom == right.zoom && left.theme == right.theme
            && left.retries == right.retries && left.lastOpened == right.lastOpened && left.window == right.window
            && left.recentFiles == right.recentFiles
    }
}
