/// What is asked of a cache: which keys, how many objects there are, and how long their bodies are. Two workloads that
/// are equal ask the same, request by request.
@usableFromInline package struct Workload: Hashable, Sendable, CustomStringConvertible {
    /// What it is, but for the seed.
    @usableFromInline package let plan: WorkloadPlan
    /// How long the bodies are.
    @usableFromInline package let sizes: BodySizes
    /// Which of the workloads of this description.
    @usableFromInline package let seed: UInt64

    /// The workload of a plan that a seed stands for.
    @usableFromInline package init(_ plan: WorkloadPlan, seed: UInt64) {
        self.plan = plan
        self.seed = seed
        sizes = BodySizes(plan.sizes, seed: seed)
    }

    /// In what pattern keys are asked for.
    @usableFromInline package var pattern: KeyPattern { plan.keys }
    /// How many objects there are.
    @usableFromInline package var objects: Int { max(1, plan.objects) }

    /// Requests as a web cache sees them: 10,000 objects by Zipf's law with an exponent of 0.8 (0.64 to 0.83 at the
    /// proxies of Breslau et al., "Web caching and Zipf-like distributions", INFOCOM 1999), their bodies
    /// ``BodySizes/webLike(seed:)``: about 270 MB in all.
    @usableFromInline package static func webLike(seed: UInt64) -> Workload { Workload(WorkloadPlan(), seed: seed) }

    /// The ids asked for, from the first on.
    @usableFromInline package func keys() -> any KeyStream { pattern.stream(objects: objects, seed: seed) }

    /// The fields that an object comes with.
    package func headers(of key: UInt64) -> HeaderClass { HeaderClass.of(key, among: plan.headers, seed: seed) }

    /// What an LRU cache of `capacity` bytes holds after the requests that `keys` gives next, the least recent first.
    ///
    /// - Parameters:
    ///   - keys: loses the requests that were taken.
    ///   - requests: how many are taken.
    ///   - overhead: bytes that an entry needs beside its body.
    @usableFromInline package func resident(after requests: Int, of keys: inout any KeyStream, capacity: Int, overhead: Int) -> [UInt64] {
        var lru = ExactLRU(capacity: .bytes(capacity, largest: capacity / 20))
        for _ in 0..<requests {
            let key = keys.next()
            _ = lru.access(key, size: sizes.size(of: key) + overhead)
        }
        return lru.keys.reversed()
    }

    /// For people: `Zipf 0.8 over 10000 objects, bodies lognormal (…), seed 1`.
    @usableFromInline package var description: String { "\(pattern) over \(objects) objects, bodies \(sizes), seed \(seed)" }
}
