import Foundation

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Simulates slices on a machine with two speeds, which change in bursts of many lengths, and processes that differ by
/// their layout.
struct TwoSpeedMachine {
    /// A benchmark: its time at full speed, nanoseconds, how many times as long it takes at the other speed, and the
    /// relative spread of its processes.
    struct Subject {
        var name: String
        var time: Double
        var slowdown: Double
        var process: Double
    }

    /// The part of the time at the slow speed, and the mean length of a slow burst in batches of 0.5 ms.
    var slowPart = 0.4
    var burst = 400.0
    /// The processor's clock rate as a part of `usualClock`.
    var clock = 1.0
    /// The usual clock rate, gigahertz: so low that the short loops of a debug build are many nanoseconds.
    static let usualClock = 0.04
    /// Changes the machine before a set.
    var change: (inout TwoSpeedMachine, _ set: Int) -> Void = { _, _ in }
    var isSlow = false
    private var random: Xoshiro256

    init(seed: UInt64, slowPart: Double = 0.4) {
        random = Xoshiro256(seed: seed)
        self.slowPart = slowPart
    }

    private mutating func step() {
        let end = isSlow ? 1 / burst : slowPart / (1 - slowPart) / burst
        if random.nextUnit() < end { isSlow.toggle() }
    }

    private mutating func probe() -> SpeedProbe.Times {
        let chain = Double(SpeedProbe.steps) / Self.usualClock * (1 + 0.002 * random.nextNormal()) / clock
        let parallel = (isSlow ? 7_400 : 4_000) * (1 + 0.01 * abs(random.nextNormal())) / clock
        return SpeedProbe.Times(parallel: UInt64(parallel), chain: UInt64(chain))
    }

    private mutating func addProbe(to report: inout SliceReply) {
        let times = probe()
        report.probes = (report.probes ?? []) + [times.parallel]
        report.chains = (report.chains ?? []) + [times.chain]
    }

    private mutating func slice(_ time: Double, slowdown: Double) -> SliceReply {
        var report = SliceReply()
        report.batchOperations = Int(500_000 / time)
        addProbe(to: &report)
        for _ in 0..<8 {
            step()
            let noise = 1 + 0.01 * abs(random.nextNormal())
            let batch = time * (isSlow ? slowdown : 1) * noise / clock * Double(report.batchOperations)
            report.batches.append(UInt64(batch))
            addProbe(to: &report)
        }
        report.operations = report.batchOperations * 8
        report.nanoseconds = report.batches.reduce(0, +)
        return report
    }

    /// A run of so many sets, of which the first subject is the reference.
    mutating func run(_ subjects: [Subject], sets: Int, slices: Int = 12) -> [BenchmarkMeasurements] {
        var results = subjects.enumerated().map { index, subject in
            var result = BenchmarkMeasurements(
                Benchmark(BenchmarkName("a", "b", subject.name), isPeer: index > 0, reference: subjects[0].name) { _ in
                    PreparedBenchmark(.batched { _ in })
                })
            result.prepared = PreparedReply(kind: .batched, threads: 1, outcome: .computed)
            return result
        }
        for number in 0..<sets {
            change(&self, number)
            // Other cases are measured between two sets of this one.
            for _ in 0..<200 { step() }
            let times = subjects.map { $0.time * exp($0.process * random.nextNormal()) }
            for index in results.indices { results[index].beginSet() }
            for _ in 0..<slices {
                for index in subjects.indices {
                    results[index].add(slice(times[index], slowdown: subjects[index].slowdown))
                }
            }
        }
        return results
    }

    /// The rows of a run, as a run computes them.
    ///
    /// - Parameter reference: the clock rate for which times are told, gigahertz.
    static func rows(_ results: [BenchmarkMeasurements], reference: Double? = nil) -> [ResultRow] {
        var meter = NoiseMeter(reference: reference)
        for result in results { for set in result.sets { meter.add(set) } }
        return ResultRow.rows(of: results, speed: meter.speed)
    }
}
