import CSupport
import Testing

@Suite("Blocks of memory that change their size") struct BlockTests {
    @Test("What fits stays as it was, in the heap, in pages and between the two", arguments: [16 << 10, Int.max])
    func resizing(leastInPages: Int) throws {
        var (block, size) = (UnsafeMutableRawPointer?.none, 0)
        defer { cs_block_free(block, size, leastInPages) }
        var kept = 0
        for wanted in [100, 10_000, 16 << 10, 100_000, 3 << 20, 70_000, 16 << 10, 9_000, 200_000, 10] {
            let resized: UnsafeMutableRawPointer = try #require(cs_block_resize(block, size, wanted, leastInPages))
            block = resized
            size = wanted
            kept = min(kept, size)
            let bytes = UnsafeMutableRawBufferPointer(start: block, count: size)
            #expect((0..<kept).allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0 &* 31) })
            for index in kept..<size { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
            kept = size
        }
    }
}
