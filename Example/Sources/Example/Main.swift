// Room:   Example. A library goes into an archive and comes back.
// Takes:  nothing. Gives: a few lines of text; status 1 if something came back different. Touches: standard output.

import Amber
import Foundation

@main
enum Main {
    static func main() throws {
        let library = makeLibrary()
        let archive = try BinaryEncoder().encode(library)
        let copy = try BinaryDecoder().decode(Library.self, from: archive)
        print("\(library.media.count) media and \(library.readers.count) readers in \(archive.count) bytes")

        var options = BinaryEncodingOptions()
        options.compression = .lz4()
        let compressed = try BinaryEncoder(options: options).encode(library)
        let unpacked = try BinaryDecoder().decode(Library.self, from: compressed)

        for result in [copy, unpacked] {
            let faults = faults(in: result)
            guard faults.isEmpty else {
                print("Different after decoding: \(faults.joined(separator: ", "))")
                exit(1)
            }
        }
        print("The same after decoding: subclasses, sharing, circles and weak references included.")
    }

    static func makeLibrary() -> Library {
        let ada = Reader()
        ada.name = "Ada"
        let grace = Reader()
        grace.name = "Grace"
        ada.friends = [grace]
        grace.friends = [ada, grace]

        let book = Book()
        book.title = "Sketch of the Analytical Engine"
        book.pages = 66
        book.shelf = Shelf(room: "History", number: 3)
        book.availability = .lent(until: Date(timeIntervalSince1970: 1_900_000_000))
        book.borrower = ada
        ada.borrowed = [book]

        let recording = Recording()
        recording.title = "Nanoseconds"
        recording.length = 612.5
        recording.performers = ["Grace", "Audience"]

        let library = Library()
        library.media = [book, recording]
        library.readers = ["ada": ada, "grace": grace]
        library.founded = Date(timeIntervalSince1970: -1_000_000)
        return library
    }

    /// What of ``makeLibrary()`` a copy doesn't have.
    static func faults(in copy: Library) -> [String] {
        var faults: [String] = []
        func check(_ holds: Bool, _ name: String) {
            if !holds { faults.append(name) }
        }
        let ada = copy.readers["ada"]
        let grace = copy.readers["grace"]
        let book = copy.media.first as? Book
        let recording = copy.media.last as? Recording
        check(copy.readers.count == 2 && copy.media.count == 2, "counts")
        check(copy.founded == Date(timeIntervalSince1970: -1_000_000), "founded")
        check(ada?.name == "Ada" && grace?.name == "Grace", "names")
        check(book?.pages == 66 && book?.shelf == Shelf(room: "History", number: 3), "book")
        check(book?.availability == .lent(until: Date(timeIntervalSince1970: 1_900_000_000)), "availability")
        check(book != nil && ada?.borrowed.first === book, "sharing")
        check(ada != nil && book?.borrower === ada, "weak reference")
        check(grace?.friends.count == 2 && grace?.friends.last === grace, "reference to itself")
        check(grace?.friends.first === ada && ada?.friends.first === grace, "circle")
        check(recording?.length == 612.5 && recording?.performers == ["Grace", "Audience"], "recording")
        check(recording?.availability == .onShelf && recording?.borrower == nil, "defaults")
        return faults
    }
}
