import Foundation
import PackagePlugin

/// A target with a first subject, which is added to a package.
struct NewGauge {
    private let context: PluginContext
    private let name: String

    /// - Parameter arguments: nothing, or the name of the target.
    init(_ context: PluginContext, _ arguments: [String]) throws {
        self.context = context
        name = arguments.first ?? "MyGauge"
        let isName = name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
        guard arguments.count <= 1, isName else {
            throw Failure("usage: swift package gauge init [NAME]; NAME is a Swift identifier, MyGauge by default")
        }
    }

    /// Writes the source file and the target into the package. Changes nothing unless SwiftPM can read the new manifest.
    func add() throws {
        let directory = context.package.directoryURL
        let source = directory.appending(path: "Sources/\(name)/\(name).swift")
        let manifest = directory.appending(path: "Package.swift")
        guard !context.package.targets.contains(where: { $0.name == name }) else {
            throw Failure("there is a target \(name) already; pass another name: swift package gauge init NAME")
        }
        guard !FileManager.default.fileExists(atPath: source.path) else {
            throw Failure("\(source.path) exists already; pass another name: swift package gauge init NAME")
        }
        let before = try String(contentsOf: manifest, encoding: .utf8)
        let candidates = packageNames.map { Manifest(before).adding(target(of: $0)) }
        guard let after = try candidates.compactMap(\.self).first(where: isReadable) else {
            return print(byHand(source: source.path))
        }
        do {
            try FileManager.default.createDirectory(
                at: source.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FirstSubject.text(name).write(to: source, atomically: true, encoding: .utf8)
            try after.write(to: manifest, atomically: true, encoding: .utf8)
        } catch {
            throw Failure("\(error.localizedDescription)\n\(byHand(source: source.path))")
        }
        print(
            """
            Added the target \(name) to Package.swift, and a first subject in Sources/\(name)/\(name).swift.
            Next: swift run -c release \(name) verify
            """)
    }

    /// The new element of `targets`.
    ///
    /// - Parameter package: the name of the package with GaugeKit.
    private func target(of package: String) -> String {
        """
        .executableTarget(
            name: "\(name)", dependencies: [.product(name: "GaugeKit", package: "\(package)")]),
        """
    }

    /// The names by which a manifest may call the package with GaugeKit: one that the dependency gives it, or that of its
    /// directory or address.
    private var packageNames: [String] {
        let found = context.package.dependencies.map(\.package).first { package in
            package.products.contains { $0.name == "GaugeKit" }
        }
        return found.map { [$0.displayName, $0.id] } ?? ["CacheGauge"]
    }

    /// Whether SwiftPM finds the target in a copy of the manifest.
    private func isReadable(_ text: String) throws -> Bool {
        let copy = context.pluginWorkDirectoryURL.appending(path: "manifest")
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: copy) }
        try text.write(to: copy.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "package", "--disable-sandbox", "--package-path", copy.path, "dump-package"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let description = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return false }
        let read = try? JSONDecoder().decode(ReadManifest.self, from: description)
        return read?.targets.contains { $0.name == name && $0.type == "executable" } == true
    }

    /// The part of SwiftPM's description of a manifest that is checked.
    private struct ReadManifest: Decodable {
        struct Target: Decodable {
            let name: String
            let type: String
        }

        let targets: [Target]
    }

    /// The text for a manifest that cannot be changed.
    private func byHand(source: String) -> String {
        """
        Package.swift was not changed. Add this to the targets of the package:

        \(target(of: packageNames[0]).split(separator: "\n").map { "        \($0)" }.joined(separator: "\n"))

        and write this to \(source):

        \(FirstSubject.text(name))
        """
    }
}
