// Invariant of the pointers: the vector's bytes are lent for one call of `writev`, which only reads them.

import GaugeKit
import GaugeTraces
import Platform

/// A directory with one file per entry: the cache that a programmer would write without a library.
///
/// A body is written to a temporary file and renamed, so that no reader sees half of it. The file's name is a hash of
/// the URL; the URL itself is at its start, and compared on every hit. The order of use is kept in memory, and entries
/// beyond the capacity are unlinked. Nothing is synced. Starts empty.
final class FilesSubject: CacheSubject {
    static let name = "files"
    static let capabilities: SubjectCapabilities = [.disk, .capacity, .counters]

    private var lru: ExactLRU
    private let directory: String
    private var readBuffer = [UInt8](repeating: 0, count: 1 << 17)

    init(_ configuration: SubjectConfiguration) throws {
        directory = configuration.directory + "/files"
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw GaugeError("\(directory) cannot be made: \(SystemError.last)")
        }
        lru = ExactLRU(capacity: .bytes(configuration.diskCapacity, largest: configuration.diskCapacity / 20))
    }

    func key(for url: String) -> [UInt8] { Array(url.utf8) }

    func lookUp(_ key: [UInt8], _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        let id = URLHash.of(key)
        guard lru.lookUp(id) else { return .miss }
        let file = open(path(id), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return .miss }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else { return .miss }
        let count = Int(information.st_size)
        if readBuffer.count < count { readBuffer = [UInt8](repeating: 0, count: count) }
        return readBuffer.withUnsafeMutableBytes { buffer in
            guard Platform.read(file, buffer.baseAddress, count) == count,
                count >= key.count, key.elementsEqual(buffer[..<key.count])
            else { return .miss }
            read(UnsafeRawBufferPointer(rebasing: buffer[key.count..<count]))
            return .diskHit
        }
    }

    func store(_ body: UnsafeRawBufferPointer, for key: [UInt8]) throws -> Outcome {
        let id = URLHash.of(key)
        let aside = directory + "/aside"
        let file = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw GaugeError("\(aside) cannot be made: \(SystemError.last)") }
        let isWritten = key.withUnsafeBytes { key in
            var parts = [
                iovec(iov_base: UnsafeMutableRawPointer(mutating: key.baseAddress), iov_len: key.count),
                iovec(iov_base: UnsafeMutableRawPointer(mutating: body.baseAddress), iov_len: body.count),
            ]
            return writev(file, &parts, 2) == key.count + body.count
        }
        close(file)
        guard isWritten, rename(aside, path(id)) == 0 else {
            throw GaugeError("\(path(id)) cannot be written: \(SystemError.last)")
        }
        let evictions = lru.evictions
        lru.store(id, size: key.count + body.count) { unlink(path($0)) }
        if !lru.contains(id) { unlink(path(id)) }
        return lru.evictions > evictions ? .storeEvict : .store
    }

    func remove(_ key: [UInt8]) {
        let id = URLHash.of(key)
        lru.remove(id)
        unlink(path(id))
    }

    var usage: SubjectUsage { SubjectUsage(diskBytes: lru.bytes, diskEntries: lru.count) }
    var counters: [String: Int] { ["evictions": lru.evictions] }

    private func path(_ id: UInt64) -> String { directory + "/" + String(id, radix: 16) }
}
