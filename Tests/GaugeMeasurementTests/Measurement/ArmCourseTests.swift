import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("What all operations of a process cost") struct ArmCourseTests {
    private static func slice(
        _ costs: [UInt64], probes: [UInt64]? = nil, operations: Int = 100, rest: UInt64 = 0
    ) -> SliceReply {
        var report = SliceReply()
        (report.batches, report.batchCPU, report.batchOperations) = (costs.map { $0 + 7 }, costs, operations)
        report.operations = operations * costs.count
        report.probes = probes ?? Array(repeating: 5_000, count: costs.count + 1)
        report.restNanoseconds = rest
        return report
    }

    @Test("the mean is all processor time over all operations, with that of background threads between the slices")
    func mean() throws {
        let slices = [Self.slice([1_000, 1_000, 5_000]), Self.slice([1_000, 1_000, 1_000], rest: 600)]
        let course = try #require(ArmCourse(slices, speed: nil))
        #expect(course.mean == 17.67 || abs((course.mean ?? 0) - 10_600.0 / 600) < 1e-9)
        #expect(course.operations == 600)
        #expect(course.pause == 4_000 && course.bursts == 0)
    }

    @Test("what the first batch of a slice usually takes more is the harness's, and a burst in one is not")
    func cold() throws {
        let slices = (0..<9).map { Self.slice([$0 == 4 ? 5_001_500 : 1_500, 1_000, 1_000]) }
        let course = try #require(ArmCourse(slices, speed: nil))
        #expect(abs((course.mean ?? 0) - (27_000.0 + 5_000_000) / 2_700) < 1e-9)
        #expect(course.pause == 5_000_000 && course.bursts == 1)
    }

    @Test("only batches count whose probe before them was at full speed, unless these are few") func speed() throws {
        // The second probe is slow: the second batch does not count, and the first does although it ends in the slow
        // mode.
        let slow = Self.slice([1_000, 1_600, 1_000, 1_000], probes: [5_000, 8_000, 5_000, 5_000, 5_000])
        let slices = [slow, Self.slice([1_000, 1_000, 1_000, 1_000])]
        let speed = try #require(FullSpeed(of: slices))
        #expect(ArmCourse(slices, speed: speed)?.mean == 10)
        let rare = (0..<5).map { number in
            Self.slice([number == 0 ? 1_000 : 1_600], probes: [number == 0 ? 5_000 : 8_000, 8_000])
        }
        let course = try #require(ArmCourse(rare, speed: FullSpeed(of: rare)))
        #expect(abs((course.mean ?? 0) - 7_400.0 / 500) < 1e-9)
    }

    @Test("pauses of the same length are counted, and shorter ones than half of the longest are not")
    func bursts() throws {
        let slices = [Self.slice([1_000, 3_001_000, 2_001_000, 1_001_000, 1_000, 1_000, 1_000, 1_000])]
        let course = try #require(ArmCourse(slices, speed: nil))
        #expect(course.pause == 3_000_000 && course.bursts == 2)
    }

    @Test("operations that are timed one by one have their longest as a pause, of slices without interruption")
    func timed() throws {
        func slice(_ longest: UInt64, interruptions: [Int] = []) -> SliceReply {
            var report = SliceReply()
            var histogram = Histogram()
            for time in [100, longest] { histogram.add(nanoseconds: time) }
            (report.operations, report.histograms, report.interruptions) = (2, [.store: histogram], interruptions)
            return report
        }
        let course = try #require(ArmCourse([slice(3_000_000), slice(9_000_000, interruptions: [0])], speed: nil))
        #expect(course == ArmCourse(mean: nil, pause: 3_000_000, bursts: 1, operations: 4))
    }

    @Test("batches without their processor time tell nothing, and neither does none") func older() {
        var old = Self.slice([1_000])
        old.batchCPU = nil
        #expect(ArmCourse([Self.slice([1_000]), old], speed: nil) == nil && ArmCourse([], speed: nil) == nil)
    }

    @Test("several threads wait for each other, so their wall time counts") func threads() throws {
        var report = Self.slice([4_000, 4_000])
        report.probes = nil
        #expect(ArmCourse([report], speed: nil)?.mean == 40.07)
    }
}
