import TestSupport
import Testing

@testable import GaugeMeasurement

@Suite("Benchmarks of the harness itself") struct HarnessBenchmarksTests {
    @Test("they have their names, references and suite, in this order") func names() {
        let all = HarnessBenchmarks.all
        #expect(
            all.map(\.name.description) == [
                "harness/batched/empty", "harness/batched/step", "harness/timed/empty", "harness/chain/64",
                "harness/chain/256", "harness/allocation/one", "harness/handover/2-threads",
            ])
        #expect(all.map(\.reference) == ["step", "step", "empty", "64", "64", "one", "2-threads"])
        #expect(all.allSatisfy { $0.suites == ["harness"] && !$0.isPeer })
    }

    @Test("each runs the operations that it is asked for", arguments: HarnessBenchmarks.all.indices)
    func runs(index: Int) throws {
        let scratch = try ScratchDirectory()
        let context = RunContext(seed: 1, memoryCapacity: 0, diskCapacity: 0, directory: scratch.path)
        let prepared = try HarnessBenchmarks.all[index].prepare(context)
        switch prepared.body {
        case .batched(let run):
            #expect(index != 2 && index != 6)
            run(5)
        case .timed(let run):
            #expect(index == 2)
            var recorder = LatencyRecorder()
            run(5, &recorder)
            #expect(recorder.histograms.mapValues(\.count) == [.computed: 5])
        case .threaded(let threads, _):
            #expect(index == 6 && threads == 2)
            var runner = SliceRunner(prepared)
            let slice = runner.run(budget: 0)
            // Both threads have passed the token on as often.
            #expect(slice.operations == slice.batches.count * slice.batchOperations && slice.operations > 0)
        }
    }
}
