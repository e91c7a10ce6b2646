import Foundation
import GaugeStatistics
import Platform

/// Watches the machine from the beginning of a run to its end.
package struct NoiseMeter {
    private let before = ProcessorTimes.now
    private let loadBefore = NoiseMeter.load
    private var switches: UInt64 = 0
    private var nanoseconds: UInt64 = 0
    private var pairs: [Double] = []
    private var halves: [Double] = []

    package init() {}

    /// The load average over the last minute; `nil` where the system does not report it.
    package static var load: Double? {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : nil
    }

    /// Adds the subjects of a case.
    package mutating func add(_ results: [BenchmarkMeasurements]) {
        for result in results {
            for slice in result.slices {
                switches += slice.counters.involuntarySwitches
                nanoseconds += slice.nanoseconds
            }
            if let difference = Self.halves(result.slices.compactMap(\.typical)) {
                halves.append(difference)
            }
        }
    }

    /// Adds the results of a benchmark measured against itself.
    package mutating func addPair(_ results: [BenchmarkMeasurements]) {
        if let difference = AACheck.difference(results) { pairs.append(difference) }
    }

    /// The relative difference between the medians of the even and the odd slices; `nil` for fewer than three of each.
    package static func halves(_ slices: [Double]) -> Double? {
        let parts = [0, 1].map { part in
            Samples(slices.enumerated().filter { $0.offset % 2 == part }.map(\.element))
        }
        guard parts.allSatisfy({ $0.count >= 3 }), let even = parts[0].median, let odd = parts[1].median,
            even > 0, odd > 0
        else { return nil }
        return max(even / odd, odd / even) - 1
    }

    /// The noise measured so far.
    package var report: NoiseReport {
        NoiseReport(
            stolen: before.flatMap { before in ProcessorTimes.now?.stolenPart(since: before) },
            loadBefore: loadBefore, loadAfter: Self.load, processors: processorCount(),
            switchesPerSecond: nanoseconds > 0 ? Double(switches) / Double(nanoseconds) * 1e9 : nil, pairs: pairs,
            halves: halves)
    }
}
