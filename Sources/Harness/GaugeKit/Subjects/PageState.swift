import Foundation
import Platform

/// The state of the pages of a subject's files before an operation is timed.
///
/// A benchmark that writes continuously finds its pages dirty, and so cheap to write again. In an application that
/// stores now and then, the kernel has written them back by then. The same goes for reading.
@usableFromInline package enum PageState: Hashable, Sendable {
    /// As the earlier operations left them.
    case asLeft
    /// On the disk, and clean in the page cache.
    case writtenBack
    /// On the disk only.
    case dropped

    /// With more files than this, one `sync` writes back everything, instead of one call per file.
    private static let mostFiles = 64

    /// Brings all files below a directory into the state.
    ///
    /// - Throws: ``GaugeError`` that names the file and the failed operation.
    @usableFromInline
    package func bring(_ directory: String) throws {
        guard self != .asLeft else { return }
        let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        let areMany = names.count > Self.mostFiles
        if areMany { sync() }
        if areMany, self == .writtenBack { return }
        for name in names {
            let path = directory + "/" + name
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw GaugeError("\(path) cannot be opened: \(SystemError.last)") }
            defer { close(descriptor) }
            var information = stat()
            guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { continue }
            let code = areMany ? 0 : synchronizeFileData(descriptor)
            guard code == 0 else { throw GaugeError("\(path) cannot be written back: \(SystemError(code: code))") }
            guard self == .dropped else { continue }
            let refusal = dropCachedPages(descriptor)
            guard refusal == 0 else {
                throw GaugeError(
                    "\(path) cannot be dropped from memory: \(SystemError(code: refusal)); leave the row out")
            }
        }
    }
}
