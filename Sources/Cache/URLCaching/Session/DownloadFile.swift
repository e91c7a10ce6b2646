import Foundation

/// A download's file in the temporary directory. One task writes it, at the place where its handle is.
final class DownloadFile: Sendable {
    private static let prefix = "CachingSession-"
    private static let suffix = ".download"

    let url: URL
    private let handle: FileHandle

    /// A new file, which nobody else can read.
    ///
    /// - Throws: `cannotCreateFile`.
    init() throws {
        url = Self.directory.appendingPathComponent("\(Self.prefix)\(UUID().uuidString)\(Self.suffix)")
        guard let handle = Self.opened(url, O_WRONLY | O_CREAT | O_EXCL) else {
            throw URLError(
                .cannotCreateFile, url: "", "\(url.path) cannot be made; set TMPDIR to a directory that can be written")
        }
        self.handle = handle
    }

    /// The file of a download that broke off; `nil` if it is gone, or too short, and then it is removed. What is beyond
    /// `byteCount` is dropped. The name comes from outside.
    init?(named name: String, byteCount: Int64) {
        let middle = name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)
        guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix), UUID(uuidString: String(middle)) != nil else {
            return nil
        }
        url = Self.directory.appendingPathComponent(name)
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = (attributes?[.size] as? NSNumber)?.int64Value, byteCount >= 0
        else { return nil }
        guard size >= byteCount, let handle = Self.opened(url, O_RDWR) else {
            // Nothing else names it.
            if size < byteCount { try? FileManager.default.removeItem(at: url) }
            return nil
        }
        do {
            try handle.truncate(atOffset: UInt64(byteCount))
            try handle.seekToEnd()
        } catch {
            return nil
        }
        self.handle = handle
    }

    /// Programs that the application starts do not inherit it.
    private static func opened(_ url: URL, _ flags: Int32) -> FileHandle? {
        let descriptor = open(url.path, flags | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// What has been written.
    var byteCount: Int64 { (try? handle.offset()).map { Int64(clamping: $0) } ?? 0 }

    func write(_ data: Data) throws { try handle.write(contentsOf: data) }

    func empty() throws { try handle.truncate(atOffset: 0) }

    func close() { try? handle.close() }

    func remove() { try? FileManager.default.removeItem(at: url) }

    private static var directory: URL { URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true) }
}
