import Foundation
import GaugeSupport
import TestSupport
import Testing

@testable import GaugeMeasurement

/// What workers are asked, in its order: the lengths and numbers of slices, and what comes before and after them.
/// Whether slices of 2 ms warm a worker up, and its caches are warmed before others, depends on the time that its
/// calibration took, and so on the machine.
@Suite("Recorded conversations with workers") struct ConversationTests {
    /// The requests of each set, which has to end with the slices that were measured.
    private static func lines(_ worker: ScriptedWorker, _ subject: String, slices: [Int]) throws -> String {
        try zip(1..., slices).map { number, slices in
            let path = "\(worker.scratch.path)/\(subject)/requests.\(number)"
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter {
                !$0.contains("\"milliseconds\":2}") && !$0.contains("warmCaches")
            }
            #expect(lines.first?.contains("\"prepare\"") == true && lines.last?.contains("\"finish\"") == true)
            #expect(lines.count { $0.contains("\"slice\"") } == slices, "\(subject), set \(number)")
            // Equal requests in a row are counted.
            var runs: [(line: Substring, count: Int)] = []
            for line in lines {
                if runs.last?.line == line { runs[runs.count - 1].count += 1 } else { runs.append((line, 1)) }
            }
            return "\(subject), set \(number): " + runs.map { "\($0.count) × \($0.line)" }.joined(separator: ", ")
                + "\n"
        }.joined()
    }

    @Test("each worker is asked what was recorded, by number of slices, by time, and where its slices are slow")
    func recorded() throws {
        var text = ""
        for (title, samples, seconds, nanoseconds) in [
            ("five slices", 5, nil, 50_000), ("as many as preparing asks for", nil, nil, 50_000),
            ("by time", nil, 1.3, 50_000), ("slow slices", 5, nil, 1_500_000), ("very slow slices", 5, nil, 10_000_000),
        ] as [(String, Int?, Double?, UInt64)] {
            let worker = try ScriptedWorker()
            let run = SuiteRun(
                [], settings: worker.settings, plan: RunPlan(samples: samples),
                directory: try TemporaryDirectory(in: worker.scratch.path), interruption: nil)
            let benchmarks = [
                try worker.benchmark("tiered", slices: ["slice": ScriptedWorker.slice(nanoseconds)]),
                try worker.benchmark("peer", slices: ["slice": ScriptedWorker.slice(nanoseconds * 2)]),
            ]
            var results = benchmarks.map { BenchmarkMeasurements($0) }
            for name in ["0", "1"] {
                // Preparing takes 200 ms by the clock.
                var readings: [UInt64] = [0, 200_000_000]
                try run.measureSet(&results, active: [0, 1], name: name, seconds: seconds) { readings.removeFirst() }
            }
            text += "\(title): \(results.map { $0.sets.map(\.count) })\n"
            #expect(results.allSatisfy { $0.sets.count == 2 })
            for (subject, result) in zip(["tiered", "peer"], results) {
                text += try Self.lines(worker, subject, slices: result.sets.map(\.count))
            }
        }
        #expect(RecordedText.differences(of: text, from: "Steps/conversations.txt") == [])
    }
}
