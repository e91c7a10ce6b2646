import Foundation
import GaugeSupport
import Platform

/// The revision of the sources that an executable was built from, as far as git knows.
package struct SourceRevision: Equatable {
    /// The commit, 40 or 64 hexadecimal digits; `nil` without git or outside a repository.
    package let commit: String?
    /// Whether files differ from the commit or are untracked; `nil` when unknown.
    package let isDirty: Bool?

    package static let unknown = SourceRevision(commit: nil, isDirty: nil)

    private init(commit: String?, isDirty: Bool?) {
        self.commit = commit
        self.isDirty = isDirty
    }

    /// Asks git about the working copy around `directory`. Usually takes some milliseconds, at most some seconds.
    package init(of directory: String) {
        guard let head = Tool.output(of: "git", ["-C", directory, "rev-parse", "--verify", "HEAD"], within: 5) else {
            self = .unknown
            return
        }
        commit = head.trimmingCharacters(in: .whitespacesAndNewlines)
        isDirty = Tool.output(of: "git", ["-C", directory, "status", "--porcelain"], within: 5).map { !$0.isEmpty }
    }

    /// The revision of the working copy that contains this executable, as `.build` does.
    package static var own: SourceRevision {
        guard let path = ownExecutablePath() else { return .unknown }
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        return SourceRevision(of: file.deletingLastPathComponent().path)
    }

    /// `4a891fa…`, `4a891fa… with changes`, `unknown`.
    package var description: String {
        guard let commit else { return "unknown (no git, or no repository around the executable)" }
        return switch isDirty {
        case true?: "\(commit.prefix(12)) with changes that are not committed"
        case false?: "\(commit.prefix(12))"
        case nil: "\(commit.prefix(12)), with or without changes"
        }
    }
}
