import Foundation

/// A copy of the package with the mutants woven in. The package itself is only read.
struct MutatedCopy {
    let tree: SourceTree
    /// The folder of the copy.
    let root: String

    /// The addition to the package's manifest in the copy: the switch, on which every changed module depends.
    private static let manifestAddition = """

        // Added to the copy that holds the mutants.
        package.targets.append(.target(name: "Mutation"))
        for target in package.targets where [\(Modules.all.map { "\"\(Modules.name(of: $0))\"" }.joined(separator: ", "))]
            .contains(target.name)
        {
            target.dependencies.append("Mutation")
        }

        """

    /// Brings the copy up to date. Unchanged files are not written, so that the next build is short.
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
