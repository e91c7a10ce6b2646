import Foundation
import PackagePlugin

/// A target with a first subject, which is added to a package.
struct NewGauge {
    private let context: PluginContext
    private let name: String
    private let scratch: SwiftPackage

    /// - Parameter arguments: nothing, or the name of the target.
    init(_ context: PluginContext, _ arguments: [String]) throws {
        self.context = context
        name = arguments.first ?? "MyGauge"
        scratch = SwiftPackage(scratch: context.pluginWorkDirectoryURL.appending(path: "scratch"))
        let isName = name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
        guard arguments.count <= 1, isName else {
            throw Failure("usage: swift package gauge init [NAME]; NAME is a Swift identifier, MyGauge by default")
        }
    }

    /// The folder of the target, apart from `Sources`, all of which may belong to another target.
    private var folder: String { "Gauges/\(name)" }

    /// Writes the source file and the target into the package. Changes nothing unless SwiftPM can read the new
    /// manifest, and takes everything back if it finds the package wrong afterwards.
    func add() throws {
        let directory = context.package.directoryURL
        let source = directory.appending(path: "\(folder)/\(name).swift")
        guard !context.package.targets.contains(where: { $0.name == name }) else {
            throw Failure("there is a target \(name) already; pass another name: swift package gauge init NAME")
        }
        guard !FileManager.default.fileExists(atPath: source.path) else {
            throw Failure("\(source.path) exists already; pass another name: swift package gauge init NAME")
        }
        let manifest = try usedManifest()
        try checkVersions(manifest.lastPathComponent)
        let before = try String(contentsOf: manifest, encoding: .utf8)
        let candidates = packageNames.map { Manifest(before).adding(target(of: $0)) }
        guard let after = try candidates.compactMap(\.self).first(where: isReadable) else {
            return print(byHand(manifest.lastPathComponent, source: source.path))
        }
        do {
            try FileManager.default.createDirectory(
                at: source.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FirstSubject.text(name).write(to: source, atomically: true, encoding: .utf8)
            try after.write(to: manifest, atomically: true, encoding: .utf8)
        } catch {
            throw Failure("\(error.localizedDescription)\n\(byHand(manifest.lastPathComponent, source: source.path))")
        }
        if let complaint = try scratch.complaint(about: directory) {
            try before.write(to: manifest, atomically: true, encoding: .utf8)
            remove(source)
            throw Failure(
                """
                with the target \(name) SwiftPM says of this package:
                \(complaint)
                Everything is as it was. Leave \(folder) out of the target that it names, with exclude: ["Gauges"], and try
                again; or make a package of its own for the gauge: Benchmarks/Guides/measure-my-cache.md of CacheGauge.
                """)
        }
        print(
            """
            Added the target \(name) to \(manifest.lastPathComponent), and a first subject in \(folder)/\(name).swift.
            Next: swift run -c release \(name) verify
            """)
    }

    /// Removes a file, and the folders above it that it leaves empty.
    private func remove(_ source: URL) {
        try? FileManager.default.removeItem(at: source)
        var folder = source.deletingLastPathComponent()
        for _ in 0..<2 {
            guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.isEmpty == true else { return }
            try? FileManager.default.removeItem(at: folder)
            folder.deleteLastPathComponent()
        }
    }

    /// The manifest that SwiftPM reads: one for a version of Swift goes before `Package.swift`.
    private func usedManifest() throws -> URL {
        let directory = context.package.directoryURL
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasPrefix("Package@swift-") && $0.hasSuffix(".swift") }
        let version = context.package.toolsVersion
        for name in names.sorted().reversed() {
            let url = directory.appending(path: name)
            let line = try String(contentsOf: url, encoding: .utf8).prefix { !$0.isNewline }
            guard let found = line.firstMatch(of: #/swift-tools-version:\s*(\d+)\.(\d+)/#)?.output else { continue }
            if Int(found.1) == version.major, Int(found.2) == version.minor { return url }
        }
        return directory.appending(path: "Package.swift")
    }

    /// Refuses a package that could not be built any more: one for older versions of macOS, and one whose manifest is
    /// older than executable targets.
    private func checkVersions(_ manifest: String) throws {
        let version = context.package.toolsVersion
        guard (version.major, version.minor) >= (5, 4) else {
            throw Failure(
                """
                the first line of \(manifest) asks for tools \(version.major).\(version.minor), and executable targets \
                need 5.4; raise it, or make a package of its own for the gauge. Nothing was changed.
                """)
        }
        let package = try scratch.manifest(of: context.package.directoryURL)
        guard let macOS = package?.platforms?.first(where: { $0.platformName == "macos" })?.version else {
            return print(
                "\(manifest) names no version of macOS; on a Mac the gauge needs platforms: [.macOS(\"15.0\")]")
        }
        let oldest = Int(macOS.prefix { $0 != "." }) ?? 0
        guard oldest >= 15 else {
            throw Failure(
                """
                this package supports macOS \(macOS), and GaugeKit needs 15.0: with a gauge in it, it could not be built on a \
                Mac any more. Raise it to .macOS("15.0"), or make a package of its own for the gauge. Nothing was changed.
                """)
        }
    }

    /// The new element of `targets`.
    ///
    /// - Parameter package: the name of the package with GaugeKit.
    private func target(of package: String) -> String {
        let own = libraries.map { "\"\($0)\", " }.joined()
        return """
            .executableTarget(
                name: "\(name)", dependencies: [\(own).product(name: "GaugeKit", package: "\(package)")],
                path: "\(folder)"),
            """
    }

    /// The targets of the package's libraries that can be imported.
    private var libraries: [String] {
        var names: [String] = []
        for library in context.package.products(ofType: LibraryProduct.self) {
            names += library.targets.filter { $0 is any SourceModuleTarget && !names.contains($0.name) }.map(\.name)
        }
        return names
    }

    /// The names by which a manifest may call the package with GaugeKit: one that the dependency gives it, or that of
    /// its directory or address.
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
        return try scratch.manifest(of: copy)?.targets.contains { $0.name == name && $0.type == "executable" } == true
    }

    /// The text for a manifest that cannot be changed.
    private func byHand(_ manifest: String, source: String) -> String {
        """
        \(manifest) was not changed. Add this to the targets of the package:

        \(target(of: packageNames[0]).split(separator: "\n").map { "        \($0)" }.joined(separator: "\n"))

        and write this to \(source):

        \(FirstSubject.text(name))
        """
    }
}
