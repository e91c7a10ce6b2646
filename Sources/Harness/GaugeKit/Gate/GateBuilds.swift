import Foundation
import Platform

/// The executables that a gate compares: of the base, checked out into a worktree, and of the working tree as it is.
///
/// Each is copied into a directory of its own. The paths of all of them are equally long: a path is an argument and lies
/// on the stack, and one that is longer shifts everything below it.
final class GateBuilds {
    /// What is built, and how.
    let recipe: ProductBuild
    let base: Arm
    /// The working tree.
    let head: Arm
    private let worktree: Worktree
    private let package: String
    private let directory: TemporaryDirectory
    private let interruption: Interruption?

    /// One side of the comparison.
    struct Arm {
        /// For people: `0123456789ab`, `0123456789ab with changes that are not committed`.
        let title: String
        /// The path of its executable.
        let executable: String
    }

    /// Builds both, which may take minutes. `remove()` when it is over.
    ///
    /// - Parameters:
    ///   - revision: the base, as git names it.
    ///   - repository: where both come from.
    ///   - scratch: where the working tree's build goes; `.build` in the package when `nil`.
    ///   - directory: where everything goes.
    ///   - progress: told what is being built.
    /// - Throws: `UsageError` for an unknown revision, `GaugeError`, `Interrupted`; nothing is left behind then.
    init(
        base revision: String, in repository: Repository, recipe: ProductBuild, scratch: String? = nil,
        directory: TemporaryDirectory, interruption: Interruption?, progress: (String) -> Void = { _ in }
    ) throws {
        let commit = try repository.commit(revision)
        self.recipe = recipe
        self.directory = directory
        self.interruption = interruption
        let state = repository.revision.description
        progress("building the working tree")
        // First, since it is the one that is more likely not to build.
        let current = try recipe.build(
            package: repository.package(in: repository.root), scratch: scratch, title: "the working tree",
            interruption: interruption)
        head = Arm(title: state, executable: try Self.copy(current, named: "head", to: directory))
        worktree = try Worktree(of: commit, in: repository, directory: directory, interruption: interruption)
        package = repository.package(in: worktree.path)
        do {
            progress("building the base, \(commit.prefix(12))")
            let built = try recipe.build(
                package: package, scratch: "\(directory.path)/build", title: "the base \(commit.prefix(12))",
                interruption: interruption)
            base = Arm(
                title: "\(commit.prefix(12))", executable: try Self.copy(built, named: "base", to: directory))
        } catch {
            worktree.remove()
            throw error
        }
    }

    /// Builds the base once more, in another way, on top of the first build, of which there is a copy: where only the linker is
    /// told something else, nothing is compiled.
    ///
    /// - Parameters:
    ///   - name: four letters, the directory of the copy.
    ///   - flags: what `swift build` is given besides.
    ///   - change: what is done to the sources before, given the directory of the package; undone by nobody.
    /// - Returns: the path of the executable.
    func rebuildBase(
        named name: String, flags: [String], changing change: (_ package: String) throws -> Void = { _ in }
    ) throws -> String {
        try change(package)
        var other = recipe
        other.flags += flags
        let built = try other.build(
            package: package, scratch: "\(directory.path)/build", title: "the base, as \(name),",
            interruption: interruption)
        return try Self.copy(built, named: name, to: directory)
    }

    /// Removes the worktree. What else there is goes with the directory.
    func remove() { worktree.remove() }

    /// Copies an executable, and links what it looks for beside itself.
    static func copy(_ executable: String, named name: String, to directory: TemporaryDirectory) throws
        -> String
    {
        let source = URL(fileURLWithPath: executable)
        let target = URL(fileURLWithPath: try directory.subdirectory("arm-\(name)"))
        let folder = source.deletingLastPathComponent()
        do {
            let copy = target.appendingPathComponent(source.lastPathComponent)
            try FileManager.default.copyItem(at: source, to: copy)
            for beside in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where ["so", "dylib", "resources", "bundle"].contains((beside as NSString).pathExtension) {
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
