#if !canImport(Darwin)
import CSupport
import Dispatch
import Platform
import Synchronization
import Testing

/// A file of 16 KiB of sevens, mapped with room to spare.
///
/// `@unchecked Sendable`: constants; the bytes at `start` are only read.
private struct MappedFile: @unchecked Sendable {
    let directory = TemporaryDirectory()
    let descriptor: Int32
    let start: UnsafeMutableRawPointer

    init() throws {
        descriptor = open(directory.logPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let bytes = [UInt8](repeating: 7, count: 16 << 10)
        try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
        start = try #require(mapForReading(descriptor, byteCount: 1 << 20))
    }

    func close() {
        munmap(start, 1 << 20)
        _ = Platform.close(descriptor)
    }

    /// The bytes, if they could be copied.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        let isCopied = bytes.withUnsafeMutableBytes { target in
            target.baseAddress.map { cs_copy_guarded($0, start + range.lowerBound, range.count) } ?? false
        }
        return isCopied ? bytes : nil
    }
}

/// Copying from mapped files that others cut short.
@Suite struct GuardedCopyTests {
    @Test("what a mapped file has is copied; what it lost is said to be missing, each time, until it is there again")
    func lostAndFound() throws {
        try #require(cs_guard_copies())
        let file = try MappedFile()
        defer { file.close() }
        #expect(file.bytes(8_000..<13_000)?.allSatisfy { $0 == 7 } == true)
        try #require(ftruncate(file.descriptor, 4_096) == 0)
        for _ in 0..<3 {
            #expect(file.bytes(8_000..<13_000) == nil)
            // It begins where there is something.
            #expect(file.bytes(0..<5_000) == nil)
            #expect(file.bytes(0..<4_096)?.allSatisfy { $0 == 7 } == true)
        }
        try #require(ftruncate(file.descriptor, 16 << 10) == 0)
        #expect(file.bytes(8_000..<13_000)?.allSatisfy { $0 == 0 } == true)
    }

    @Test("on several threads at once each learns of its own") func manyThreads() throws {
        try #require(cs_guard_copies())
        let file = try MappedFile()
        defer { file.close() }
        try #require(ftruncate(file.descriptor, 8_192) == 0)
        let wrong = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for step in 0..<2_000 {
                let isThere = (thread + step) % 2 == 0
                let bytes = file.bytes(isThere ? 0..<8_000 : 8_000..<9_000)
                if (bytes != nil) != isThere { wrong.wrappingAdd(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test("a bus error from elsewhere goes to whoever handled it before") func passedOn() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGBUS) { _ in _exit(7) }
            let file = try MappedFile()
            try #require(cs_guard_copies())
            try #require(ftruncate(file.descriptor, 0) == 0)
            #expect(file.bytes(0..<100) == nil)
            print(file.start.load(as: UInt8.self))
        }
    }

    @Test("one that nobody handled ends the process, as it would have") func fatal() async {
        await #expect(processExitsWith: .signal(SIGBUS)) {
            signal(SIGBUS, SIG_DFL)
            let file = try MappedFile()
            try #require(cs_guard_copies())
            try #require(ftruncate(file.descriptor, 0) == 0)
            print(file.start.load(as: UInt8.self))
        }
    }
}
#endif
