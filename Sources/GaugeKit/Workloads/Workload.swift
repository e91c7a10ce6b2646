/// What is asked of a cache: which keys, how many objects there are, and how long their bodies are. Two workloads that
/// are equal ask the same, request by request.
public struct Workload: Hashable, Sendable, CustomStringConvertible {
    /// In what pattern keys are asked for.
    public var pattern: KeyPattern
    /// How many objects there are.
    public var objects: Int
    /// How long their bodies are.
    public var sizes: BodySizes
    /// Which of the workloads of this description.
    public var seed: UInt64

    /// Describes a workload.
    public init(pattern: KeyPattern, objects: Int, sizes: BodySizes, seed: UInt64) {
        self.pattern = pattern
        self.objects = max(1, objects)
        self.sizes = sizes
        self.seed = seed
    }

    /// Requests as a web cache sees them: 10,000 objects by Zipf's law with an exponent of 0.8 (0.64 to 0.83 at the
    /// proxies of Breslau et al., "Web caching and Zipf-like distributions", INFOCOM 1999), their bodies
    /// ``BodySizes/webLike(seed:)``: about 270 MB in all.
    public static func webLike(seed: UInt64) -> Workload {
        Workload(pattern: .zipf(exponent: 0.8), objects: 10_000, sizes: .webLike(seed: seed), seed: seed)
    }

    /// The ids asked for, from the first on.
    public func keys() -> any KeyStream { pattern.stream(objects: objects, seed: seed) }

    /// What an LRU cache of `capacity` bytes holds after the requests that `keys` gives next, the least recent first.
    ///
    /// - Parameters:
    ///   - keys: loses the requests that were taken.
    ///   - requests: how many are taken.
    ///   - overhead: bytes that an entry needs beside its body.
    public func resident(after requests: Int, of keys: inout any KeyStream, capacity: Int, overhead: Int) -> [UInt64] {
        var lru = ExactLRU(capacity: .bytes(capacity, largest: capacity / 20))
        for _ in 0..<requests {
            let key = keys.next()
            _ = lru.access(key, size: sizes.size(of: key) + overhead)
        }
        return lru.keys.reversed()
    }

    /// For people: `Zipf 0.8 over 10000 objects, bodies lognormal (…), seed 1`.
    public var description: String { "\(pattern) over \(objects) objects, bodies \(sizes), seed \(seed)" }
}
