/// The file of a download, in the temporary directory.
///
/// `@unchecked Sendable`: `handle`, a constant, is used by one task alone, whose loading makes the file, or opens the one that
/// resume data names with a handle of its own.
final class DownloadFile: @unchecked Sendable {
    private static let prefix = "CachingSession-"
    private static let suffix = ".download"

    let url: URL
    private let handle: FileHandle

    /// A new file, which nobody else can read.
    ///
    /// - Throws: `cannotCreateFile`.
    init() throws {
        url = Self.directory.appendingPathComponent("\(Self.prefix)\(UUID().uuidString)\(Self.suffix)")
        let isMade = FileManager.default.createFile(
            atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let handle = try? FileHandle(forWritingTo: url) else {
            throw URLError(
                .cannotCreateFile, url: "", "\(url.path) cannot be made; set TMPDIR to a directory that can be written")
        }
        self.handle = handle
    }

    /// The file of a download that broke off; `nil` if it is gone, or too short.
    ///
    /// - Parameters:
    ///   - name: from outside.
    ///   - byteCount: what is beyond it is dropped.
    init?(named name: String, byteCount: Int64) {
        let middle = name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)
        guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix), UUID(uuidString: String(middle)) != nil else {
            return nil
        }
        url = Self.directory.appendingPathComponent(name)
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = (attributes?[.size] as? NSNumber)?.int64Value, size >= byteCount, byteCount >= 0,
            let handle = try? FileHandle(forUpdating: url)
        else { return nil }
        do {
            try handle.truncate(atOffset: UInt64(byteCount))
            try handle.seekToEnd()
        } catch {
            return nil
        }
        self.handle = handle
    }

    func write(_ data: Data) throws { try handle.write(contentsOf: data) }

    /// Drops what is in it.
    func empty() throws { try handle.truncate(atOffset: 0) }

    func close() { try? handle.close() }

    func remove() { try? FileManager.default.removeItem(at: url) }

    private static var directory: URL { URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true) }
}
