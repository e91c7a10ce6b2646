#if !canImport(Darwin)
import Platform
import Testing

@testable import CacheTiers

@Suite("Cold reads from the disk tier")
struct ColdReadTests {
    static let byteCount = 1 << 20
    let directory = TemporaryDirectory()

    /// A file whose pages are on the disk alone; nil on a file system that keeps all its pages in memory.
    private func coldFile() throws -> Int32? {
        let descriptor = open(directory.logPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        let bytes = [UInt8](repeating: 7, count: Self.byteCount)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        try #require(synchronizeFileData(descriptor) == 0)
        try #require(dropCachedPages(descriptor) == 0)
        return residentBytes(descriptor) == 0 ? descriptor : nil
    }

    private func residentBytes(_ descriptor: Int32) -> Int {
        guard let start = mapForReading(descriptor, byteCount: Self.byteCount) else { return 0 }
        defer { munmap(start, Self.byteCount) }
        return stride(from: 0, to: Self.byteCount, by: 4096).count { isResident(start + $0, byteCount: 4096) } * 4096
    }

    @Test("A cold record is read by a call, without the pages around it")
    func coldRecord() throws {
        guard let descriptor = try coldFile() else { return }
        let storage = FileStorage(descriptor: descriptor)
        var record = [UInt8](repeating: 0, count: 4096)
        // The first read makes the mapping; by then the record at the end could be read from it.
        for offset in [0, 600 << 10] {
            let count = try record.withUnsafeMutableBytes { try storage.readFromMemory(at: offset, into: $0) }
            #expect(count == 4096)
        }
        #expect(record.allSatisfy { $0 == 7 })
        #expect(residentBytes(descriptor) <= 64 << 10, "a fault on the mapping would have read 128 KiB")
    }

    @Test("A mapping copies what is in memory, and nothing else")
    func residency() throws {
        guard let descriptor = try coldFile() else { return }
        defer { close(descriptor) }
        let mapping = FileMapping()
        mapping.extend(over: Self.byteCount, of: descriptor)
        var record = [UInt8](repeating: 0, count: 10_000)
        #expect(!record.withUnsafeMutableBytes { mapping.copy(from: 5_000, into: $0) })
        try #require(pread(descriptor, &record, 10_000, 5_000) == 10_000)
        record = [UInt8](repeating: 0, count: 10_000)
        #expect(record.withUnsafeMutableBytes { mapping.copy(from: 5_000, into: $0) })
        #expect(record.allSatisfy { $0 == 7 })
    }

    @Test("After 8,193 copies without a check a mapping notices that it has become cold")
    func relapse() throws {
        guard let descriptor = try coldFile() else { return }
        defer { close(descriptor) }
        let mapping = FileMapping()
        mapping.extend(over: Self.byteCount, of: descriptor)
        var byte: [UInt8] = [0]
        try #require(pread(descriptor, &byte, 1, 0) == 1)
        // The first 64 are checked.
        for _ in 0..<64 + 8193 { try #require(byte.withUnsafeMutableBytes { mapping.copy(from: 0, into: $0) }) }
        try #require(dropCachedPages(descriptor) == 0)
        #expect(!byte.withUnsafeMutableBytes { mapping.copy(from: 0, into: $0) })
    }
}
#endif
