import Foundation

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Plays back an hour in which most slices are slowed by 1.1 to 1.6, and the speed probes beside them as much.
struct BadHour {
    struct Subject {
        var time: Double
        /// How much of a slice's slowness it feels: 1 as the probes do, 0 nothing.
        var feeling: Double
    }

    enum Disturbance: CaseIterable {
        /// Slices of one turn, which run one after another, are slowed alike.
        case inCommon
        /// Each slice is slowed by itself.
        case oneSide
    }

    var disturbance = Disturbance.inCommon
    /// The part of the slices that are slowed.
    var part = 0.8
    private var random: Xoshiro256

    init(seed: UInt64, _ disturbance: Disturbance = .inCommon, part: Double = 0.8) {
        random = Xoshiro256(seed: seed, "bad hour")
        (self.disturbance, self.part) = (disturbance, part)
    }

    private mutating func slowness() -> Double { random.nextUnit() < part ? 1.1 + 0.5 * random.nextUnit() : 1 }

    private mutating func slice(_ time: Double, feeling: Double, slowness: Double) -> SliceReply {
        var report = SliceReply()
        report.batchOperations = Int(500_000 / time)
        (report.probes, report.chains) = ([], [])
        for batch in 0..<9 {
            report.probes?.append(UInt64(4_000 * slowness * (1 + 0.01 * abs(random.nextNormal()))))
            report.chains?.append(UInt64(Double(SpeedProbe.steps) * 25 * (1 + 0.002 * random.nextNormal())))
            guard batch < 8 else { break }
            let taken =
                time * pow(slowness, feeling) * (1 + 0.01 * abs(random.nextNormal())) * Double(report.batchOperations)
            report.batches.append(UInt64(taken))
        }
        report.operations = report.batchOperations * 8
        report.nanoseconds = report.batches.reduce(0, +)
        return report
    }

    /// The rows of a run, as a run computes them, of which the first is the reference.
    mutating func rows(_ subjects: [Subject], sets: Int = 12, slices: Int = 12) -> [ResultRow] {
        var results = subjects.indices.map { index in
            var result = BenchmarkMeasurements(
                Benchmark(BenchmarkName("a", "b", "s\(index)"), isPeer: index > 0, reference: "s0") { _ in
                    PreparedBenchmark(.batched { _ in })
                })
            result.prepared = PreparedReply(kind: .batched, threads: 1, outcome: .computed)
            return result
        }
        for _ in 0..<sets {
            let times = subjects.map { $0.time * exp(0.003 * random.nextNormal()) }
            for index in results.indices { results[index].beginSet() }
            for _ in 0..<slices {
                let common = slowness()
                for index in subjects.indices {
                    let slowness = disturbance == .inCommon ? common : self.slowness()
                    results[index].add(slice(times[index], feeling: subjects[index].feeling, slowness: slowness))
                }
            }
        }
        var meter = NoiseMeter()
        for result in results { for set in result.sets { meter.add(set) } }
        // Other cases of the run saw full speed, too.
        meter.add((0..<sets * slices / 8).map { _ in MeasuredSlice(slice(20, feeling: 1, slowness: 1)) })
        return ResultRow.rows(of: results, speed: meter.speed)
    }
}
