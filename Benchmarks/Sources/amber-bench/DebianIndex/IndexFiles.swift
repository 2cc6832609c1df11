// Room:   amber-bench / DebianIndex. Where a Debian system keeps what it knows of packages.
// Takes:  nothing. Gives: the contents of the index files, decompressed, with their names.
// Touches: apt's lists, dpkg's status file, the commands that decompress.

import Foundation

/// Finds and reads index files.
enum IndexFiles {
    /// The contents of one file.
    struct Content {
        let name: String
        let data: Data
    }

    private static let listFolder = "/var/lib/apt/lists"
    private static let statusFile = "/var/lib/dpkg/status"

    /// apt's lists; where there are none, dpkg's status file; where there is neither, nothing.
    static func read() -> [Content] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: listFolder)) ?? []
        let lists = names.sorted().compactMap { name -> Content? in
            guard let kind = Compression(fileName: name) else { return nil }
            let path = "\(listFolder)/\(name)"
            guard let data = kind.read(path), !data.isEmpty else {
                Console.note("cannot read \(path)")
                return nil
            }
            return Content(name: path, data: data)
        }
        if !lists.isEmpty { return lists }
        guard let status = try? Data(contentsOf: URL(fileURLWithPath: statusFile)), !status.isEmpty else { return [] }
        return [Content(name: statusFile, data: status)]
    }
}

/// How an index file is compressed, by its name.
private enum Compression: String, CaseIterable {
    case none = "_Packages"
    case lz4 = "_Packages.lz4"
    case xz = "_Packages.xz"
    case gzip = "_Packages.gz"
    case zstandard = "_Packages.zst"

    init?(fileName: String) {
        guard let kind = Self.allCases.first(where: { fileName.hasSuffix($0.rawValue) }) else { return nil }
        self = kind
    }

    func read(_ path: String) -> Data? {
        if self == .none { return try? Data(contentsOf: URL(fileURLWithPath: path)) }
        for command in commands {
            guard FileManager.default.isExecutableFile(atPath: command[0]) else { continue }
            if let data = output(of: command + [path]), !data.isEmpty { return data }
        }
        return nil
    }

    /// apt's own helper first: it reads whatever apt writes.
    private var commands: [[String]] {
        let helper = ["/usr/lib/apt/apt-helper", "cat-file"]
        return switch self {
        case .none: []
        case .lz4: [helper, ["/usr/bin/lz4", "-dc"]]
        case .xz: [helper, ["/usr/bin/xz", "-dc"]]
        case .gzip: [helper, ["/usr/bin/gzip", "-dc"], ["/bin/gzip", "-dc"]]
        case .zstandard: [helper, ["/usr/bin/zstd", "-dc"]]
        }
    }

    private func output(of command: [String]) -> Data? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = try? pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? data : nil
    }
}
