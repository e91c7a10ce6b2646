import Foundation

/// The files of the package as they are now: what git knows and what it would add.
struct SourceTree: Sendable {
    let root: String
    /// Paths from the root.
    let files: [String]

    init(root: String) throws {
        self.root = root
        let listing = try Command.output(
            "git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        files = listing.split(separator: "\0").map(String.init).filter {
            FileManager.default.fileExists(atPath: "\(root)/\($0)")
        }.sorted()
    }

    /// The Swift files below `folder`.
    func sources(in folder: String) -> [String] {
        files.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".swift") }
    }

    func text(_ file: String) throws -> String { try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8) }

    /// The commit, and whether files differ from it.
    var revision: String {
        get throws {
            let commit = try Command.output("git", "-C", root, "rev-parse", "--short=10", "HEAD").trimmingLineEnd
            let changes = try Command.output(
                "git", "-C", root, "status", "--porcelain", "--", "Sources", "Tests", "Fuzz")
            return changes.isEmpty ? commit : "\(commit) with local changes"
        }
    }
}

extension String {
    fileprivate var trimmingLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
