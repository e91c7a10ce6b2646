import Foundation
import GaugeSupport
import Platform

/// A commit checked out into a temporary directory, which git registers as a worktree of the repository.
///
/// Its creator removes it on every exit. One left behind by a killed process is removed when the next is created:
/// beside each lies a file locked by its process, so an unlocked file means that the process is gone.
///
/// Beside the checkout are links to the repository's siblings, so that a package that depends on `../Other` finds it.
/// In it are the submodules, and the pins of the working tree if the commit has none.
package final class Worktree {
    package let path: String
    package let commit: String
    private let repository: Repository
    private let owner: Int32

    private static let name = "base"
    private static let surroundings = "checkout"
    private static let ownerName = "owner"

    /// - Parameter directory: the parent directory, for at most one worktree.
    /// - Throws: `Interrupted`, `GaugeError`; removes the checkout first.
    package init(
        of commit: String, in repository: Repository, directory: TemporaryDirectory, interruption: Interruption? = nil
    ) throws {
        try Self.removeStale(in: repository)
        let lock = "\(directory.path)/\(Self.ownerName)"
        owner = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard owner >= 0 else { throw GaugeError("\(lock) cannot be made: \(SystemError.last)") }
        guard flock(owner, LOCK_EX | LOCK_NB) == 0 else {
            close(owner)
            throw GaugeError("\(lock) cannot be locked: \(SystemError.last); name another place with --directory")
        }
        path = "\(directory.path)/\(Self.surroundings)/\(Self.name)"
        self.commit = commit
        self.repository = repository
        do {
            Self.link(around: repository, into: try directory.subdirectory(Self.surroundings))
            let made = try repository.git.run(
                [
                    "-C", repository.root, "-c", "submodule.recurse=false", "worktree", "add", "--detach", "--force",
                    path, commit,
                ], interruption: interruption)
            guard made.status == 0 else {
                throw GaugeError("\(commit.prefix(12)) cannot be checked out into \(path): \(Self.reason(made))")
            }
            try Self.addSubmodules(to: path, from: repository.root, repository.git, interruption)
            if let pins = try repository.pins(at: commit) {
                try? pins.write(to: URL(fileURLWithPath: "\(repository.package(in: path))/\(Repository.pins)"))
            }
        } catch {
            remove()
            throw error
        }
    }

    private static func reason(_ outcome: Tool.Outcome) -> String {
        outcome.errors.split(separator: "\n").last.map(String.init) ?? "git ended with \(outcome.status)"
    }

    /// Clones submodules from those of the working tree, since a server may be out of reach. One that isn't there stays
    /// empty here, too.
    private static func addSubmodules(
        to checkout: String, from source: String, _ git: Tool, _ interruption: Interruption?
    ) throws {
        guard access("\(checkout)/.gitmodules", F_OK) == 0 else { return }
        let listed = try git.run(
            ["-C", checkout, "ls-files", "--stage", "-z"], keeping: 1 << 26, interruption: interruption)
        for entry in listed.output.split(separator: "\0") where entry.hasPrefix("160000 ") {
            let parts = entry.split(separator: "\t", maxSplits: 1)
            guard let commit = parts[0].split(separator: " ").dropFirst().first, let name = parts.last else { continue }
            let (own, place) = ("\(source)/\(name)", "\(checkout)/\(name)")
            guard access("\(own)/.git", F_OK) == 0 else { continue }
            for command in [
                ["clone", "--quiet", "--shared", "--no-checkout", own, place],
                ["-C", place, "checkout", "--quiet", "--detach", String(commit)],
            ] {
                let done = try git.run(command, interruption: interruption)
                guard done.status == 0 else {
                    throw GaugeError(
                        "the submodule \(name) cannot be checked out at \(commit.prefix(12)): \(reason(done)); "
                            + "run git fetch in \(own)")
                }
            }
            try addSubmodules(to: place, from: own, git, interruption)
        }
    }

    deinit { close(owner) }

    /// Ignores errors: if a link matters, the build reports it as missing.
    private static func link(around repository: Repository, into directory: String) {
        let root = URL(fileURLWithPath: repository.root)
        let folder = root.deletingLastPathComponent()
        for beside in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where beside != root.lastPathComponent && beside != name && !beside.hasPrefix(".") {
            symlink("\(folder.path)/\(beside)", "\(directory)/\(beside)")
        }
    }

    /// Removes the directory and git's record of it. You may call it again.
    package func remove() { Self.remove(path, from: repository) }

    private static func remove(_ path: String, from repository: Repository) {
        _ = try? repository.git.run(["-C", repository.root, "worktree", "remove", "--force", "--force", path])
        // Git doesn't recognise a partial checkout, so remove its files directly.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes the worktrees of killed processes, and no others.
    private static func removeStale(in repository: Repository) throws {
        let listed = try repository.git.run(["-C", repository.root, "worktree", "list", "--porcelain"])
        for line in listed.output.split(separator: "\n") where line.hasPrefix("worktree ") {
            let path = String(line.dropFirst("worktree ".count))
            guard path.hasSuffix("/\(surroundings)/\(name)") else { continue }
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent()
            guard TemporaryDirectory.isName(directory.lastPathComponent) else { continue }
            let isGone = access(directory.path, F_OK) != 0
            guard isGone || isAbandoned("\(directory.path)/\(ownerName)") else { continue }
            remove(path, from: repository)
            if !isGone { try? FileManager.default.removeItem(at: directory) }
        }
    }

    private static func isAbandoned(_ lock: String) -> Bool {
        // A missing file can't be locked: its process is about to make it.
        let descriptor = open(lock, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}

package struct Repository {
    package let git: Tool
    /// The top of the working tree.
    package let root: String
    /// The path of the package below the top: empty, or `Benchmarks/`.
    package let prefix: String

    /// - Throws: `GaugeError` if git isn't installed or outside a repository.
    package init(around directory: String, interruption: Interruption? = nil) throws {
        git = try Tool("git", purpose: "revisions are checked out")
        let found = try git.run(
            ["-C", directory, "rev-parse", "--show-toplevel", "--show-prefix"], interruption: interruption)
        let lines = found.output.split(separator: "\n", omittingEmptySubsequences: false)
        guard found.status == 0, lines.count >= 2 else {
            let reason = found.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw GaugeError(
                "\(directory) is in no git repository that can be read\(reason); "
                    + "run it in the directory of the package")
        }
        root = String(lines[0])
        prefix = String(lines[1])
    }

    /// The path of the package in a checkout of this repository.
    package func package(in checkout: String) -> String {
        prefix.isEmpty ? checkout : "\(checkout)/\(prefix.dropLast())"
    }

    /// The commit that a revision names: 40 or 64 hexadecimal digits.
    ///
    /// - Throws: `UsageError` if the revision doesn't exist.
    package func commit(_ revision: String) throws -> String {
        guard !revision.hasPrefix("-") else {
            throw UsageError("'\(revision)' is no revision; a name begins otherwise")
        }
        let found = try git.run(["-C", root, "rev-parse", "--verify", "--quiet", "\(revision)^{commit}"])
        guard found.status == 0 else {
            let isShallow = try git.run(["-C", root, "rev-parse", "--is-shallow-repository"]).output.hasPrefix("true")
            let remedy =
                isShallow
                ? "this clone holds a part of the history; fetch all of it, as by git fetch --unshallow "
                    + "(fetch-depth: 0 in actions/checkout)"
                : "give a commit, a branch or a tag that git log knows"
            throw UsageError("there is no revision '\(revision)' here; \(remedy)")
        }
        return found.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    fileprivate static let pins = "Package.resolved"

    /// The versions of dependencies that a build of a commit takes from the working tree, so that both are built with
    /// the same; `nil` for a commit that has its own.
    func pins(at commit: String) throws -> Data? {
        let own = try git.run(["-C", root, "cat-file", "-e", "\(commit):\(prefix)\(Self.pins)"])
        return own.status == 0 ? nil : FileManager.default.contents(atPath: "\(package(in: root))/\(Self.pins)")
    }

    /// The revision of the working tree.
    package var revision: SourceRevision { SourceRevision(of: root) }
}
