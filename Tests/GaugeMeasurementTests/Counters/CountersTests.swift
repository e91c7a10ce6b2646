import Foundation
import Testing

@testable import GaugeMeasurement

/// Other tests of this process run meanwhile, and count too.
@Suite("Counters of the process") struct CountersTests {
    #if os(Linux)
    @Test("a write and a read count as calls, and a write with its bytes") func inputAndOutput() throws {
        let file = open("/dev/zero", O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 1, count: 1_000_000)
        let before = Counters.now(allocations: nil)
        for _ in 0..<40 {
            #expect(write(file, bytes, bytes.count) == bytes.count)
            #expect(read(file, &bytes, 10) == 10)
        }
        let change = Counters.now(allocations: nil).since(before)
        #expect(try #require(change.writtenBytes) >= 40_000_000)
        #expect(try #require(change.writeCalls) >= 40 && #require(change.readCalls) >= 40)
    }
    #endif

    @Test("each change is of its own counter, less the reading of the counters where that counts") func changes() {
        var before = Counters()
        (before.pageFaults, before.majorPageFaults, before.involuntarySwitches) = (1, 2, 3)
        (before.readCalls, before.writeCalls, before.writtenBytes) = (10, 20, 30)
        (before.storageBytes, before.callsUnderLock) = (40, 50)
        before.wakeUps = 80
        (before.allocations, before.allocatedBytes) = (60, 70)
        var after = Counters()
        (after.pageFaults, after.majorPageFaults, after.involuntarySwitches) = (101, 203, 306)
        (after.readCalls, after.writeCalls, after.writtenBytes) = (1_010, 2_020, 3_030)
        (after.storageBytes, after.callsUnderLock) = (4_040, 5_050)
        after.wakeUps = 8_088
        (after.allocations, after.allocatedBytes) = (6_060, 7_070)
        var itself = Counters()
        (itself.readCalls, itself.writtenBytes, itself.allocations, itself.allocatedBytes) = (1, 2, 3, 4)
        itself.wakeUps = 5
        let change = after.since(before, readingItself: itself)
        var expected = Counters()
        (expected.allocations, expected.allocatedBytes) = (5_997, 6_996)
        (expected.readCalls, expected.writeCalls, expected.writtenBytes) = (999, 2_000, 2_998)
        (expected.storageBytes, expected.callsUnderLock) = (4_000, 5_000)
        (expected.pageFaults, expected.majorPageFaults, expected.involuntarySwitches) = (100, 201, 303)
        expected.wakeUps = 8_003
        #expect(change == expected)
        // What one of two slices did not count is the other's.
        var other = Counters()
        (other.allocations, other.pageFaults, other.involuntarySwitches) = (3, 10, 20)
        var sum = expected
        (sum.allocations, sum.pageFaults, sum.involuntarySwitches) = (6_000, 110, 323)
        #expect(expected + other == sum && other + expected == sum)
        var least = expected
        (least.allocations, least.pageFaults, least.majorPageFaults, least.involuntarySwitches) = (3, 10, 0, 20)
        #expect(expected.least(other) == least && other.least(expected) == least)
        #expect(before.since(after).pageFaults == 0)
        sum.leaveOut(wakeUps: 3)
        #expect(sum.wakeUps == 8_000)
        sum.leaveOut(wakeUps: 9_000)
        #expect(sum.wakeUps == 0)
    }

    @Test("what the harness allocated while it paused is left out, and no more than there was") func pauses() {
        var change = Counters()
        (change.allocations, change.allocatedBytes, change.readCalls) = (10, 1_000, 7)
        var expected = change
        (expected.allocations, expected.allocatedBytes) = (6, 700)
        change.leaveOut(AllocationTotals(count: 4, bytes: 300))
        #expect(change == expected)
        change.leaveOut(AllocationTotals(count: 7, bytes: 701))
        #expect(change.allocations == 0 && change.allocatedBytes == 0 && change.readCalls == 7)
        var uncounted = Counters()
        uncounted.leaveOut(AllocationTotals(count: 4, bytes: 300))
        #expect(uncounted == Counters())
        let totals = AllocationTotals(count: 10, bytes: 1_000)
        #expect(totals.without(AllocationTotals(count: 4, bytes: 300)) == AllocationTotals(count: 6, bytes: 700))
    }

    #if os(Linux)
    @Test("the peak of resident memory is in bytes, and no less than what is resident now") func memory() throws {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        let resident = try #require(UInt64(fields[1])) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
        // The system counts the peak a little late.
        #expect(ResidentMemory.peak >= resident / 10 * 9)
    }

    @Test("what a thread reads is counted, and not what it writes") func readBytes() throws {
        let file = open("/dev/zero", O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 1, count: 1_000_000)
        let before = ExecutableCounters.readBytes()
        #expect(write(file, bytes, bytes.count) == bytes.count)
        #expect(read(file, &bytes, 1_000) == 1_000)
        let change = ExecutableCounters.readBytes() - before
        // The counter's own file is read, too.
        #expect((1_000..<100_000).contains(change), "\(change)")
    }
    #endif
}
