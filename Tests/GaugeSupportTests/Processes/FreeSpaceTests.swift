import TestSupport
import Testing

@testable import GaugeSupport

@Suite("Free space") struct FreeSpaceTests {
    @Test("a directory has free bytes, and one that is not there has no number") func free() throws {
        let scratch = try ScratchDirectory()
        #expect(freeBytes(at: scratch.path).map { $0 > 0 } == true)
        #expect(freeBytes(at: "\(scratch.path)/missing") == nil)
    }
}
