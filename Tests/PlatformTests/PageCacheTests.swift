import Testing

@testable import Platform

/// The calls on a file's pages, tried on a file that is removed at once.
@Suite(.enabled(if: access("/proc/self/maps", R_OK) == 0)) struct PageCacheTests {
    private static func size(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
    }

    @Test(
        "bytes are laid out as zeros from the first to the last, and none beyond",
        arguments: [(0, 0), (0, 1), (5, 65_536), (65_535, 65_537), (10, 200_001)])
    func laidOut(start: Int, end: Int) throws {
        try withTemporaryFile { descriptor in
            try #require(pwrite(descriptor, "abcdefghij", 10, 0) == 10)
            #expect(layOutCachedPages(descriptor, from: start, to: end) == 0)
            #expect(Self.size(descriptor) == max(10, end))
            var bytes = [UInt8](repeating: 1, count: max(10, end))
            #expect(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
            let kept = Array("abcdefghij".utf8)
            for (index, byte) in bytes.enumerated() where byte != 0 {
                #expect(index < 10 && byte == kept[index] && !(start..<end).contains(index), "byte \(index)")
            }
        }
        #expect(layOutCachedPages(-1, from: 0, to: 1) == EBADF)
    }

    @Test("memory of a mapping counts as resident when all of it is, beyond the first 1,024 pages too")
    func resident() throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let (touched, all) = (1_024 * page, 1_100 * page)
        try withTemporaryFile { descriptor in
            // A hole has no pages until it is read.
            try #require(ftruncate(descriptor, off_t(all)) == 0)
            let start = try #require(mapForReading(descriptor, byteCount: all))
            defer { munmap(start, all) }
            madvise(start, all, MADV_RANDOM)
            for offset in stride(from: 0, to: touched, by: page) {
                _ = start.load(fromByteOffset: offset, as: UInt8.self)
            }
            #expect(isResident(start, byteCount: touched))
            #expect(!isResident(start, byteCount: all))
            #expect(!isResident(start + touched - 1, byteCount: 2))
            // An address within a page.
            #expect(isResident(start + 100, byteCount: 10) && isResident(start + page - 1, byteCount: 2))
            for offset in stride(from: touched, to: all, by: page) {
                _ = start.load(fromByteOffset: offset, as: UInt8.self)
            }
            #expect(isResident(start, byteCount: all))
        }
    }

    @Test("the pages of one mapped file are dropped, and another mapped file keeps its own")
    func otherMapping() throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        try withTemporaryFile { one in
            try withTemporaryFile { other in
                for descriptor in [one, other] { try #require(layOutCachedPages(descriptor, from: 0, to: page) == 0) }
                let start = try #require(mapForReading(other, byteCount: page))
                defer { munmap(start, page) }
                #expect(start.load(as: UInt8.self) == 0)
                #expect(dropCachedPages(one) == 0 && isResident(start, byteCount: page))
            }
        }
    }

    @Test("a file that is no file cannot be mapped, nor its pages dropped") func refused() throws {
        #expect(mapForReading(-1, byteCount: 4_096) == nil)
        #expect(dropCachedPages(-1) == EBADF)
        try withTemporaryFile { #expect(mappingProblem($0) == 0 && dropCachedPages($0) == 0) }
        let null = open("/proc/self/status", O_RDONLY)
        defer { close(null) }
        #expect(mappingProblem(null) != 0, "a file of /proc has no pages")
    }
}
