import Foundation
import GaugeSupport
import TestSupport
import Testing

@testable import GaugeMeasurement

/// Runs of workers whose replies the test wrote, limited by sets and not by time.
@Suite("Runs of scripted workers") struct SuiteRunTests {
    private func run(
        _ worker: ScriptedWorker, _ benchmarks: [Benchmark], plan: RunPlan, settings: RunSettings? = nil,
        in directory: TemporaryDirectory? = nil
    ) throws -> (results: SuiteRun.Results, progress: [String]) {
        let place = try directory ?? TemporaryDirectory(in: worker.scratch.path)
        var meter = NoiseMeter()
        var progress: [String] = []
        let run = SuiteRun(
            BenchmarkCase.grouping(benchmarks), settings: settings ?? worker.settings, plan: plan, directory: place,
            interruption: nil)
        let results = try run.measure(meter: &meter) { progress.append("\($0) \($1)") }
        return (results, progress)
    }

    @Test("every case has its sets, and progress tells each before it begins") func sets() throws {
        let worker = try ScriptedWorker()
        let slices = ["slice": ScriptedWorker.slice(50_000)]
        let benchmarks = try ["b", "c"].map { try worker.benchmark("tiered", case: $0, slices: slices) }
        let (results, progress) = try run(worker, benchmarks, plan: RunPlan(seconds: 3_600, sets: 3, samples: 1))
        #expect(results.measurements.map { $0.map { $0.sets.map(\.count) } } == [[[1, 1, 1]], [[1, 1, 1]]])
        #expect(progress.sorted() == ["a/b 1", "a/b 2", "a/b 3", "a/c 1", "a/c 2", "a/c 3"])
        #expect(Array(progress.prefix(2)) == ["a/b 1", "a/c 1"] && results.exitCode == .ok)
    }

    @Test("only what is not precise yet is measured on, together with the reference that it is divided by")
    func precision() throws {
        let worker = try ScriptedWorker()
        let calm = ["slice": ScriptedWorker.slice(50_000)]
        let wild = Dictionary(
            uniqueKeysWithValues: (1...7).map { ("slice.\($0)", ScriptedWorker.slice(30_000 * UInt64($0 * $0))) })
        let benchmarks = try [("tiered", calm), ("wild", wild), ("calm", calm)].map {
            try worker.benchmark($0, slices: $1)
        }
        let plan = RunPlan(seconds: 3_600, sets: 7, samples: 2, precision: 0.01)
        let (results, _) = try run(worker, benchmarks, plan: plan)
        #expect(
            results.measurements[0].map { $0.sets.map(\.count) } == [
                [2, 2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 0, 0],
            ])
    }

    @Test("the run ends with the set in which the subject answered wrongly") func wrong() throws {
        let worker = try ScriptedWorker()
        let finish = FinishReply(figures: [], wrong: 1, wrongAnswers: [])
        let benchmarks = try ["b", "c"].map {
            try worker.benchmark("tiered", case: $0, slices: ["slice": ScriptedWorker.slice(50_000)], finish: finish)
        }
        let (results, progress) = try run(worker, benchmarks, plan: RunPlan(seconds: 3_600, sets: 2, samples: 1))
        #expect(progress == ["a/b 1"] && results.isFatal && results.exitCode == .wrongAnswer)
        #expect(results.measurements[1][0].sets.isEmpty)
    }

    @Test("the files of the last eight sets are kept, and those of earlier ones removed") func files() throws {
        let worker = try ScriptedWorker()
        let directory = try TemporaryDirectory(in: worker.scratch.path)
        let benchmark = try worker.benchmark("tiered", slices: ["slice": ScriptedWorker.slice(50_000)])
        _ = try run(worker, [benchmark], plan: RunPlan(seconds: 3_600, sets: 10, samples: 1), in: directory)
        let kept = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(kept.sorted() == (2...9).map { "set-0-0-\($0)-0" })
    }

    @Test("a set of the suite large leaves no files, since the next one may need their space")
    func largeFiles() throws {
        let worker = try ScriptedWorker()
        let directory = try TemporaryDirectory(in: worker.scratch.path)
        var benchmark = try worker.benchmark("tiered", slices: ["slice": ScriptedWorker.slice(50_000)])
        benchmark.suites = ["large"]
        _ = try run(worker, [benchmark], plan: RunPlan(seconds: 3_600, sets: 2, samples: 1), in: directory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test("where a set cannot begin, its benchmark fails, and what was measured before is kept")
    func noDirectory() throws {
        let worker = try ScriptedWorker()
        let directory = try TemporaryDirectory(in: worker.scratch.path)
        let inTheWay = try directory.subdirectory("set-0-0-1-0")
        let slices = ["slice": ScriptedWorker.slice(50_000)]
        let benchmarks = try ["b", "c"].map { try worker.benchmark("tiered", case: $0, slices: slices) }
        let plan = RunPlan(seconds: 3_600, sets: 2, samples: 1)
        let (results, _) = try run(worker, benchmarks, plan: plan, in: directory)
        #expect(results.measurements[0][0].failure == .failed(reason: "\(inTheWay) cannot be made: File exists"))
        #expect(results.measurements[0][0].sets.first?.count == 1 && results.exitCode == .failure)
        #expect(results.measurements[1][0].sets.map(\.count) == [1, 1])
    }

    @Test("requests at a rate have one set a case, whose time is the part of its benchmarks") func rate() throws {
        let worker = try ScriptedWorker()
        let slices = ["slice": ScriptedWorker.slice(50_000)]
        let benchmarks = [
            try worker.benchmark("tiered", slices: slices), try worker.benchmark("peer", slices: slices),
            try worker.benchmark("tiered", case: "c", slices: slices),
        ]
        var settings = worker.settings
        settings.load = OfferedLoad(arguments: ["--workload={}", "--rate=100"], summary: "", isPaced: true)
        let (results, _) = try run(worker, benchmarks, plan: RunPlan(seconds: 1.8), settings: settings)
        // 1.2 s for two benchmarks and 0.6 s for one, in slices of 0.1 s.
        #expect(results.measurements.map { $0.map { $0.sets.map(\.count) } } == [[[6], [6]], [[6]]])
    }
}
