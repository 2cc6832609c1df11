// Room:   Snippets. Archives of NSKeyedArchiver, on any system.
// Takes:  nothing. Gives: what README.md and the catalog show of the keyed path.
// Touches: nothing.

// snippet.show
import Amber
import Foundation

/// A class as it has been written for Foundation's archivers all along.
final class Track: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let title: String
    weak var album: Album?

    init(title: String) { self.title = title }

    required init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
        self.title = title as String
        album = coder.decodeObject(of: Album.self, forKey: "album")  // the album is still being read
    }

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encodeConditionalObject(album, forKey: "album")
    }
}

/// A model that Foundation's own archivers take, too: NSSecureCoding by its properties.
final class Album: ModelObject {
    var name = ""
    var tracks: [Track] = []
    var released: Date?
}

let album = Album()
album.name = "Resin"
album.tracks = [Track(title: "Insects"), Track(title: "Leaves")]
for track in album.tracks { track.album = album }

// What NSKeyedUnarchiver on an Apple system opens; `format = .xml` writes text.
let archive = try KeyedEncoder().encode(album)

// What NSKeyedArchiver wrote, binary or XML. Only the classes that are named here are made.
let back = try KeyedDecoder().decode(Album.self, from: archive, allowing: [Track.self])
// back.tracks[0].album === back

// Any archive can be looked at without any of its classes.
let contents = try KeyedDecoder().inspect(archive)
if case .object(let object as ArchivedObject) = contents[0].value { print(object.className, object["name"] as Any) }
// snippet.hide
