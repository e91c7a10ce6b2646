/// Estimates the misses of simulations from a sample whose rate may change: a miss counts for as many as the rate was
/// small. That is SHARDS with its correction (SHARDS-adj): the hits are the requests of the whole trace, which are known,
/// less these misses, so that a key with many hits disturbs nothing whether it is in the sample or not.
struct MissEstimates {
    /// Misses, and bytes of bodies that were missed, of one simulation.
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

    /// Adds the misses since the last call.
    mutating func add(_ set: inout SimulationSet, rate: Double) {
        set.flush()
        for (index, sum) in set.sums.enumerated() {
            let (requests, bytes) = (set.requests - lastRequests, set.requestedBytes - lastBytes)
            misses[index].requests += Double(requests - (sum.hits - last[index].hits)) / rate
            misses[index].bytes += Double(bytes - (sum.bytes - last[index].bytes)) / rate
            last[index] = sum
        }
        (lastRequests, lastBytes) = (set.requests, set.requestedBytes)
    }
}
