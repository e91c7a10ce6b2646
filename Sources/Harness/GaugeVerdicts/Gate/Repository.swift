import Foundation
import GaugeMeasurement
import GaugeSupport

/// The git repository that contains a package.
package struct Repository {
    package let git: Tool
    /// The top of the working tree.
    package let root: String
    /// The path of the package below the top: empty, or `Benchmarks/`.
    package let prefix: String

    /// - Throws: `GaugeError` when git is not installed or outside a repository.
    package init(around directory: String, interruption: Interruption? = nil) throws {
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

    /// The path of the package in a checkout of this repository.
    package func package(in checkout: String) -> String {
        prefix.isEmpty ? checkout : "\(checkout)/\(prefix.dropLast())"
    }

    /// The commit that a revision names: 40 or 64 hexadecimal digits.
    ///
    /// - Throws: `UsageError` when the revision does not exist.
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

    /// The revision of the working tree.
    package var revision: SourceRevision { SourceRevision(of: root) }
}
