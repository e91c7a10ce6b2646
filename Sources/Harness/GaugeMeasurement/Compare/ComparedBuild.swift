import Foundation
import GaugeSupport

/// An executable on one side of a comparison: a file, the working tree, or a revision.
///
/// Each is copied into its own directory, with paths of equal length (see `GateBuilds`).
package struct ComparedBuild {
    package let title: String
    package let executable: String

    package func arm(_ benchmark: String) -> Arm { Arm(title: title, executable: executable, benchmark: benchmark) }

    package enum Source: Equatable, Sendable {
        /// An executable file whose main is `Gauge.main`.
        case executable(path: String)
        /// The package in the current directory, in its current state.
        case workingTree
        /// A commit, branch or tag.
        case revision(String)
    }

    /// Copies or builds an executable; building may take minutes.
    ///
    /// - Parameters:
    ///   - name: four letters: the copy's directory.
    ///   - recipe: builds the working tree and revisions, all with the same flags.
    ///   - directory: for the worktree, the build and the copy.
    /// - Throws: `UsageError` for an unknown revision; `GaugeError`; `Interrupted`.
    package init(
        _ source: Source, named name: String, recipe: ProductBuild, package: String, directory: TemporaryDirectory,
        interruption: Interruption?
    ) throws {
        switch source {
        case .executable(let path):
            title = path
            executable = try GateBuilds.copy(path, named: name, to: directory)
        case .workingTree:
            title = "the working tree"
            let built = try recipe.build(
                package: package, scratch: AlignedCode.scratch(of: package), title: title, in: directory,
                interruption: interruption)
            executable = try GateBuilds.copy(built, named: name, to: directory)
        case .revision(let revision):
            let repository = try Repository(around: package, interruption: interruption)
            let commit = try repository.commit(revision)
            title = "\(revision), \(commit.prefix(12))"
            // The worktree is registered under a name by which a later process finds and removes it.
            let place = try TemporaryDirectory(in: directory.path)
            let worktree = try Worktree(of: commit, in: repository, directory: place, interruption: interruption)
            defer {
                worktree.remove()
                place.remove()
            }
            let built = try recipe.build(
                package: repository.package(in: worktree.path), scratch: "\(place.path)/build", title: title,
                in: directory, interruption: interruption)
            executable = try GateBuilds.copy(built, named: name, to: directory)
        }
    }
}
