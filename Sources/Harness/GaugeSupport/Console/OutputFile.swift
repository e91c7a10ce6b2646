import Foundation
import Platform

/// A file that a command writes when its work is done.
///
/// Whether it can be written is checked before the work, so no result is lost. An earlier file stays until the new one
/// is whole.
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

    package var exists: Bool { access(path, F_OK) == 0 }

    /// Replaces the file's content.
    ///
    /// - Throws: `GaugeError`, e.g. because the disk is full.
    package func write(_ text: String) throws {
        let (mode, isReplaced) = replacement
        // Shorter than some names, so that it fits wherever they do.
        let beside = "\(path.lastIndex(of: "/").map { path[...$0] } ?? "").unfinished-\(getpid())"
        let target = isReplaced ? beside : path
        // A link of that name, which another may have made in a shared folder, isn't followed.
        let links = isReplaced ? O_NOFOLLOW : 0
        let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | links, 0o666)
        guard descriptor >= 0 else { throw failure(SystemError.last) }
        defer { close(descriptor) }
        do throws(SystemError) {
            try writeAll(text.utf8, to: descriptor)
            guard isReplaced else { return }
            if let mode { fchmod(descriptor, mode) }
            guard rename(target, path) == 0 else { throw SystemError.last }
        } catch {
            if isReplaced { unlink(target) }
            throw failure(error)
        }
    }

    /// The access rights of the file that is there, and whether another file may take its place: of a device, a pipe or
    /// a link the content is written.
    private var replacement: (mode: mode_t?, isReplaced: Bool) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var information = stat()
        guard lstat(path, &information) == 0 else { return (nil, errno == ENOENT && access(folder, W_OK) == 0) }
        let isPlain = information.st_mode & S_IFMT == S_IFREG && information.st_nlink == 1
        return (
            information.st_mode & 0o7777,
            isPlain && information.st_uid == geteuid() && access(folder, W_OK | X_OK) == 0
        )
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
