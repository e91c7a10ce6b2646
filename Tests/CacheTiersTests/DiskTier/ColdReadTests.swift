#if !canImport(Darwin)
import Platform
import Testing

@testable import CacheTiers

/// A file of sevens whose pages are on the disk alone.
private enum ColdFile {
    static let byteCount = 1 << 20

    /// Whether files can be cold; a file system in memory keeps all its pages.
    static var isPossible: Bool {
        guard let descriptor = try? open(in: TemporaryDirectory()) else { return false }
        close(descriptor)
        return true
    }

    /// Its descriptor; nil if its pages stay in memory.
    static func open(in directory: TemporaryDirectory) throws -> Int32? {
        let descriptor = Platform.open(directory.logPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        let bytes = [UInt8](repeating: 7, count: byteCount)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        try #require(synchronizeFileData(descriptor) == 0)
        try #require(dropCachedPages(descriptor) == 0)
        return residentBytes(descriptor) == 0 ? descriptor : nil
    }

    static func residentBytes(_ descriptor: Int32) -> Int {
        guard let start = mapForReading(descriptor, byteCount: byteCount) else { return 0 }
        defer { munmap(start, byteCount) }
        return stride(from: 0, to: byteCount, by: 4096).count { isResident(start + $0, byteCount: 4096) } * 4096
    }
}

@Suite("Cold reads from the disk tier", .enabled(if: ColdFile.isPossible, "the file system keeps its pages in memory"))
struct ColdReadTests {
    let directory = TemporaryDirectory()

    private func coldFile() throws -> Int32 { try #require(try ColdFile.open(in: directory)) }

    @Test("A cold record is read by a call, without the pages around it") func coldRecord() throws {
        let descriptor = try coldFile()
        let storage = FileStorage(descriptor: descriptor)
        var record = [UInt8](repeating: 0, count: 4096)
        // The first read makes the mapping; by then the record at the end could be read from it.
        for offset in [0, 600 << 10] {
            let count = try record.withUnsafeMutableBytes { try storage.readFromMemory(at: offset, into: $0) }
            #expect(count == 4096)
        }
        #expect(record.allSatisfy { $0 == 7 })
        #expect(ColdFile.residentBytes(descriptor) <= 64 << 10, "a fault on the mapping would have read 128 KiB")
    }

    @Test("A mapping copies what is in memory, and nothing else") func residency() throws {
        let descriptor = try coldFile()
        defer { close(descriptor) }
        let mapping = FileMapping()
        mapping.extend(over: ColdFile.byteCount, of: descriptor)
        var record = [UInt8](repeating: 0, count: 10_000)
        #expect(!record.withUnsafeMutableBytes { mapping.copy(from: 5_000, into: $0) })
        try #require(pread(descriptor, &record, 10_000, 5_000) == 10_000)
        record = [UInt8](repeating: 0, count: 10_000)
        #expect(record.withUnsafeMutableBytes { mapping.copy(from: 5_000, into: $0) })
        #expect(record.allSatisfy { $0 == 7 })
    }

    @Test("After 8,193 copies without a check a mapping notices that it has become cold") func relapse() throws {
        let descriptor = try coldFile()
        defer { close(descriptor) }
        let mapping = FileMapping()
        mapping.extend(over: ColdFile.byteCount, of: descriptor)
        var byte: [UInt8] = [0]
        try #require(pread(descriptor, &byte, 1, 0) == 1)
        // The first 64 are checked.
        for _ in 0..<64 + 8193 { try #require(byte.withUnsafeMutableBytes { mapping.copy(from: 0, into: $0) }) }
        try #require(dropCachedPages(descriptor) == 0)
        #expect(!byte.withUnsafeMutableBytes { mapping.copy(from: 0, into: $0) })
    }
}
#endif
