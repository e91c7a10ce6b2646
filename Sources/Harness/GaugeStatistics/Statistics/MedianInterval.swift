import GaugeSupport

/// The 95 % confidence interval of a median, by the percentile bootstrap over slices.
///
/// Whole slices are drawn with replacement, a thousand times, and the median of all their values is taken; the interval
/// reaches from the 2.5th to the 97.5th percentile of these medians (Efron, "Bootstrap methods", Annals of Statistics
/// 7, 1979; drawing groups: Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8). Slices
/// are drawn rather than batches, since a disturbance of the machine affects many batches in a row, and treating these
/// as independent would make the interval much too narrow. BCa is not used: its acceleration comes from a jackknife,
/// which is inconsistent for a median (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, section 10.6).
///
/// The same slices and seed give the same interval. Takes some milliseconds.
package enum MedianInterval {
    package static let level = 0.95
    package static let resamples = 1_000
    /// The fewest slices. With fewer than six, even the smallest and the largest enclose the median with less than 95
    /// %: 1 - 2 / 2^n.
    package static let leastSlices = 6

    /// - Returns: `nil` for fewer than `leastSlices` slices with measurements.
    package static func of(_ slices: [Tally], seed: UInt64) -> ClosedRange<Double>? {
        let slices = slices.filter { $0.count > 0 }
        guard slices.count >= leastSlices else { return nil }
        let pool = slices.enumerated().flatMap { number, slice in
            slice.entries.map { (value: $0.value, count: $0.count, slice: number) }
        }.sorted { $0.value < $1.value }

        var random = Xoshiro256(seed: seed)
        var times = [UInt64](repeating: 0, count: slices.count)
        let medians = (0..<resamples).map { _ in
            for index in times.indices { times[index] = 0 }
            var total: UInt64 = 0
            for _ in slices.indices {
                let drawn = Int(random.next(below: UInt64(slices.count)))
                times[drawn] += 1
                total += slices[drawn].count
            }
            var seen: UInt64 = 0
            var below: Double?
            for entry in pool where times[entry.slice] > 0 {
                // Exactly half of all values lie below: the median is the midpoint of the two.
                if let below { return (below + entry.value) / 2 }
                seen += entry.count * times[entry.slice]
                if seen * 2 == total { below = entry.value } else if seen * 2 > total { return entry.value }
            }
            return below ?? 0
        }
        let sorted = Samples(medians)
        guard let low = sorted.quantile((1 - level) / 2), let high = sorted.quantile((1 + level) / 2) else {
            return nil
        }
        return low...high
    }
}
