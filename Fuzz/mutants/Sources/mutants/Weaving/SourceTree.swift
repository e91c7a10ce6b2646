import Foundation

/// The files of the package as they are now: those that git tracks and those that it would add.
struct SourceTree: Sendable {
    let root: String
    /// The paths of the files, relative to the root.
    let files: [String]

    init(root: String) throws {
        self.root = root
        let listing = try Command.output(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        files = listing.split(separator: "\0").map(String.init).filter {
            FileManager.default.fileExists(atPath: "\(root)/\($0)")
        }.sorted()
    }

    /// The Swift files below `folder`.
    func sources(in folder: String) -> [String] {
        files.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".swift") }
    }

    func text(_ file: String) throws -> String { try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8) }

    /// The last commit that changed one of `folders`, and whether files there differ from it.
    func revision(of folders: [String]) throws -> String {
        let git = ["git", "-C", root]
        let commit = try Command.output(git + ["log", "-1", "--format=%h", "--abbrev=10", "--"] + folders)
        let changes = try Command.output(git + ["status", "--porcelain", "--"] + folders)
        return commit.filter { !$0.isNewline } + (changes.isEmpty ? "" : " with local changes")
    }
}
