#if canImport(Glibc)
import Platform
import Testing

@Suite struct CacheLinesTests {
    @Test(
        "memory that is alone begins at a pair of cache lines, and has whole pairs of them",
        arguments: [(1, 128), (127, 128), (128, 128), (129, 256), (256, 256), (257, 384), (1_281, 1_408)])
    func pairs(count: Int, bytes: Int) throws {
        let usable = try DynamicLibrary(["libc.so.6"]).function(
            "malloc_usable_size", as: (@convention(c) (UnsafeMutableRawPointer) -> Int).self)
        let memory = UnsafeMutablePointer<UInt8>.allocateAlone(count: count)
        defer { memory.deallocateAlone() }
        #expect(UInt(bitPattern: memory) % 128 == 0)
        // The allocator gives as much as it was asked for, or a little more.
        #expect((bytes..<bytes + 128).contains(usable(memory)))
    }
}
#endif
