import Foundation

/// How loud the machine was while a run measured.
struct NoiseReport {
    /// The part of all processor time that the host gave to somebody else; `nil` where the system does not say.
    var stolen: Double?
    /// Load averages over a minute, before and after; the run itself adds about 1.
    var loadBefore: Double?
    var loadAfter: Double?
    var processors = 1
    /// How often a worker lost its processor while it wanted to go on, over the time that it measured.
    var switchesPerSecond: Double?
    /// Differences of benchmarks measured against themselves, in two workers (see `AACheck`).
    var pairs: [Double] = []
    /// Differences of the even from the odd slices of one worker, a row each.
    var halves: [Double] = []

    /// The smallest difference between two subjects that this run can tell from nothing: what was seen where there was
    /// none. Of the pairs the median, since they are few and a disk row may have been unlucky, and all are told; of the
    /// halves the 95th percentile.
    var floor: Double? {
        [Samples(pairs).median, Samples(halves).quantile(0.95)].compactMap(\.self).max()
    }

    /// Whether a row's ratio says anything, given what differs without a reason and how sure the row's own median is.
    func isClaim(_ row: Row) -> Bool {
        guard let floor, let ratio = row.ratio, ratio > 0 else { return true }
        return max(ratio, 1 / ratio) - 1 > max(floor, row.error ?? 0)
    }

    /// A line for people.
    var text: String {
        var parts: [String] = []
        parts.append("steal " + (stolen.map(Quantity.percent) ?? Quantity.missing))
        if let loadBefore, let loadAfter {
            let load = "load \(Quantity.each(loadBefore)) before and \(Quantity.each(loadAfter)) after"
            parts.append("\(load) on \(processors) processors")
        }
        if let switchesPerSecond {
            parts.append("\(Quantity.rate(switchesPerSecond)) involuntary switches a second")
        }
        var text = "noise: " + parts.joined(separator: ", ") + "\n"
        var same: [String] = []
        if !pairs.isEmpty {
            let differences = pairs.map(Quantity.percent).joined(separator: ", ")
            same.append("two workers of one benchmark differ by \(differences)")
        }
        if let half = Samples(halves).quantile(0.95) {
            same.append("halves of one worker by up to \(Quantity.percent(half)) in 19 rows of 20")
        }
        if !same.isEmpty { text += "A/A: " + same.joined(separator: ", ") + "\n" }
        return text
    }

    /// What is too loud for which claim.
    func warnings(_ rows: [Row]) -> [String] {
        var warnings: [String] = []
        if let stolen, stolen >= 0.01 {
            warnings.append(
                "the host took \(Quantity.percent(stolen)) of the processor time; times are longer than they are")
        }
        if let loadBefore, loadBefore >= Double(processors) * 0.75 {
            warnings.append(
                "the machine was busy before the run began (load \(Quantity.each(loadBefore)) on \(processors) processors); "
                    + "trust ratios within a case, not times")
        }
        guard let floor else { return warnings }
        if floor >= 0.05 {
            warnings.append(
                "differences below \(Quantity.percent(floor)) mean nothing in this run: benchmarks differed so from themselves"
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
