import Foundation
import GaugeSupport

/// The noise of the machine during a run.
package struct NoiseReport {
    /// The share of all processor time that the host gave to other guests; `nil` if the system doesn't say.
    package var stolen: Double?
    /// The share of time in which some process of the machine, including this run's, waited for a disk; `nil` if the
    /// system doesn't say.
    package var ioPressure: Double?
    /// Load averages over a minute, before and after. The run itself adds about 1.
    package var loadBefore: Double?
    package var loadAfter: Double?
    package var processors = 1
    /// Involuntary context switches of the workers per measured second.
    package var switchesPerSecond: Double?
    /// Differences of benchmarks measured against themselves, in two workers (see `AACheck`).
    package var pairs: [Double] = []
    /// The share of speed probes at full speed (see `FullSpeed`); `nil` if none ran.
    package var fullSpeed: Double?

    /// The clock rate at full speed, gigahertz, and the rate to which times are converted; `nil` if no probe measured
    /// it.
    package var clock: Double?
    package var referenceClock: Double?

    /// From this share on there is a warning.
    package static let muchPressure = 0.2

    /// The difference that this run shows between two equal subjects, from comparisons of equal code: the median of the
    /// pairs, since they are few and a disk row may be an outlier.
    package var floor: Double? { Samples(pairs).median }

    /// Whether a row's ratio differs from 1 by more than its interval, and by more than equal code does.
    package func isClaim(_ row: ResultRow) -> Bool {
        guard let ratio = row.ratio, ratio > 0 else { return true }
        if let interval = row.ratioInterval, interval.contains(1) { return false }
        return floor.map { max(ratio, 1 / ratio) - 1 > $0 } ?? true
    }

    /// A line for people.
    package var text: String {
        var parts = ["steal " + (stolen.map(Quantity.percent) ?? Quantity.missing)]
        if let loadBefore, let loadAfter {
            let load = "load \(Quantity.each(loadBefore)) before and \(Quantity.each(loadAfter)) after"
            parts.append("\(load) on \(processors) processors")
        }
        if let ioPressure { parts.append("waiting for disks \(Quantity.percent(ioPressure)) of the time") }
        if let switchesPerSecond { parts.append("\(Quantity.rate(switchesPerSecond)) involuntary switches a second") }
        if let fullSpeed { parts.append("at full speed \(Quantity.percent(fullSpeed)) of the time") }
        if let clockText { parts.append(clockText) }
        let text = "noise: " + parts.joined(separator: ", ") + "\n"
        guard !pairs.isEmpty else { return text }
        let differences = pairs.map(Quantity.percent).joined(separator: ", ")
        return text + "A/A: two workers of one benchmark differ by \(differences)\n"
    }

    /// `3.91 GHz, times at 3.98`.
    package var clockText: String? {
        guard let clock, let referenceClock else { return nil }
        let (rate, told) = (Quantity.decimal(clock, 2), Quantity.decimal(referenceClock, 2))
        return rate == told ? "\(rate) GHz" : "\(rate) GHz, times at \(told)"
    }

    /// A warning for each kind of noise that is too large for a claim.
    package func warnings(_ rows: [ResultRow]) -> [String] {
        var warnings: [String] = []
        if let stolen, stolen >= 0.01 {
            warnings.append(
                "the host took \(Quantity.percent(stolen)) of the processor time; measured times are too long")
        }
        if let loadBefore, loadBefore >= Double(processors) * 0.75 {
            warnings.append(
                "the machine was busy before the run (load \(Quantity.each(loadBefore)) on \(processors) processors); "
                    + "trust ratios within a case, not times")
        }
        if let ioPressure, ioPressure >= Self.muchPressure {
            warnings.append(
                "some process waited for a disk in \(Quantity.percent(ioPressure)) of the time; times that wait for a disk, and "
                    + "their ratios, are those of a busy one")
        }
        let slow = rows.filter(\.lacksFullSpeed)
        if !slow.isEmpty {
            let names = slow.map(\.name.description).joined(separator: ", ")
            warnings.append(
                "the machine was not at full speed often enough for an undisturbed time of \(names); "
                    + "give the run more --seconds, or a quieter machine")
        }
        guard let floor else { return warnings }
        if floor >= 0.05 {
            warnings.append(
                "differences below \(Quantity.percent(floor)) mean nothing in this run: benchmarks differed as much from themselves"
            )
        }
        let close = rows.filter { $0.isPeer && !isClaim($0) }
        if !close.isEmpty {
            let names = close.map { "\($0.name) \(Quantity.ratio($0.ratio))" }.joined(separator: ", ")
            warnings.append("too close to their reference to call in this run: \(names)")
        }
        return warnings
    }
}
