import Foundation

/// A value estimated from measurements, with its confidence interval.
package struct Estimate: Equatable, Sendable {
    package let value: Double
    /// The 95 % confidence interval; `nil` with too few sets.
    package let interval: ClosedRange<Double>?

    package init(_ value: Double, in interval: ClosedRange<Double>? = nil) {
        self.value = value
        self.interval = interval
    }

    /// The estimate with an error that is independent of its interval and common to all its measurements, e.g. that of
    /// the clock rate.
    ///
    /// - Parameter part: the error, relative to the value: an end of 1.25 times the value, or of the value over 1.25,
    ///   for 0.25. Errors add as squares of their logarithms, so that no lower end comes near 0 that isn't.
    package func widened(by part: Double) -> Estimate {
        guard let interval, value > 0 else { return self }
        func factor(_ end: Double) -> Double {
            let (distance, more) = (log(end / value), log1p(part))
            return exp((distance * distance + more * more).squareRoot())
        }
        return Estimate(value, in: value / factor(interval.lowerBound)...value * factor(interval.upperBound))
    }

    /// The ratio to an independent estimate; both are above 0.
    package func over(_ other: Estimate) -> Estimate {
        let ratio = value / other.value
        guard let error, let theirs = other.error else { return Estimate(ratio) }
        return Estimate(ratio, in: ratio...ratio).widened(by: error).widened(by: theirs)
    }

    /// The larger distance from the value to an end of its interval, relative to the value.
    package var error: Double? {
        guard let interval, value > 0 else { return nil }
        return max(interval.upperBound - value, value - interval.lowerBound) / value
    }
}

/// The 95 % confidence interval of a median, by the percentile bootstrap over slices.
///
/// Whole slices are drawn with replacement, a thousand times, and the median of all their values is taken; the interval
/// reaches from the 2.5th to the 97.5th percentile of these medians (Efron, "Bootstrap methods", Annals of Statistics
/// 7, 1979; drawing groups: Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8). It
/// draws slices rather than batches, since a disturbance affects many batches in a row, and treating these as
/// independent would make the interval much too narrow. BCa isn't used: its acceleration comes from a jackknife, which
/// is inconsistent for a median (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, section 10.6).
///
/// The same slices and seed give the same interval. Takes some milliseconds.
package enum MedianInterval {
    package static let level = 0.95
    package static let resamples = 1_000
    /// The fewest slices. With fewer than six, even the smallest and largest enclose the median with less than 95 %: 1
    /// - 2 / 2^n.
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

/// Confidence bounds of an event's rate: the exact interval of Clopper and Pearson ("The use of confidence or fiducial
/// limits illustrated in the case of the binomial", Biometrika 26, 1934). Never too narrow.
package enum BinomialInterval {
    /// The upper confidence bound of the true rate if `seen` of `trials` showed the event. For 0 of 300 at level 0.95
    /// it is 0.00994.
    package static func upperBound(_ seen: Int, of trials: Int, level: Double = 0.95) -> Double {
        seen >= trials ? 1 : IncompleteBeta.inverse(level, Double(seen + 1), Double(trials - seen))
    }

    /// The lower confidence bound of the true rate.
    package static func lowerBound(_ seen: Int, of trials: Int, level: Double = 0.95) -> Double {
        seen <= 0 ? 0 : IncompleteBeta.inverse(1 - level, Double(seen), Double(trials - seen + 1))
    }

    /// The two-sided interval, with an error probability of (1 - level) / 2 on each side.
    package static func interval(_ seen: Int, of trials: Int, level: Double = 0.95) -> ClosedRange<Double> {
        let side = 1 - (1 - level) / 2
        return lowerBound(seen, of: trials, level: side)...upperBound(seen, of: trials, level: side)
    }
}

/// The mean of the middle values, and its standard error.
///
/// Of n values the g smallest and the g largest, a fifth each, are left out of the mean. Its standard error comes from
/// all values, with those left out moved to the nearest kept one (winsorised): Yuen, "The two-sample trimmed t for
/// unequal population variances", Biometrika 61, 1974; Tukey and McLaughlin, Sankhyā A 25, 1963. With h = n - 2g values
/// kept, mean over error approximately follows Student's distribution with h - 1 degrees of freedom.
///
/// One process in thirty is 5 % slower than its twin just because of its memory layout; an ordinary mean of ten would
/// be off by half a per cent and its interval four times as wide.
package struct TrimmedMean {
    package static let trimmed = 0.2

    package let mean: Double
    package let standardError: Double
    package let degrees: Double
    package let count: Int
    /// The smallest and the largest kept value.
    package let kept: ClosedRange<Double>

    /// - Parameter trimmed: the share of values left out on either side.
    /// - Returns: `nil` if fewer than two values are kept.
    package init?(_ values: [Double], trimmed: Double = TrimmedMean.trimmed) {
        let sorted = values.sorted()
        let cut = Int(Double(sorted.count) * trimmed)
        let kept = sorted.dropFirst(cut).dropLast(cut)
        guard kept.count >= 2, let low = kept.first, let high = kept.last else { return nil }
        let winsorised = Samples(sorted.map { min(max($0, low), high) })
        let (all, h) = (Double(sorted.count), Double(kept.count))
        let deviation = winsorised.standardDeviation ?? 0
        mean = kept.reduce(0, +) / h
        standardError = deviation * ((all - 1) / (h * (h - 1))).squareRoot()
        degrees = h - 1
        count = sorted.count
        self.kept = low...high
    }

    /// The values in order, with those left out moved to the nearest kept one.
    package func winsorised(_ values: [Double]) -> [Double] {
        values.map { min(max($0, kept.lowerBound), kept.upperBound) }
    }

    /// The truth lies beyond either end of this interval with probability `tail` at most.
    package func interval(tail: Double) -> ClosedRange<Double> {
        let part = count > Int(degrees) + 1 ? tail / Self.excess(tail: tail) : tail
        let reach = StudentT.quantile(exceededBy: part, degrees: degrees) * standardError
        return (mean - reach)...(mean + reach)
    }

    /// How many times as often as Student's distribution says a trimmed mean's error is that large, at most.
    ///
    /// Yuen's distribution is approximate. In simulations of a million or more normal samples of 5 to 90 values, the
    /// truth lay beyond it up to 1.25 times as often as asked at a tail of 0.025, 1.38 times at 0.005 and 1.9 times at
    /// 0.000125. With these factors it was never more often than asked at tails from 0.0005 upwards, and up to 1.13
    /// times at 0.00005.
    private static func excess(tail: Double) -> Double { tail < 0.02 ? 2 : 1.3 }
}
