import GaugeSupport
import TestSupport
import Testing

@testable import GaugeMeasurement

/// Sets of workers whose replies the test wrote.
@Suite("Sets of scripted workers") struct ScriptedSetTests {
    /// Measures sets of these benchmarks.
    private func measure(
        _ worker: ScriptedWorker, _ benchmarks: [Benchmark], sets: Int = 1, samples: Int,
        peerTimeOut: Double = .infinity
    ) throws -> [BenchmarkMeasurements] {
        let directory = try TemporaryDirectory(in: worker.scratch.path)
        let run = SuiteRun(
            [], settings: worker.settings, plan: RunPlan(samples: samples), directory: directory, interruption: nil)
        var results = benchmarks.map { BenchmarkMeasurements($0) }
        for number in 0..<sets {
            try run.measureSet(&results, active: Array(benchmarks.indices), name: "\(number)", peerTimeOut: peerTimeOut)
        }
        return results
    }

    @Test("a set has as many slices as it should, without those of warming up") func samples() throws {
        let worker = try ScriptedWorker()
        let figures = [Figure("evictions", 3)]
        let benchmarks = [
            try worker.benchmark(
                "tiered", slices: ["slice": ScriptedWorker.slice(50_000)],
                finish: FinishReply(figures: figures, wrong: 0, wrongAnswers: [])),
            try worker.benchmark("peer", slices: ["slice": ScriptedWorker.slice(70_000)]),
        ]
        let results = try measure(worker, benchmarks, sets: 2, samples: 5)
        #expect(results.map { $0.sets.map(\.count) } == [[5, 5], [5, 5]])
        #expect(results.map { Set($0.slices.compactMap(\.typical)) } == [[50_000], [70_000]])
        #expect(results[0].figures == figures && results[0].prepared?.kind == .batched)
        #expect(results.allSatisfy { $0.failure == nil && $0.wrong == 0 })
    }

    @Test("the caches are warmed before each slice") func warmings() throws {
        let worker = try ScriptedWorker()
        let benchmarks = try ["tiered", "peer"].map {
            try worker.benchmark($0, slices: ["slice": ScriptedWorker.slice(50_000)])
        }
        _ = try measure(worker, benchmarks, sets: 2, samples: 3)
        // Three slices warm the worker up.
        let expected = ["1.3", "1.4", "1.5", "2.3", "2.4", "2.5"]
        for subject in ["tiered", "peer"] { #expect(try worker.warmings(of: subject).map(String.init) == expected) }
    }

    /// Five rounds of 4 ms are 20 ms; three slices may take three times as long.
    @Test(
        "slices much longer than they should be stop after three, or after one",
        arguments: [(1_500_000, 3), (10_000_000, 1)] as [(UInt64, Int)])
    func long(nanoseconds: UInt64, slices: Int) throws {
        let worker = try ScriptedWorker()
        let benchmark = try worker.benchmark("tiered", slices: ["slice": ScriptedWorker.slice(nanoseconds)])
        #expect(try measure(worker, [benchmark], samples: 5)[0].slices.count == slices)
    }

    @Test("a worker that exits ends its own benchmark alone, and with its failure told") func exit() throws {
        let worker = try ScriptedWorker()
        let benchmarks = [
            try worker.benchmark("tiered", slices: ["slice": ScriptedWorker.slice(50_000)]),
            try worker.benchmark("peer", slices: ["slice.1": ScriptedWorker.slice(70_000)], exit: "slice.2"),
        ]
        let results = try measure(worker, benchmarks, sets: 3, samples: 2)
        #expect(results[0].sets.map(\.count) == [2, 2, 2] && results[0].failure == nil)
        #expect(results[1].sets.map(\.count) == [2, 0, 0] && results[1].failure == .exited(code: 7))
    }

    @Test("a wrong answer of the subject ends its set, and one of a peer is counted") func wrong() throws {
        for subject in ["tiered", "peer"] {
            let worker = try ScriptedWorker()
            let finish = FinishReply(figures: [], wrong: 5, wrongAnswers: [])
            let benchmark = try worker.benchmark(
                subject, slices: ["slice": ScriptedWorker.slice(50_000, wrong: 2)], finish: finish)
            let result = try measure(worker, [benchmark], samples: 3)[0]
            #expect(result.slices.count == (subject == "peer" ? 3 : 1) && result.wrong == 5)
            #expect(result.wrongAnswers.map(\.key) == ["0", "1"] && result.isFatal == (subject == "tiered"))
        }
    }

    /// Slices of 4 ms take half as long as the preparation did.
    @Test(
        "the slices of a set follow from the time that its preparation took by the clock",
        arguments: [(80, 10), (200, 25), (10_000, 48)] as [(UInt64, Int)])
    func prepared(milliseconds: UInt64, slices: Int) throws {
        let worker = try ScriptedWorker()
        let run = SuiteRun(
            [], settings: worker.settings, plan: RunPlan(),
            directory: try TemporaryDirectory(in: worker.scratch.path), interruption: nil)
        let benchmark = try worker.benchmark("tiered", slices: ["slice": ScriptedWorker.slice(50_000)])
        var results = [BenchmarkMeasurements(benchmark)]
        var readings = [5_000_000_000, 5_000_000_000 + milliseconds * 1_000_000]
        try run.measureSet(&results, active: [0], name: "0") { readings.removeFirst() }
        #expect(results[0].slices.count == slices && readings.isEmpty)
    }

    @Test("a worker that was not ready in time is told by whole seconds, a part as one") func notReady() {
        for (seconds, told) in [(0.2, 1), (1, 1), (2.01, 3), (30.5, 31), (180, 180)] {
            #expect(ArmWorker.notReady(after: seconds) == .notReady(seconds: told), "\(seconds)")
        }
    }

    @Test("a peer for which no time is left is not measured, and says so") func noTime() throws {
        let worker = try ScriptedWorker()
        let slices = ["slice": ScriptedWorker.slice(50_000)]
        let benchmarks = [try worker.benchmark("tiered", slices: slices), try worker.benchmark("peer", slices: slices)]
        let results = try measure(worker, benchmarks, samples: 2, peerTimeOut: 0)
        #expect(results.map(\.failure) == [nil, .noTimeLeft] && results.map(\.slices.count) == [2, 0])
    }
}
