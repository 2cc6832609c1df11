// Room:   Snippets. Archives read in part, and large archives on several threads.
// Takes:  nothing. Gives: parts of an archive in a file. Touches: a temporary file.
import Amber
import Foundation

final class Station: Model {
    var name = ""
    var height: Int32 = 0
    var neighbours: [Station] = []
}
struct Sample: Model {
    var code: UInt16 = 0
    var note = ""
}
final class Survey: Model {
    var title = ""
    var stations: [Station] = []
    var samples: [Sample] = []
}
let survey = Survey()
survey.title = "North"
for number in 0..<20 {
    let station = Station()
    (station.name, station.height) = ("S\(number)", Int32(number))
    survey.stations.append(station)
    survey.samples.append(Sample(code: UInt16(number), note: "clear"))
}
let url = FileManager.default.temporaryDirectory.appending(path: "survey-\(UUID().uuidString).amber")
try BinaryEncoder().encode(survey).write(to: url)
// snippet.show
// The file is mapped into memory; what is not asked for is passed over, and mostly not even loaded.
let archive = try BinaryArchive(contentsOf: url)
let title = try archive.property("title", as: String.self)
let heights = try archive.column("height", of: Station.self, as: Int32.self)
let codes = try archive.values(at: "samples", "code", as: UInt16.self)
for type in archive.types { print(type.name, type.objectCount, type.members.map(\.name)) }

// Large archives on all processors: the same bytes, the same objects.
let cores = ProcessInfo.processInfo.activeProcessorCount
let large = try BinaryEncoder(options: .init(threads: cores)).encode(survey)
let whole = try BinaryDecoder(options: .init(threads: cores)).decode(Survey.self, from: large)
// snippet.hide
try FileManager.default.removeItem(at: url)
precondition(title == "North" && heights.count == 20 && codes[19] == 19 && whole.stations.count == 20)
