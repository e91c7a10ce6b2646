import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

@Suite("Row of hot entries") struct HotRowTests {
    @Test(
        "the figures are of the second half of the untimed requests, the middle one of an odd number included",
        arguments: [1, 2, 3])
    func secondHalf(untimed: Int) throws {
        let scratch = try ScratchDirectory()
        let context = RunContext(seed: 5, memoryCapacity: 1 << 20, diskCapacity: 4 << 20, directory: scratch.path)
        let row = SubjectBenchmarks.hot(
            HonestSubject.self, SubjectCase("disk", "hot/4k", tier: .disk, bodyCount: 4096),
            untimed: untimed, nanoseconds: .max / 4)
        // Every request of these finds its entry, so that only a half without requests has another ratio.
        let figures = try row.prepare(context).figures()
        #expect(figures.first { $0.name == "hit ratio" }?.value == 1, "\(figures)")
        #expect(context.answers.count == 0)
    }
}
