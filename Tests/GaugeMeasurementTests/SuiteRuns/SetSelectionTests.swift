import Testing

@testable import GaugeMeasurement

@Suite("Selection of the benchmarks of a set")
struct SetSelectionTests {
    /// Two references, each with a peer.
    private let benchmarks = [("a", "a"), ("peer-a", "a"), ("b", "b"), ("peer-b", "b")].map { subject, reference in
        Benchmark(BenchmarkName("stage", "case", subject), isPeer: subject != reference, reference: reference) { _ in
            PreparedBenchmark(.batched { _ in })
        }
    }

    private var measured: [BenchmarkMeasurements] { benchmarks.map(BenchmarkMeasurements.init) }

    /// A row of each benchmark whose ratio has this error.
    private func rows(_ errors: [Double], sets: Int = 5) -> [[ResultRow]] {
        zip(benchmarks, errors).map { benchmark, error in
            var row = ResultRow(name: benchmark.name, isPeer: benchmark.isPeer)
            (row.ratio, row.ratioInterval) = (1, (1 - error)...(1 + error))
            row.sets = (0..<sets).map { _ in SetTimes(undisturbed: 100, slices: [100]) }
            return [row]
        }
    }

    private func selection(_ errors: [Double], sets: Int = 5, plan: RunPlan = RunPlan()) -> SetSelection {
        var selection = SetSelection(benchmarks, plan: plan)
        selection.update(measured, rows: rows(errors, sets: sets))
        return selection
    }

    @Test("a large error leaves the small ones out of three sets in four, but not its reference")
    func largeErrors() {
        let large = selection([0.001, 0.03, 0.001, 0.0149])
        #expect((4...9).map(large.members) == [[0, 1, 2, 3], [0, 1], [0, 1], [0, 1], [0, 1, 2, 3], [0, 1]])
        #expect(selection([0.001, 0.03, 0.001, 0.016]).members(ofSet: 5) == [0, 1, 2, 3])
        #expect(large.error.map { abs($0 - 0.03) < 1e-3 } == true)
    }

    @Test("all are measured before their errors are known, and where the number of sets is given")
    func all() {
        let first = SetSelection(benchmarks, plan: RunPlan())
        #expect(first.members(ofSet: 1) == [0, 1, 2, 3] && first.error == nil)
        #expect(selection([0, 0.03, 0, 0], sets: 4).members(ofSet: 5) == [0, 1, 2, 3])
        #expect(selection([0, 0.03, 0, 0], plan: RunPlan(sets: 9)).members(ofSet: 5) == [0, 1, 2, 3])
    }

    @Test("a benchmark that failed or is precise enough is measured no further, but the reference of another is")
    func ended() {
        var failed = SetSelection(benchmarks, plan: RunPlan())
        var results = measured
        results[1].failure = .exited(code: 1)
        failed.update(results, rows: rows([0, 0, 0, 0]))
        #expect(failed.members(ofSet: 4) == [0, 2, 3] && !failed.isEmpty)

        let precise = selection([0, 0.001, 0, 0.02], plan: RunPlan(precision: 0.01))
        #expect(precise.members(ofSet: 4) == [2, 3] && !precise.isEmpty)
        #expect(selection([0, 0, 0, 0], plan: RunPlan(precision: 0.01)).isEmpty)
    }
}
