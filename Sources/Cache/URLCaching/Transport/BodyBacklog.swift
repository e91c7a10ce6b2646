// Invariant of the pointers: a buffer has room for the `wanted` bytes that `pread` is given, and `pread` says how many
// it has set. Bytes to write are lent for one call.

import Platform

/// The received bytes of a body not read yet: the first in memory, all others in a temporary file.
///
/// URLSession on Linux cannot be told to wait: a suspended task starts its transfer again, and its one work queue
/// serves every session of the process. So what comes faster than it is read must go somewhere, and memory must not
/// grow with it.
struct BodyBacklog: ~Copyable {
    /// How many bytes are kept in memory.
    static let window = 256 << 10

    private let longest: Int64
    private var chunks: [[UInt8]] = []
    private var taken = 0
    private var inMemory = 0
    private var file: SpillFile?

    /// - Parameter longest: how many bytes may wait; beyond that `append` throws.
    init(longest: Int64) { self.longest = longest }

    /// Adds bytes.
    ///
    /// - Throws: `dataLengthExceedsMaximum` if too many wait, or why the file cannot be written.
    mutating func append(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        if file == nil, inMemory + bytes.count <= Self.window || inMemory == 0 {
            chunks.append(bytes)
            inMemory += bytes.count
            return
        }
        if file == nil { file = try SpillFile() }
        guard let file, Int64(inMemory) + file.waiting + Int64(bytes.count) <= longest else {
            throw URLError(
                .dataLengthExceedsMaximum,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "the body is \(longest) bytes ahead of its reader; read faster, or raise longestBacklog"
                ])
        }
        try file.append(bytes)
    }

    /// Takes the next bytes; `nil` if none wait.
    ///
    /// - Throws: why the file cannot be read.
    mutating func next() throws -> [UInt8]? {
        if taken < chunks.count {
            let chunk = chunks[taken]
            // A reader that never catches up wholly would keep all of the body.
            chunks[taken] = []
            taken += 1
            inMemory -= chunk.count
            if taken == chunks.count {
                chunks = []
                taken = 0
            }
            return chunk
        }
        guard let bytes = try file?.next() else { return nil }
        // A reader that has caught up continues in memory.
        if file?.waiting == 0 { file = nil }
        return bytes
    }
}

/// Bytes in order of arrival, in a file without a name that goes with its descriptor.
private final class SpillFile {
    private let descriptor: Int32
    private var written: Int64 = 0
    private var read: Int64 = 0

    init() throws {
        let directory = FileManager.default.temporaryDirectory.path
        let path = "\(directory)/body-\(UUID().uuidString)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError.last }
        unlink(path)
    }

    deinit { close(descriptor) }

    var waiting: Int64 { written - read }

    func append(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError.last }
            done += count
            written += Int64(count)
        }
    }

    func next() throws -> [UInt8]? {
        guard waiting > 0 else { return nil }
        let wanted = Int(min(waiting, 64 << 10))
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
                count = pread(descriptor, buffer.baseAddress, wanted, off_t(read))
                initialized = max(count, 0)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError.last }
            read += Int64(count)
            return bytes
        }
    }
}
