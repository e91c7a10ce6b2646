import Foundation

@testable import cachefuzz

/// The built executable, beside the test bundle.
enum Cachefuzz {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The path of the repository's inputs for a target.
    static func pack(of target: String) -> String { repository.appending(path: Corpus.pack(of: target)).path }

    static func run(_ arguments: String...) throws -> Result {
        // Symbolising the trap of a debug build takes seconds, and the tests do not read it.
        try run(executable, arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    /// The script `Fuzz/fuzz`, or another of the repository's.
    static func runScript(
        _ arguments: [String], script: String = "Fuzz/fuzz", environment: [String: String] = [:]
    ) throws -> Result {
        try run(
            repository.appending(path: script), arguments,
            environment: ProcessInfo.processInfo.environment
                // A shell warns of a language that is not installed.
                .merging(["LC_ALL": "C"]) { $1 }.merging(environment) { $1 })
    }

    static func run(_ executable: URL, _ arguments: [String], environment: [String: String]) throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "cachefuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        // Files instead of pipes: a pipe could fill up while the other one is read.
        let streams = try ["output", "errors"].map { name in
            let path = directory.appending(path: name)
            try Data().write(to: path)
            return (path, try FileHandle(forWritingTo: path))
        }
        process.standardOutput = streams[0].1
        process.standardError = streams[1].1
        try process.run()
        process.waitUntilExit()
        let texts = try streams.map { String(decoding: try Data(contentsOf: $0.0), as: UTF8.self) }
        return Result(status: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    static var executable: URL { productsDirectory.appending(path: "cachefuzz") }

    private static var productsDirectory: URL {
        #if os(macOS)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }
}
