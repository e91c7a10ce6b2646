import Foundation
import GaugeSupport
import Platform

/// The revision of the sources that an executable was built from, as far as git knows.
package struct SourceRevision: Equatable {
    /// The commit, 40 or 64 hexadecimal digits; `nil` without git or outside a repository.
    package let commit: String?
    /// Whether files differ from the commit, are untracked, or are newer than the executable; `nil` if unknown.
    package let isDirty: Bool?
    /// A source file newer than the executable, which may then be of an earlier commit.
    package let newerSource: String?

    package static let unknown = SourceRevision()

    private init() { (commit, isDirty, newerSource) = (nil, nil, nil) }

    /// Asks git about the working copy around `directory`. Usually takes milliseconds, at most some seconds.
    ///
    /// - Parameter executable: its age is compared with the sources'.
    package init(of directory: String, executable: String? = nil) {
        guard let head = Tool.output(of: "git", ["-C", directory, "rev-parse", "--verify", "HEAD"], within: 5) else {
            self = .unknown
            return
        }
        commit = head.trimmingCharacters(in: .whitespacesAndNewlines)
        newerSource = executable.flatMap { Self.source(in: directory, newerThan: $0) }
        // A user's configuration may hide files.
        let status = Tool.output(
            of: "git",
            ["-C", directory, "status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=none"],
            within: 5)
        isDirty = newerSource != nil ? true : status.map { !$0.isEmpty }
    }

    /// The first in git's list; `nil` if all are older, or nothing is known. Tests aren't part of an executable.
    private static func source(in directory: String, newerThan executable: String) -> String? {
        guard let built = modificationTime(executable),
            let top = Tool.output(of: "git", ["-C", directory, "rev-parse", "--show-toplevel"], within: 5)?
                .split(separator: "\n").first,
            let list = Tool.output(
                of: "git",
                ["-C", String(top), "ls-files", "-z", "--", "*.swift", "*.c", "*.h", ":(exclude,glob)**/Tests/**"],
                within: 5)
        else { return nil }
        return list.split(separator: "\0").lazy.map(String.init).first { file in
            modificationTime("\(top)/\(file)").map { $0 > built } ?? false
        }
    }

    private static func modificationTime(_ path: String) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }

    /// The revision of the working copy that contains this executable, as `.build` does.
    package static var own: SourceRevision {
        guard let path = ownExecutablePath() else { return .unknown }
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        return SourceRevision(of: file.deletingLastPathComponent().path, executable: file.path)
    }

    /// `4a891fa…`, `4a891fa… with changes`, `4a891fa… or before`, `unknown`.
    package var description: String {
        guard let commit else { return "unknown (no git, or no repository around the executable)" }
        if let newerSource { return "\(commit.prefix(12)) or before (\(newerSource) is newer than the executable)" }
        return switch isDirty {
        case true?: "\(commit.prefix(12)) with changes that are not committed"
        case false?: "\(commit.prefix(12))"
        case nil: "\(commit.prefix(12)), with or without changes"
        }
    }
}

package enum SwiftVersion {
    /// `6.3.1`, or the newest known version with a plus sign.
    package static let compiler: String = {
        // Swift has no expression for the compiler's version, so each is tested.
        #if compiler(>=6.4)
        return "6.4+"
        #elseif compiler(>=6.3.4)
        return "6.3.4+"
        #elseif compiler(>=6.3.3)
        return "6.3.3"
        #elseif compiler(>=6.3.2)
        return "6.3.2"
        #elseif compiler(>=6.3.1)
        return "6.3.1"
        #elseif compiler(>=6.3)
        return "6.3"
        #elseif compiler(>=6.2.1)
        return "6.2.1+"
        #else
        return "6.2"
        #endif
    }()
}
