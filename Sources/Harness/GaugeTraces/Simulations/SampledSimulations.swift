import GaugeSupport

/// Simulations of a sample of the keys, in caches scaled down by the same rate (C. Waldspurger, T. Saemundsson, I.
/// Ahmad, N. Park, "Cache modeling and optimization using miniature simulations", USENIX ATC 2017).
///
/// Random groups give the error (K. M. Wolter, "Introduction to variance estimation", 1985, chapter 2): each key
/// belongs to one of eight groups, and each group is simulated separately, in caches of an eighth. Chance alone spreads
/// the groups' estimates; the variance of their mean is an eighth, and less where the sample holds many of all keys
/// (W. G. Cochran, "Sampling Techniques", 1977, section 2.6). Half of the distance between that mean and the whole
/// sample's estimate is added, for the error that small caches make. A sample of all keys is exact.
///
/// Misses that are foreseen are counted in the whole trace, and only the others are estimated; see ``ForeseenMisses``.
///
/// Takes memory only for the keys of the sample. If their number is limited, the keys with the largest hashes are
/// dropped, a quarter at a time, and the caches made smaller.
struct SampledSimulations {
    private static let groups = 8
    /// Student's t for 95 % and seven degrees of freedom.
    private static let t = 2.365

    /// Simulations of the whole sample, or of a group.
    private struct Part {
        var set: SimulationSet
        var estimates: MissEstimates
        var foreseen = ForeseenMisses.Sum()
        /// Bytes of all requested bodies beyond those counted, estimated from these keys.
        var uncounted = 0.0
        var objects = 0

        init(_ policies: [PolicyKind], capacities: [Int], disk: DiskTiers?, share: Int, rate: Double) {
            set = SimulationSet(policies, capacities: capacities, disk: disk, share: share, scale: rate)
            estimates = MissEstimates(count: set.names.count)
        }

        mutating func addEstimates(rate: Double) { estimates.add(&set, foreseen, rate: rate) }
    }

    private(set) var sample: KeySample
    /// The foreseen misses of the whole trace.
    var foreseen = ForeseenMisses.Sum()
    private var whole: Part
    private var parts: [Part]
    /// By object, its number in its group.
    private var members: [UInt32] = []
    private var kept: [(hash: UInt64, object: Int)] = []

    init(_ policies: [PolicyKind], capacities: [Int], disk: DiskTiers?, share: Int, sample: KeySample) {
        self.sample = sample
        func part(_ rate: Double) -> Part {
            Part(policies, capacities: capacities, disk: disk, share: share, rate: rate)
        }
        whole = part(sample.rate)
        parts = (0..<Self.groups).map { _ in part(sample.rate / Double(Self.groups)) }
    }

    private static func group(of hash: UInt64) -> Int { Int(hash & 7) }

    /// Adds an access of a key with this hash.
    ///
    /// - Parameters:
    ///   - counted: the size that the request would count with if its key weren't in the sample.
    ///   - isForeseen: whether it is a foreseen miss.
    mutating func add(_ access: TraceAccess, hash: UInt64, counted: Int, isForeseen: Bool = false) {
        let group = Self.group(of: hash)
        if isForeseen {
            whole.foreseen.add(counted)
            parts[group].foreseen.add(counted)
        }
        if access.requested != counted {
            let uncounted = Double(access.requested - counted) / sample.rate
            whole.uncounted += uncounted
            parts[group].uncounted += uncounted * Double(Self.groups)
        }
        while members.count <= access.object {
            members.append(UInt32(truncatingIfNeeded: parts[group].objects))
            parts[group].objects += 1
            if sample.mostKeys != nil { kept.append((hash, access.object)) }
        }
        whole.set.add(SimulatedAccess(access, object: access.object), objects: members.count)
        let member = SimulatedAccess(access, object: Int(members[access.object]))
        parts[group].set.add(member, objects: parts[group].objects)
        if let most = sample.mostKeys, kept.count > most { narrow(to: most - most / 4) }
    }

    /// Removes an object's entries.
    mutating func forget(_ object: Int, hash: UInt64) {
        guard object < members.count else { return }
        whole.set.forget(object)
        parts[Self.group(of: hash)].set.forget(Int(members[object]))
    }

    /// Drops keys until so many are left.
    private mutating func narrow(to count: Int) {
        addEstimates()
        sample.narrow(to: count, of: kept.map(\.hash))
        for (hash, object) in kept where !sample.contains(hash) {
            whole.set.forget(object)
            parts[Self.group(of: hash)].set.forget(Int(members[object]))
        }
        kept.removeAll { !sample.contains($0.hash) }
        whole.set.rescale(to: sample.rate)
        for group in parts.indices { parts[group].set.rescale(to: sample.rate / Double(Self.groups)) }
    }

    private mutating func addEstimates() {
        whole.addEstimates(rate: sample.rate)
        for group in parts.indices { parts[group].addEstimates(rate: sample.rate / Double(Self.groups)) }
    }

    /// The estimated misses of each simulation in the whole trace, of `requests` and `bytes`.
    mutating func estimates(requests: Int, bytes: Int) -> [SampleEstimate] {
        addEstimates()
        return whole.estimates.misses.indices.map { index in
            var misses = whole.estimates.misses[index]
            misses.requests = min(max(0, misses.requests + Double(foreseen.requests)), Double(requests))
            misses.bytes = min(max(0, misses.bytes + Double(foreseen.bytes)), Double(bytes))
            let groups = parts.map { $0.estimates.misses[index].requests }
            // If the requested bytes are an estimate too, the error of the ratio counts.
            let missed = misses.bytes / Double(max(1, bytes))
            func missedBytes(_ part: Part) -> Double { part.estimates.misses[index].bytes - missed * part.uncounted }
            let error = error(of: whole.estimates.misses[index].requests, groups)
            let byteError = self.error(of: missedBytes(whole), parts.map(missedBytes))
            return SampleEstimate(
                misses: misses.requests, missedBytes: misses.bytes, error: ratio(error.all, of: requests),
                byteError: ratio(byteError.all, of: bytes), scaleError: ratio(error.scale, of: requests),
                byteScaleError: ratio(byteError.scale, of: bytes))
        }
    }

    /// An error as a ratio, which is at most 1. A sample without keys says nothing, though its groups agree.
    private func ratio(_ error: Double, of all: Int) -> Double {
        members.isEmpty ? 1 : min(1, error / Double(max(1, all)))
    }

    /// Bytes of all requested bodies, estimated from those counted.
    func bytes(counted: Int) -> Int {
        max(0, counted.addingClamped(Int(max(-0x1p62, min(0x1p62, whole.uncounted.rounded())))))
    }

    var names: [(policy: String, capacity: Int)] { whole.set.names }

    private func error(of whole: Double, _ groups: [Double]) -> (all: Double, scale: Double) {
        let (count, rate) = (Double(groups.count), sample.rate)
        guard rate < 1 else { return (0, 0) }
        let mean = groups.reduce(0, +) / count
        let variance = groups.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        let left = (1 - rate) / (1 - rate / count)
        let scale = abs(mean - whole) / 2
        return (Self.t * (variance / count * left).squareRoot() + scale, scale)
    }
}

/// The misses of a whole trace, estimated from a sample of its keys.
package struct SampleEstimate: Hashable, Sendable {
    package let misses: Double
    package let missedBytes: Double
    /// Half the width of a 95 % interval around the miss ratio.
    package let error: Double
    /// The same for the ratio of missed bytes.
    package let byteError: Double
    /// The parts of both errors that come from the size of the simulated caches, so that other keys don't make them
    /// smaller.
    package let scaleError: Double
    package let byteScaleError: Double

    /// - Parameters:
    ///   - scaleError: all of the error if it isn't known.
    ///   - byteScaleError: likewise.
    package init(
        misses: Double, missedBytes: Double, error: Double, byteError: Double, scaleError: Double? = nil,
        byteScaleError: Double? = nil
    ) {
        (self.misses, self.missedBytes) = (misses, missedBytes)
        (self.error, self.byteError) = (error, byteError)
        self.scaleError = min(scaleError ?? error, error)
        self.byteScaleError = min(byteScaleError ?? byteError, byteError)
    }

    package func hits(of requests: Int, bytes: Int) -> HitSum {
        func rest(_ all: Int, _ misses: Double) -> Int {
            Int(max(0, min(Double(all), 0x1p62, Double(all) - misses.rounded())))
        }
        return HitSum(hits: rest(requests, misses), bytes: rest(bytes, missedBytes))
    }
}

/// Estimates the misses of simulations from a sample whose rate may change: a miss counts as 1 / rate misses. That's
/// SHARDS with its correction (SHARDS-adj): the hits are the requests of the whole trace, which are known, minus these
/// misses, so that it doesn't matter whether a key with many hits is in the sample.
struct MissEstimates {
    struct Misses {
        var requests = 0.0
        var bytes = 0.0
    }

    private(set) var misses: [Misses]
    private var last: [HitSum]
    private var lastRequests = 0
    private var lastBytes = 0

    init(count: Int) {
        misses = Array(repeating: Misses(), count: count)
        last = Array(repeating: HitSum(), count: count)
    }

    /// Adds the misses since the last call, without those foreseen.
    mutating func add(_ set: inout SimulationSet, _ foreseen: ForeseenMisses.Sum, rate: Double) {
        set.flush()
        let (requests, bytes) = (set.requests - foreseen.requests, set.requestedBytes - foreseen.bytes)
        for (index, sum) in set.sums.enumerated() {
            misses[index].requests += Double(requests - lastRequests - (sum.hits - last[index].hits)) / rate
            misses[index].bytes += Double(bytes - lastBytes - (sum.bytes - last[index].bytes)) / rate
            last[index] = sum
        }
        (lastRequests, lastBytes) = (requests, bytes)
    }
}

/// A sample of a trace's keys: those whose hash lies in a range. It has all requests for a key or none. C. A.
/// Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with SHARDS", FAST 2015.
package struct KeySample: Hashable, Sendable {
    private static let hashes: UInt64 = 1 << 62

    package let seed: UInt64
    /// The sampled part of the keys, from 0, and how many such parts there are.
    package let shard: Int
    package let shards: Int
    /// The most keys; the rate falls when there are more. `nil` for a fixed rate.
    package let mostKeys: Int?
    private let lower: UInt64
    private var width: UInt64

    /// - Parameters:
    ///   - rate: the share of keys sampled, of all shards together: above 0, at most 1.
    ///   - mostKeys: the most keys at a time, at least 64.
    ///   - shard: from 0 to `shards` − 1. Samples of different shards have no key in common.
    package init(seed: UInt64, rate: Double = 1, mostKeys: Int? = nil, shard: Int = 0, of shards: Int = 1) {
        (self.seed, self.shard, self.shards, self.mostKeys) = (seed, shard, shards, mostKeys)
        let part = Self.hashes / UInt64(max(1, shards))
        lower = part * UInt64(max(0, shard))
        width = max(1, UInt64(Double(part) * min(1, max(0, rate))))
    }

    /// The share of the keys that is sampled.
    package var rate: Double { Double(width) / Double(Self.hashes) }

    @inline(__always)
    package func hash(of id: UInt64) -> UInt64? {
        let hash = SplitMix64.mix(SplitMix64.mix(id &+ 0x9E37_79B9_7F4A_7C15) ^ seed) >> 2
        return hash &- lower < width ? hash : nil
    }

    /// Whether a hash is still in the sample.
    func contains(_ hash: UInt64) -> Bool { hash &- lower < width }

    /// Lowers the rate so that only the lowest `count` of these hashes remain.
    mutating func narrow(to count: Int, of hashes: [UInt64]) {
        let sorted = hashes.sorted()
        if count < sorted.count { width = max(1, min(width, sorted[count] - lower)) }
    }
}
