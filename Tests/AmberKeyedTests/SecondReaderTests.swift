import Foundation
import Testing

@testable import AmberKeyed

/// Python's readers of keyed archives: programs that share nothing with this one.
@Suite struct SecondReaderTests {
    /// Runs a program in Python; nil, said aloud, where Python or the module is not installed.
    private static func python(_ program: String, module: String, file: URL) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-B", "-c", "import \(module)\n" + program, file.path]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            print("NOT CHECKED by Python: \(error)")
            return nil
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 127 || complaint.contains("No module named '\(module)'") {
            print("NOT CHECKED by Python: \(module) is not installed here. `pip install \(module)` installs it.")
            return nil
        }
        #expect(process.terminationStatus == 0, "\(complaint)")
        return text
    }

    private static func withFile<R>(_ data: Data, _ body: (URL) throws -> R) throws -> R {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("amber-\(UUID().uuidString).plist")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file)
    }

    @Test func bpylistReadsWhatWeWrite() throws {
        let root: NSDictionary = [
            "text": "Grüße 🐝", "whole": 7, "negative": -70_000, "real": 0.25, "yes": true,
            "list": [1, "two", [3]] as NSArray, "inner": NSMutableDictionary(dictionary: ["k": "v"]),
            "set": NSSet(array: ["a"]), "data": NSMutableData(data: Data([1, 2, 255])),
        ]
        let text = try Self.withFile(KeyedEncoder().encode(root)) { file in
            try Self.python(
                """
                import sys
                from bpylist2 import archiver
                value = archiver.unarchive(open(sys.argv[1], 'rb').read())
                for key in sorted(value): print(key, ascii(getattr(value[key], 'NSdata', value[key])))
                """, module: "bpylist2", file: file)
        }
        guard let text else { return }
        let lines = text.split(separator: "\n").map(String.init)
        for line in [
            "inner {'k': 'v'}", "list [1, 'two', [3]]", "negative -70000", "real 0.25", "set {'a'}",
            "text 'Gr\\xfc\\xdfe \\U0001f41d'", "whole 7", "yes True",
        ] {
            #expect(lines.contains(line), "\(text)")
        }
        #expect(lines.contains { $0.hasPrefix("data") && $0.contains("\\x01\\x02\\xff") }, "\(text)")
    }

    @Test func weReadWhatBpylistWrites() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("amber-\(UUID().uuidString).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try Self.python(
            """
            import sys
            from bpylist2 import archiver
            value = {'text': 'a', 'whole': 7, 'real': 0.25, 'yes': True, 'list': [1, 'two', [3]], 'data': bytes([1, 2])}
            open(sys.argv[1], 'wb').write(archiver.archive(value))
            """, module: "bpylist2", file: file)
        guard text != nil else { return }
        let back = try KeyedDecoder().decode(
            NSDictionary.self, from: Data(contentsOf: file), allowing: [NSArray.self])
        #expect(back["text"] as? String == "a" && back["whole"] as? Int == 7 && back["real"] as? Double == 0.25)
        #expect(back["yes"] as? Bool == true && (back["list"] as? [Any])?.count == 3)
        #expect(back["data"] as? Data == Data([1, 2]))
    }
}
