import Foundation
import GaugeSupport
import Platform

/// Watches the machine from the beginning of a run to its end.
package struct NoiseMeter {
    private let before = ProcessorTimes.now
    private let pressureBefore = IOPressure.now
    private let start = monotonicNanoseconds()
    private let loadBefore = NoiseMeter.load
    private var switches: UInt64 = 0
    private var nanoseconds: UInt64 = 0
    private var probes: [SpeedReading: UInt64] = [:]
    private let reference: Double?

    /// - Parameter reference: the clock rate to which times are converted, gigahertz; the run's by default.
    package init(reference: Double? = nil) { self.reference = reference }

    /// The load average over the last minute; `nil` if the system doesn't say.
    package static var load: Double? {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : nil
    }

    package mutating func addSet(_ results: [BenchmarkMeasurements]) {
        for result in results { add(result.sets.last ?? []) }
    }

    package mutating func add(_ slices: [MeasuredSlice]) {
        for slice in slices {
            switches += slice.involuntarySwitches
            nanoseconds += slice.nanoseconds
            for probe in slice.probes where probe.parallel > 0 { probes[probe.rounded, default: 0] += 1 }
        }
    }

    /// Which probes so far were at full speed; `nil` if none ran.
    package var speed: FullSpeed? {
        FullSpeed(probes, reference: reference.map { 1 / $0 })
    }

    /// - Parameter pairs: the results of benchmarks measured against themselves.
    package func report(pairs: [[BenchmarkMeasurements]] = []) -> NoiseReport {
        let speed = speed
        let seconds = Double(monotonicNanoseconds() - start) / 1e9
        var report = NoiseReport(
            stolen: before.flatMap { before in ProcessorTimes.now?.stolenPart(since: before) },
            loadBefore: loadBefore, loadAfter: Self.load, processors: processorCount(),
            switchesPerSecond: nanoseconds > 0 ? Double(switches) / Double(nanoseconds) * 1e9 : nil,
            pairs: pairs.compactMap { AACheck.difference($0, speed: speed) }, fullSpeed: speed?.part,
            clock: speed?.cycle.map { 1 / $0 }, referenceClock: speed?.reference.map { 1 / $0 })
        report.ioPressure = pressureBefore.flatMap { IOPressure.now?.part(since: $0, seconds: seconds) }
        return report
    }
}

/// How the machine's processors spent their time since it started, in clock ticks (proc(5), `/proc/stat`).
package struct ProcessorTimes: Equatable {
    /// The sum of all kinds of time.
    package let total: UInt64
    /// Time during which a virtual processor was ready to run but its host ran another guest.
    package let stolen: UInt64

    /// The current times; `nil` if the system doesn't say.
    package static var now: ProcessorTimes? { ProcessorTimes(stat: ProcFile.contents("/proc/stat")) }

    /// Reads the line `cpu user nice system idle iowait irq softirq steal guest guest_nice`. User and nice already
    /// contain the last two.
    package init?(stat: String) {
        guard let line = stat.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0) }
        guard ticks.count == 8 else { return nil }
        total = ticks.reduce(0, &+)
        stolen = ticks[7]
    }

    /// The share of the time since `earlier` that was stolen; `nil` if no time has passed.
    package func stolenPart(since earlier: ProcessorTimes) -> Double? {
        guard total > earlier.total, stolen >= earlier.stolen else { return nil }
        return Double(stolen - earlier.stolen) / Double(total - earlier.total)
    }
}

/// How long some process waited for a disk since the system started (Linux, `/proc/pressure/io`).
package struct IOPressure: Equatable, Sendable {
    /// Microseconds in which at least one process waited.
    package let waited: UInt64

    /// The current reading; `nil` if the system doesn't say.
    package static var now: IOPressure? { IOPressure(text: ProcFile.contents("/proc/pressure/io")) }

    /// Reads the line `some avg10=0.00 avg60=0.00 avg300=0.00 total=1234`.
    package init?(text: String) {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") }),
            let total = line.split(separator: " ").first(where: { $0.hasPrefix("total=") }),
            let waited = UInt64(total.dropFirst("total=".count))
        else { return nil }
        self.waited = waited
    }

    /// The share of the time since `earlier` in which some process waited.
    package func part(since earlier: IOPressure, seconds: Double) -> Double? {
        guard waited >= earlier.waited, seconds > 0 else { return nil }
        return min(1, Double(waited - earlier.waited) / 1e6 / seconds)
    }
}

/// Measures a few benchmarks against themselves, in two workers of the same code that alternate like any two subjects.
/// The code can't cause their difference, so a difference of that size means nothing in this run.
package struct AACheck {
    /// How many cases are checked, at the beginning, middle and end of a run.
    package static let most = 3

    /// The positions among `cases` of those also measured against themselves.
    package let positions: [Int]

    package init(cases: [BenchmarkCase]) {
        let possible = cases.indices.filter { Self.benchmark(of: cases[$0]) != nil }
        let chosen = (0..<Self.most).map { possible.count * (2 * $0 + 1) / (2 * Self.most) }
        positions = chosen.filter(possible.indices.contains).once.map { possible[$0] }
    }

    /// The subject under test, since a run is about its differences; `nil` for the suite `large`, where two tiers would
    /// need twice the disk space.
    package static func benchmark(of next: BenchmarkCase) -> Benchmark? {
        next.benchmarks.first { !$0.isPeer && !$0.suites.contains(BenchmarkSelection.apart) }
    }

    /// The case to measure next: the same benchmark twice.
    package static func twice(_ benchmarkCase: BenchmarkCase) -> BenchmarkCase? {
        benchmark(of: benchmarkCase).map {
            BenchmarkCase(name: "\(benchmarkCase.name) twice", benchmarks: [$0, $0], isControl: true)
        }
    }

    /// The relative difference of the two, estimated like a row's ratio: 0.02 if one took 1.02 times as long; `nil` if
    /// one of them failed.
    package static func difference(_ results: [BenchmarkMeasurements], speed: FullSpeed? = nil) -> Double? {
        let rows = results.compactMap { ResultRow.rows(of: [$0], speed: speed, seed: 0).first }
        guard rows.count == 2, let ratio = ResultRow.ratio(rows[0], to: rows[1])?.estimate.value, ratio > 0 else {
            return nil
        }
        return max(ratio, 1 / ratio) - 1
    }
}
