import Foundation
import Platform

/// A file that a command writes when its work is done.
///
/// Whether it can be written is checked before the work, so no result is lost.
package struct OutputFile {
    package let path: String
    /// The advice at the end of an error: `name another file with --json`.
    private let remedy: String

    /// Creates no file, and changes none.
    ///
    /// - Throws: `GaugeError` if the file couldn't be written.
    package init(_ path: String, remedy: String) throws {
        (self.path, self.remedy) = (path, remedy)
        if let code = Self.obstacle(path) { throw failure(SystemError(code: code)) }
    }

    /// Replaces the file's content.
    ///
    /// - Throws: `GaugeError`, e.g. because the disk is full.
    package func write(_ text: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(SystemError.last) }
        defer { close(descriptor) }
        do {
            try writeAll(text.utf8, to: descriptor)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: SystemError) -> GaugeError {
        GaugeError("\(path.isEmpty ? "''" : path) cannot be written: \(error); \(remedy)")
    }

    /// The number of the error that writing would meet.
    private static func obstacle(_ path: String) -> Int32? {
        guard !path.isEmpty else { return ENOENT }
        guard !path.hasSuffix("/") else { return EISDIR }
        var information = stat()
        if stat(path, &information) == 0 {
            guard information.st_mode & S_IFMT != S_IFDIR else { return EISDIR }
            return access(path, W_OK) == 0 ? nil : errno
        }
        guard errno == ENOENT else { return errno }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return access(folder, W_OK | X_OK) == 0 ? nil : errno
    }
}
