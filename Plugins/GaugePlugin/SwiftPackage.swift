import Foundation

/// `swift package`, called beside the one that runs this plugin, which holds the lock of the package's own scratch
/// folder.
struct SwiftPackage {
    let scratch: URL

    /// The part of SwiftPM's description of a manifest that is used.
    struct ReadManifest: Decodable {
        struct Target: Decodable {
            let name: String
            let type: String
        }
        struct Platform: Decodable {
            let platformName: String
            let version: String
        }

        let targets: [Target]
        let platforms: [Platform]?
    }

    /// The manifest of a package; `nil` if SwiftPM cannot read it.
    func manifest(of directory: URL) throws -> ReadManifest? {
        let run = try run("dump-package", in: directory)
        return run.status == 0 ? try? JSONDecoder().decode(ReadManifest.self, from: run.output) : nil
    }

    /// What SwiftPM finds wrong with a package and the files of its targets; `nil` if nothing.
    func complaint(about directory: URL) throws -> String? {
        let run = try run("describe", in: directory)
        guard run.status != 0 else { return nil }
        let lines = String(decoding: run.errors, as: UTF8.self).split(separator: "\n")
        let errors = lines.filter { $0.hasPrefix("error: ") }
        return (errors.isEmpty ? lines.suffix(5) : errors).joined(separator: "\n")
    }

    private func run(_ command: String, in directory: URL) throws -> (status: Int32, output: Data, errors: Data) {
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--disable-sandbox", "--package-path", directory.path, "--scratch-path", scratch.path,
            command,
        ]
        let output = Pipe()
        // A file, so that neither pipe fills while the other is read.
        let errors = scratch.appending(path: "errors")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let description = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, description, (try? Data(contentsOf: errors)) ?? Data())
    }
}
