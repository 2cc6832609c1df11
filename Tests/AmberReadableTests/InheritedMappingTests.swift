// Room:   AmberReadableTests. Mappings of classes and of those above them; JSON as texts.
// Takes:  JSON of classes that add to each other's mappings. Gives: nothing. Touches: nothing.

import AmberModel
import AmberReadable
import Foundation
import Testing

private class Media: JSONMapped {
    var identifier = 0
    var caption = ""
    required init() {}
    class var rules: ModelRules { ModelRules() }
    class var jsonMapping: JSONMapping {
        JSONMapping()
            .mapping("identifier", to: "id")
            .mapping("caption", to: "meta.caption")
            .choosingClass(by: "type", ["image": Picture.self, "clip": Clip.self])
    }
}

private final class Picture: Media {
    var width = 0
    override class var jsonMapping: JSONMapping {
        JSONMapping().mapping("width", to: "size.w").mapping("caption", to: "title")
    }
}

private final class Clip: Media {
    var seconds = 0.0
}

private final class Sketch: Media {
    var strokes = 0
    override class var rules: ModelRules { ModelRules().excluding("caption", from: .json) }
    override class var jsonMapping: JSONMapping { JSONMapping().mapping("strokes", to: "lines") }
}

@Suite struct InheritedMappingTests {
    private static let json =
        #"[{"id":1,"title":"Sea","size":{"w":8},"type":"image"},{"id":2,"meta":{"caption":"Waves"},"seconds":1.5,"type":"clip"}]"#

    @Test func aSubclassAddsToTheMappingAboveIt() throws {
        let media = try MappedJSONDecoder().decode([Media].self, from: Self.json)
        let picture = try #require(media.first as? Picture)
        #expect(picture.identifier == 1 && picture.width == 8 && picture.caption == "Sea")
        #expect((media[1] as? Clip)?.seconds == 1.5 && media[1].identifier == 2 && media[1].caption == "Waves")
        let again = try MappedJSONDecoder().decode([Media].self, from: try MappedJSONEncoder().encodeText(media))
        #expect(try zip(media, again).allSatisfy { try $0.isStructurallyEqual(to: $1) })
        // The subclass's own word comes last, and the text that chose the class is written again.
        let text = try MappedJSONEncoder().encodeText(picture)
        #expect(text.contains(#""title":"Sea""#) && !text.contains("meta") && text.contains(#""type":"image""#))
    }

    @Test func aSubclassMayLeaveOutWhatItsSuperclassMaps() throws {
        let sketch = try MappedJSONDecoder().decode(Sketch.self, from: #"{"id":4,"lines":2,"meta":{"caption":"x"}}"#)
        #expect(sketch.identifier == 4 && sketch.strokes == 2 && sketch.caption.isEmpty)
    }

    @Test func failuresOfElementsNameTheWayOnce() throws {
        let (values, failures) = try MappedJSONDecoder().decodeElements(
            of: Media.self, from: Data(#"[{"id":1},{"id":"x"},{"id":3,"meta":{"caption":4}}]"#.utf8))
        #expect(values.map(\.identifier) == [1])
        #expect(failures.map(\.path.description) == ["[1].identifier", "[2].caption"])
    }

    @Test func updatesTakeTexts() throws {
        let media = Media()
        try MappedJSONDecoder().update(media, from: #"{"id":5}"#)
        #expect(media.identifier == 5)
        #expect(throws: DecodingFailure.self) { try MappedJSONDecoder().update(media, from: #"{"id":"six"}"#) }
        #expect(media.identifier == 5)
        var place = UpdatedPlace(x: 1)
        try MappedJSONDecoder().update(&place, from: #"{"x":2}"#)
        #expect(place.x == 2)
    }
}

private struct UpdatedPlace: Model {
    var x: Int
}
