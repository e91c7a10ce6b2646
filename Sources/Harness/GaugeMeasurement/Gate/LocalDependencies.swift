import Foundation
import GaugeSupport

/// The packages that a build depends on by a path out of its repository, such as `../Other`, which no commit of it
/// holds.
struct LocalDependencies: Codable, Equatable {
    /// The git tree of each, by its path.
    private let trees: [String: String]

    /// - Parameters:
    ///   - scratch: the build directory.
    ///   - checkout: the repository's; what lies in it belongs to its commit.
    /// - Returns: `nil` if the package manager doesn't tell them, or one isn't as it was committed.
    init?(ofBuildIn scratch: String, checkout: String) {
        guard let data = FileManager.default.contents(atPath: "\(scratch)/workspace-state.json"),
            let workspace = try? JSONDecoder().decode(WorkspaceState.self, from: data)
        else { return nil }
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        let inside = "\(resolved(checkout))/"
        self.init(workspace.paths.map(resolved).filter { !"\($0)/".hasPrefix(inside) })
    }

    private init?(_ paths: [String]) {
        var trees: [String: String] = [:]
        for path in paths {
            func git(_ arguments: String...) -> String? {
                Tool.output(of: "git", ["--no-optional-locks", "-C", path] + arguments, within: 60)
            }
            guard git("status", "--porcelain", "--", ".") == "", let tree = git("rev-parse", "HEAD:./") else {
                return nil
            }
            trees[path] = tree
        }
        self.trees = trees
    }

    /// Whether they are still the same.
    var isCurrent: Bool { Self(Array(trees.keys)) == self }
}

/// What the package manager writes into the build directory: the dependencies, of which those with a path are neither
/// pinned nor downloaded.
private struct WorkspaceState: Decodable {
    private struct Object: Decodable { let dependencies: [Dependency] }
    private struct Dependency: Decodable { let state: State }
    private struct State: Decodable { let path: String? }

    private let object: Object

    var paths: [String] { object.dependencies.compactMap(\.state.path) }
}
