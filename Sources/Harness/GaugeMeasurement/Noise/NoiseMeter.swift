import Foundation
import GaugeStatistics
import Platform

/// Watches the machine from the beginning of a run to its end.
package struct NoiseMeter {
    private let before = ProcessorTimes.now
    private let loadBefore = NoiseMeter.load
    private var switches: UInt64 = 0
    private var nanoseconds: UInt64 = 0
    private var probes: [SpeedReading: UInt64] = [:]
    private let reference: Double?

    /// - Parameter reference: the clock rate for which times are told, gigahertz; that of the run by default.
    package init(reference: Double? = nil) { self.reference = reference }

    /// The load average over the last minute; `nil` where the system does not report it.
    package static var load: Double? {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : nil
    }

    /// Adds the last set of a case.
    package mutating func addSet(_ results: [BenchmarkMeasurements]) {
        for result in results { add(result.sets.last ?? []) }
    }

    /// Adds slices.
    package mutating func add(_ slices: [MeasuredSlice]) {
        for slice in slices {
            switches += slice.involuntarySwitches
            nanoseconds += slice.nanoseconds
            for probe in slice.probes where probe.parallel > 0 { probes[probe.rounded, default: 0] += 1 }
        }
    }

    /// Which probes so far were at full speed; `nil` when none ran.
    package var speed: FullSpeed? {
        FullSpeed(probes, reference: reference.map { 1 / $0 })
    }

    /// The noise measured so far.
    ///
    /// - Parameter pairs: the results of benchmarks measured against themselves.
    package func report(pairs: [[BenchmarkMeasurements]] = []) -> NoiseReport {
        let speed = speed
        return NoiseReport(
            stolen: before.flatMap { before in ProcessorTimes.now?.stolenPart(since: before) },
            loadBefore: loadBefore, loadAfter: Self.load, processors: processorCount(),
            switchesPerSecond: nanoseconds > 0 ? Double(switches) / Double(nanoseconds) * 1e9 : nil,
            pairs: pairs.compactMap { AACheck.difference($0, speed: speed) }, fullSpeed: speed?.part,
            clock: speed?.cycle.map { 1 / $0 }, referenceClock: speed?.reference.map { 1 / $0 })
    }
}
