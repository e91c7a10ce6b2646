import Foundation
import Platform

/// What the kernel has done with the pages of a subject's files before an operation is timed.
///
/// A benchmark that writes all the time finds its pages dirty, and so cheap to write again; in an application that stores
/// now and then they have been written back by the time they are written again. The same goes for reading.
public enum PageState: Hashable, Sendable {
    /// Whatever the operations before have left.
    case asLeft
    /// On the disk, and clean in the page cache.
    case writtenBack
    /// On the disk alone.
    case dropped

    /// Above so many files everything that the system has is written back at once, not each file.
    private static let mostFiles = 64

    /// Brings all files below a directory into the state.
    ///
    /// - Throws: ``GaugeError`` naming the file and what could not be done to it.
    @usableFromInline
    func bring(_ directory: String) throws {
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
