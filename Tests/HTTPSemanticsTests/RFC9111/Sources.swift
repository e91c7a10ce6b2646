import Foundation

/// Files of the repository, found by the path of this one at compile time.
enum Sources {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files below a folder, by path.
    static func of(_ folder: String) throws -> [String: String] {
        let directory = root.appending(path: folder)
        let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
        var sources: [String: String] = [:]
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            sources[file.path] = try text(file)
        }
        return sources
    }

    static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
