import Foundation
import GaugeSupport
import Platform

/// The executables that a gate compares: the base, checked out into a worktree, and the working tree as it is.
///
/// Each is copied into its own directory, with paths of equal length: the path is an argument and lies on the stack, so
/// a longer one would shift everything below it.
package final class GateBuilds {
    package let recipe: ProductBuild
    package let base: Build
    /// The working tree.
    package let head: Build
    /// The checkout of the base; `nil` while its kept executable is enough.
    private var worktree: Worktree?
    /// Where the base's executable and counts are kept; `nil` if they aren't.
    package let keptBase: String?
    private let commit: String
    /// See ``Repository/pins(at:)``.
    private let pins: Data?
    private let repository: Repository
    private let kept: KeptBuilds?
    private let directory: TemporaryDirectory
    private let interruption: Interruption?

    /// One side of the comparison.
    package struct Build {
        /// The title for people: `0123456789ab`, `0123456789ab with changes that are not committed`.
        package let title: String
        package let executable: String
    }

    /// Builds both, which may take minutes. Call `remove()` afterwards.
    ///
    /// - Parameters:
    ///   - revision: the base, as git names it.
    ///   - repository: the repository of both.
    ///   - scratch: the build directory of the working tree; `.build` in the package when `nil`.
    ///   - directory: for the worktree and the copies.
    ///   - progress: receives the title of each build.
    /// - Throws: `UsageError` for an unknown revision, `GaugeError`, `Interrupted`; removes the worktree first.
    package init(
        base revision: String, in repository: Repository, recipe: ProductBuild, scratch: String? = nil,
        directory: TemporaryDirectory, interruption: Interruption?, progress: (String) -> Void = { _ in }
    ) throws {
        let commit = try repository.commit(revision)
        (self.commit, self.recipe, self.repository) = (commit, recipe, repository)
        (self.directory, self.interruption) = (directory, interruption)
        let state = repository.revision.description
        progress("building the working tree")
        // The working tree first, since it is more likely to fail.
        let here = repository.package(in: repository.root)
        let current = try recipe.build(
            package: here, scratch: scratch, title: "the working tree", in: directory, interruption: interruption)
        head = Build(title: state, executable: try Self.copy(current, named: "head", to: directory))
        // That build may have made them.
        pins = try repository.pins(at: commit)
        let kept = KeptBuilds(package: here)
        self.kept = kept
        let name = KeptBuilds.name(commit: commit, recipe: recipe, pins: pins)
        if let executable = kept?.executable(name, product: recipe.product) {
            keptBase = (executable as NSString).deletingLastPathComponent
            base = Build(
                title: "\(commit.prefix(12))", executable: try Self.copy(executable, named: "base", to: directory))
            return
        }
        progress("building the base, \(commit.prefix(12))")
        let worktree = try Worktree(of: commit, in: repository, directory: directory, interruption: interruption)
        self.worktree = worktree
        do {
            let built = try Self.build(recipe, repository.package(in: worktree.path), commit, directory, interruption)
            keptBase = Self.keep(built, as: name, in: kept, checkout: worktree.path, directory)
            base = Build(title: "\(commit.prefix(12))", executable: try Self.copy(built, named: "base", to: directory))
        } catch {
            worktree.remove()
            throw error
        }
    }

    private static func build(
        _ recipe: ProductBuild, _ package: String, _ commit: String, _ directory: TemporaryDirectory,
        _ interruption: Interruption?, as name: String = ""
    ) throws -> String {
        try recipe.build(
            package: package, scratch: scratch(in: directory),
            title: "the base \(commit.prefix(12))\(name.isEmpty ? "" : ", as \(name),")", in: directory,
            interruption: interruption)
    }

    private static func scratch(in directory: TemporaryDirectory) -> String { "\(directory.path)/build" }

    /// - Returns: the folder; `nil` if the build isn't kept, since its code is more than the commit's.
    private static func keep(
        _ built: String, as name: String, in kept: KeptBuilds?, checkout: String, _ directory: TemporaryDirectory
    ) -> String? {
        LocalDependencies(ofBuildIn: scratch(in: directory), checkout: checkout).flatMap {
            kept?.keep(built, as: name, with: $0)
        }
    }

    /// Builds the base with other flags, on top of the first build, whose executable was already copied. If only linker
    /// flags differ, nothing is compiled.
    ///
    /// - Parameters:
    ///   - name: four letters: the copy's directory.
    ///   - flags: additional arguments of `swift build`.
    ///   - variant: what the flags mean, under which the executable is kept; empty to not keep it.
    ///   - change: changes the sources first, given the package's directory; it isn't undone.
    /// - Returns: the path of the executable.
    package func rebuildBase(
        named name: String, flags: [String], variant: String = "",
        changing change: (_ package: String) throws -> Void = { _ in }
    ) throws -> String {
        let keptName = KeptBuilds.name(commit: commit, recipe: recipe, variant: variant, pins: pins)
        if !variant.isEmpty, let executable = kept?.executable(keptName, product: recipe.product) {
            return try Self.copy(executable, named: name, to: directory)
        }
        let checkout =
            try worktree ?? Worktree(of: commit, in: repository, directory: directory, interruption: interruption)
        worktree = checkout
        let package = repository.package(in: checkout.path)
        try change(package)
        var other = recipe
        other.flags += flags
        let built = try Self.build(other, package, commit, directory, interruption, as: name)
        if !variant.isEmpty { _ = Self.keep(built, as: keptName, in: kept, checkout: checkout.path, directory) }
        return try Self.copy(built, named: name, to: directory)
    }

    /// Removes the worktree. Other files are removed with the directory.
    package func remove() { worktree?.remove() }

    /// Whether an executable may expect a file beside itself.
    static func isExpected(_ file: String) -> Bool {
        ["so", "dylib", "resources", "bundle"].contains((file as NSString).pathExtension)
    }

    /// Copies an executable, wherever a link to it stands, and links the files that it expects beside itself.
    package static func copy(_ executable: String, named name: String, to directory: TemporaryDirectory) throws
        -> String
    {
        let source = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
        let target = URL(fileURLWithPath: try directory.subdirectory("build-\(name)"))
        let folder = source.deletingLastPathComponent()
        do {
            let copy = target.appendingPathComponent(source.lastPathComponent)
            try FileManager.default.copyItem(at: source, to: copy)
            for beside in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where isExpected(beside) {
                try FileManager.default.createSymbolicLink(
                    at: target.appendingPathComponent(beside),
                    withDestinationURL: folder.appendingPathComponent(beside))
            }
            return copy.path
        } catch {
            throw GaugeError("\(executable) cannot be copied into \(target.path): \(error)")
        }
    }
}

/// Executables of bases that earlier gates built, in the package's build directory.
///
/// A base is a commit, which doesn't change, so it is built once for everything that decides its code: product, flags,
/// compiler, architecture, C library, processor and dependencies. A workflow that caches the folder finds its last
/// run's base there.
package struct KeptBuilds {
    package let folder: String

    /// The most executables kept; the least recently used is removed first.
    package static let most = 8

    /// - Returns: `nil` for a package that was never built and has no build directory.
    package init?(package: String) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(package)/.build", isDirectory: &isDirectory),
            isDirectory.boolValue
        else { return nil }
        folder = "\(package)/.build/gate-bases"
    }

    /// The name of a build: the beginning of the commit, and 32 hexadecimal digits for everything that decides it.
    package static func name(
        commit: String, recipe: ProductBuild, variant: String = "", pins: Data? = nil, key: BaselineKey = .current
    )
        -> String
    {
        let pins = String(decoding: pins ?? Data(), as: UTF8.self)
        let text = ([commit, recipe.product, key.description, variant, pins] + recipe.flags).joined(separator: "\0")
        func digits(_ hash: UInt64) -> String {
            let text = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let halves = [DecimalText.hash(text.utf8), DecimalText.hash((text + "\0").utf8)]
        return "\(commit.prefix(12))-\(halves.map(digits).joined())"
    }

    private static let dependencies = "dependencies.json"

    /// The path of a kept executable; `nil` if there's none, or what it depends on has changed.
    package func executable(_ name: String, product: String) -> String? {
        let path = "\(folder)/\(name)/\(product)"
        guard FileManager.default.isExecutableFile(atPath: path),
            let data = FileManager.default.contents(atPath: "\(folder)/\(name)/\(Self.dependencies)"),
            (try? JSONDecoder().decode(LocalDependencies.self, from: data))?.isCurrent == true
        else { return nil }
        // The time of the last use.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: "\(folder)/\(name)")
        return path
    }

    /// Keeps an executable and what it expects beside itself.
    ///
    /// - Returns: its folder; `nil` if that fails, and the next gate builds again.
    func keep(_ executable: String, as name: String, with dependencies: LocalDependencies) -> String? {
        let manager = FileManager.default
        let source = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
        // In one step, since another gate may run.
        let unfinished = "\(folder)/unfinished-\(getpid())-\(name)"
        do {
            try manager.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            defer { try? manager.removeItem(atPath: unfinished) }
            for file in try manager.contentsOfDirectory(atPath: source.deletingLastPathComponent().path)
            where file == source.lastPathComponent || GateBuilds.isExpected(file) {
                let original = source.deletingLastPathComponent().appendingPathComponent(file).resolvingSymlinksInPath()
                try manager.copyItem(atPath: original.path, toPath: "\(unfinished)/\(file)")
            }
            try JSONEncoder().encode(dependencies)
                .write(to: URL(fileURLWithPath: "\(unfinished)/\(Self.dependencies)"))
            try? manager.removeItem(atPath: "\(folder)/\(name)")
            try manager.moveItem(atPath: unfinished, toPath: "\(folder)/\(name)")
        } catch { return nil }
        removeOldest()
        return "\(folder)/\(name)"
    }

    private func removeOldest() {
        let manager = FileManager.default
        let kept = ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).map { name in
            let attributes = try? manager.attributesOfItem(atPath: "\(folder)/\(name)")
            return (name: name, date: attributes?[.modificationDate] as? Date ?? .distantPast)
        }.sorted { ($0.date, $0.name) > ($1.date, $1.name) }
        for old in kept.dropFirst(Self.most) { try? manager.removeItem(atPath: "\(folder)/\(old.name)") }
    }
}
