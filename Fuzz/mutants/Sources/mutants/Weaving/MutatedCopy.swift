import Foundation

/// A copy of the package with the mutants woven in. The package is only read.
struct MutatedCopy {
    let tree: SourceTree
    /// The folder of the copy.
    let root: String

    /// The copy's addition to the package's manifest: the switch, which every changed module depends on.
    private static let manifestAddition = """

        // Added to the copy that holds the mutants.
        package.targets.append(.target(name: "Mutation"))
        for target in package.targets where [\(Modules.all.map { "\"\(Modules.name(of: $0))\"" }.joined(separator: ", "))]
            .contains(target.name)
        {
            target.dependencies.append("Mutation")
        }

        """

    /// Brings the copy up to date. Unchanged files aren't written, so that the next build is short.
    func write(_ mutants: [Mutant]) throws {
        let byFile = Dictionary(grouping: mutants, by: \.site.file)
        for file in tree.files where !file.hasPrefix("Fuzz/mutants/") && !file.hasPrefix("results/") {
            let source = URL(filePath: "\(tree.root)/\(file)")
            if let mutants = byFile[file] {
                try write(Data(Schema.weave(mutants, into: tree.text(file)).utf8), to: file)
            } else if file == "Package.swift" {
                try write(Data((tree.text(file) + Self.manifestAddition).utf8), to: file)
            } else {
                try write(Data(contentsOf: source), to: file, permissionsOf: source.path)
            }
        }
        for part in ["include/mutation.h", "mutation.c"] {
            let source = URL(filePath: "\(tree.root)/Fuzz/mutants/Mutation/\(part)")
            try write(Data(contentsOf: source), to: "Sources/Mutation/\(part)")
        }
    }

    private func write(_ contents: Data, to file: String, permissionsOf model: String? = nil) throws {
        let path = URL(filePath: "\(root)/\(file)")
        if let present = try? Data(contentsOf: path), present == contents { return }
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: path)
        if let model, let permissions = try FileManager.default.attributesOfItem(atPath: model)[.posixPermissions] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path.path)
        }
    }
}

/// The package's files as they are now: those that git tracks and those that it would add.
struct SourceTree: Sendable {
    let root: String
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
