import GaugeSupport
import Platform

/// The body length of each key. It depends only on seed and key, so nothing is stored and all subjects of a run see the
/// same sizes.
@usableFromInline package struct BodySizes: Hashable, Sendable, CustomStringConvertible {
    @usableFromInline package enum Distribution: Hashable, Sendable {
        /// One size for every body, bytes.
        case constant(Int)
        /// exp(μ + σ·N), N normal; drawn again outside `minimum...maximum`.
        case lognormal(mu: Double, sigma: Double, minimum: Int, maximum: Int)
        /// Bins drawn by weight; all sizes in a bin are equally likely.
        case histogram([SizeBin])

        /// 4 KiB each, for traces without sizes. Such a trace counts objects, and Belady's MIN and miss-ratio curves
        /// are exact only if all sizes are equal.
        @usableFromInline package static let oneSize = Distribution.constant(4096)
        @usableFromInline package static let webLike = Distribution.lognormal(
            mu: 9.357, sigma: 1.318, minimum: 64, maximum: 1 << 20)
    }

    @usableFromInline package let distribution: Distribution
    package let seed: UInt64

    @usableFromInline package init(_ distribution: Distribution, seed: UInt64) {
        self.distribution = distribution
        self.seed = SplitMix64.derive(seed, "sizes")
    }

    /// Sizes like those of files on the web: lognormal with μ = 9.357 and σ = 1.318 (median 11.6 KB, mean 27.6 KB),
    /// from 64 bytes to 1 MiB.
    ///
    /// The parameters are those of the body of the SURGE model (Barford and Crovella, "Generating representative web
    /// workloads for network and server performance evaluation", SIGMETRICS 1998). Its tail (Pareto, k = 133 KB, α =
    /// 1.1) is left out: most of its bytes are in bodies that a cache of this size doesn't admit, and a few of them
    /// would decide a byte hit ratio. 1 MiB is 5 % of the default disk tier, the largest body that the tier admits.
    @usableFromInline package static func webLike(seed: UInt64) -> BodySizes { BodySizes(.webLike, seed: seed) }

    /// Bytes of the body of `key`.
    @usableFromInline package func size(of key: UInt64) -> Int {
        switch distribution {
        case .constant(let size): return max(0, size)
        case .lognormal(let mu, let sigma, let minimum, let maximum):
            var random = SplitMix64(seed: seed ^ SplitMix64.mix(key))
            // With the default parameters a draw is almost never outside; the limit is for parameters whose draws never
            // land inside.
            for _ in 0..<64 {
                let size = exp(mu + sigma * Self.normal(&random))
                if size >= Double(minimum) && size <= Double(maximum) { return Int(size) }
            }
            return max(0, minimum)
        case .histogram(let bins):
            var random = SplitMix64(seed: seed ^ SplitMix64.mix(key))
            var point = Double(random.next() >> 11) * 0x1p-53 * bins.reduce(0) { $0 + max(0, $1.weight) }
            var chosen = bins.first ?? SizeBin(from: 0, to: 0, weight: 1)
            for bin in bins where bin.weight > 0 {
                chosen = bin
                point -= bin.weight
                if point < 0 { break }
            }
            let width = UInt64(max(0, chosen.to - chosen.from)) + 1
            return max(0, chosen.from) + Int(random.next() % width)
        }
    }

    /// The largest possible size, bytes.
    @usableFromInline package var longest: Int {
        switch distribution {
        case .constant(let size): max(0, size)
        case .lognormal(_, _, let minimum, let maximum): max(0, minimum, maximum)
        case .histogram(let bins): bins.reduce(0) { max($0, $1.from, $1.to) }
        }
    }

    @usableFromInline package var description: String {
        switch distribution {
        case .constant(let size): "\(size) bytes each"
        case .lognormal(let mu, let sigma, let minimum, let maximum):
            "lognormal (μ \(mu), σ \(sigma)) from \(minimum) to \(maximum) bytes"
        case .histogram(let bins): "by a histogram of \(bins.count) bins up to \(longest) bytes"
        }
    }

    /// A standard normal variate (Box and Muller, 1958).
    private static func normal(_ random: inout SplitMix64) -> Double {
        // From 2^-53 to 1, so that the logarithm is finite.
        let u = Double((random.next() >> 11) + 1) * 0x1p-53
        let v = Double(random.next() >> 11) * 0x1p-53
        return (-2 * log(u)).squareRoot() * cos(2 * Double.pi * v)
    }
}

@usableFromInline package struct SizeBin: Hashable, Sendable {
    /// The shortest body of the bin, bytes.
    @usableFromInline package var from: Int
    /// The longest, bytes.
    @usableFromInline package var to: Int
    /// The number of bodies in it, relative to the other bins.
    @usableFromInline package var weight: Double
}
