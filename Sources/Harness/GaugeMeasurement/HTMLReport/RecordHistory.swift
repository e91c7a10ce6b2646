import Foundation
import GaugeSupport
import Platform

/// The records that a path names: a file, the files of a folder, or the versions of a file that git keeps.
package enum RecordHistory {
    package typealias Record = (name: String, document: ResultDocument)

    package static let mostVersions = 50
    /// The largest record that is read out of git, bytes.
    private static let mostBytes = 64 << 20

    /// A file, or a folder's files whose names end in `.json`, in the order of their dates. A file that is no result is
    /// an error.
    package static func records(at path: String) throws -> [Record] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [(path, try ResultDocument(path: path))]
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }.sorted()
        guard !files.isEmpty else {
            throw GaugeError("\(path) has no file that ends in .json; name a folder of files that run --json wrote")
        }
        let records = try files.map { ("\(path)/\($0)", try ResultDocument(path: "\(path)/\($0)")) }
        // Stable: files without a date stay in the order of their names, before the others.
        return records.enumerated().sorted {
            ($0.element.1.date, $0.offset) < ($1.element.1.date, $1.offset)
        }.map(\.element)
    }

    /// The versions of a file in the history of its repository, the oldest first, named by date and commit.
    ///
    /// - Parameter warn: called with the reason for each version that is left out, since it is no result. If all are,
    ///   that of the newest is thrown.
    package static func versions(
        of path: String, interruption: Interruption?, warn: (String) -> Void
    ) throws -> [Record] {
        // Of a link, the file that it names has the history.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let (folder, name) = (file.deletingLastPathComponent().path, file.lastPathComponent)
        let git = try Tool("git", purpose: "versions are read")
        let log = try git.run(
            ["-C", folder, "log", "--format=%H %cs", "-n", "\(mostVersions)", "--", ":(literal)\(name)"],
            interruption: interruption)
        let commits = log.output.split(separator: "\n")
        guard log.status == 0, !commits.isEmpty else {
            throw GaugeError("git knows no version of \(path); commit it, or leave out --history")
        }
        var fault: GaugeError?
        let versions = try commits.reversed().compactMap { line -> Record? in
            let words = line.split(separator: " ")
            guard words.count == 2 else { return nil }
            let shown = try git.run(
                ["-C", folder, "show", "\(words[0]):./\(name)"], keeping: mostBytes, interruption: interruption)
            // The commit may have removed it.
            guard shown.status == 0 else { return nil }
            let title = "\(words[1]) \(words[0].prefix(8))"
            do {
                return (title, try ResultDocument(bytes: Data(shown.output.utf8), name: "\(path) of \(title)"))
            } catch let error as GaugeError {
                fault = error
                warn("\(error)")
                return nil
            }
        }
        if versions.isEmpty, let fault { throw fault }
        return versions
    }
}

extension ResultDocument {
    /// When the run was, in a form whose order is that of time; empty if unknown.
    fileprivate var date: String {
        if case .run(let context, _) = self { return context["date"]?.string ?? "" }
        return ""
    }
}
