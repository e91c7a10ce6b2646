import Foundation
import Platform

/// Which state of its sources an executable was built from, as far as git can tell.
struct SourceRevision: Equatable {
    /// The commit, 40 or 64 hexadecimal digits; `nil` without git or outside a repository.
    let commit: String?
    /// Whether files differ from the commit, or are new beside it; `nil` when nobody knows.
    let isDirty: Bool?

    static let unknown = SourceRevision(commit: nil, isDirty: nil)

    private init(commit: String?, isDirty: Bool?) {
        self.commit = commit
        self.isDirty = isDirty
    }

    /// Asks git about the working copy around `directory`. Takes some milliseconds, and some seconds at most.
    init(of directory: String) {
        guard let head = CommandOutput.of("git", ["-C", directory, "rev-parse", "--verify", "HEAD"], within: 5) else {
            self = .unknown
            return
        }
        commit = head.trimmingCharacters(in: .whitespacesAndNewlines)
        isDirty = CommandOutput.of("git", ["-C", directory, "status", "--porcelain"], within: 5).map { !$0.isEmpty }
    }

    /// Of the working copy that this executable lies in, as `.build` does.
    static var own: SourceRevision {
        guard let path = ownExecutablePath() else { return .unknown }
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        return SourceRevision(of: file.deletingLastPathComponent().path)
    }

    /// `4a891fa…`, `4a891fa… with changes`, `unknown`.
    var description: String {
        guard let commit else { return "unknown (no git, or no repository around the executable)" }
        return switch isDirty {
        case true?: "\(commit.prefix(12)) with changes that are not committed"
        case false?: "\(commit.prefix(12))"
        case nil: "\(commit.prefix(12)), with or without changes"
        }
    }
}
