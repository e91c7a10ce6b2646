import Testing

@testable import GaugeMeasurement

@Suite("Size of a batch") struct BatchSizeTests {
    /// A size that was just changed to 16 operations, with a target of 1,000 ns.
    private var sixteen: BatchSize {
        var batch = BatchSize(target: 1_000)
        batch.adjust(nanoseconds: 1)
        return batch
    }

    @Test("the first batch has one operation, and a batch grows at most sixteenfold") func growth() {
        #expect(BatchSize(target: 1_000).operations == 1 && !BatchSize(target: 1_000).isCalibrated)
        #expect(sixteen.operations == 16 && !sixteen.isCalibrated)
        for (nanoseconds, operations) in [(0, 256), (62, 256), (63, 253), (399, 40)] as [(UInt64, Int)] {
            var batch = sixteen
            batch.adjust(nanoseconds: nanoseconds)
            #expect(batch.operations == operations && !batch.isCalibrated, "\(nanoseconds)")
        }
    }

    @Test("from two fifths of the target to four times the target a batch stays as it is") func kept() {
        for nanoseconds in [400, 1_000, 4_000] as [UInt64] {
            var batch = sixteen
            batch.adjust(nanoseconds: nanoseconds)
            #expect(batch.operations == 16 && batch.isCalibrated, "\(nanoseconds)")
        }
        for (nanoseconds, operations) in [(4_001, 3), (16_000, 1), (1 << 60, 1)] as [(UInt64, Int)] {
            var batch = sixteen
            batch.adjust(nanoseconds: nanoseconds)
            #expect(batch.operations == operations && !batch.isCalibrated, "\(nanoseconds)")
        }
    }

    @Test("one operation is never too long, and a batch never has more than the most") func ends() {
        var batch = BatchSize(target: 1_000)
        batch.adjust(nanoseconds: 1 << 60)
        #expect(batch.operations == 1 && batch.isCalibrated)
        batch = BatchSize(target: 1_000)
        var rounds = 0
        while !batch.isCalibrated, rounds < 100 {
            batch.adjust(nanoseconds: 0)
            rounds += 1
        }
        #expect(batch.operations == BatchSize.most && rounds == 11)
    }
}
