import Platform
import Testing

@Suite struct FileSpaceTests {
    @Test(
        "a file grows to the length wanted, keeps its bytes and has room for all",
        arguments: [(10, 100_000), (70_000, 70_001)])
    func reserving(from length: Int, to wanted: Int) throws {
        try withTemporaryFile { descriptor in
            try #require(ftruncate(descriptor, off_t(length)) == 0 && pwrite(descriptor, "abc", 3, 0) == 3)
            #expect(reserveFileSpace(descriptor, from: length, to: wanted) == 0)
            var status = stat()
            #expect(fstat(descriptor, &status) == 0 && Int(status.st_size) == wanted)
            var bytes = [UInt8](repeating: 1, count: 4)
            #expect(pread(descriptor, &bytes, 4, 0) == 4 && bytes == Array("abc\0".utf8))
            #expect(synchronizeFileData(descriptor) == 0)
        }
    }

    @Test("an error is named, not left out") func errors() {
        #expect(reserveFileSpace(-1, from: 0, to: 1) == EBADF && synchronizeFileData(-1) == EBADF)
    }
}
