import Foundation

/// The built executable, beside the test bundle.
enum Cachefuzz {
    struct Result {
        let status: Int32
        let errors: String
    }

    static func run(_ arguments: String...) throws -> Result {
        let process = Process()
        process.executableURL = productsDirectory.appending(path: "cachefuzz")
        process.arguments = arguments
        // Symbolising the trap of a debug build takes seconds, and nobody reads it here.
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, errors: String(decoding: bytes, as: UTF8.self))
    }

    private static var productsDirectory: URL {
        #if os(macOS)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }
}
