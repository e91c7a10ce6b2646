import Foundation

/// The git repository around a package.
struct Repository {
    let git: Tool
    /// The top of the working tree.
    let root: String
    /// Where the package lies below the top: empty, or `Benchmarks/`.
    let prefix: String

    /// - Throws: `GaugeError` without git, or outside a repository.
    init(around directory: String, interruption: Interruption? = nil) throws {
        git = try Tool("git", purpose: "revisions are checked out")
        let found = try git.run(
            ["-C", directory, "rev-parse", "--show-toplevel", "--show-prefix"], interruption: interruption)
        let lines = found.output.split(separator: "\n", omittingEmptySubsequences: false)
        guard found.status == 0, lines.count >= 2 else {
            let reason = found.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw GaugeError(
                "\(directory) is in no git repository that can be read\(reason); "
                    + "start the gate in the directory of the package")
        }
        root = String(lines[0])
        prefix = String(lines[1])
    }

    /// The package in a checkout of this repository.
    func package(in checkout: String) -> String { prefix.isEmpty ? checkout : "\(checkout)/\(prefix.dropLast())" }

    /// The commit that a revision names: 40 or 64 hexadecimal digits.
    ///
    /// - Throws: `UsageError` when there is none of that name.
    func commit(_ revision: String) throws -> String {
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

    /// The state of the working tree.
    var revision: SourceRevision { SourceRevision(of: root) }
}
