/// The requests to a cache: their keys, the number of objects, and the lengths of bodies. Equal workloads have the same
/// requests, one by one.
@usableFromInline package struct Workload: Hashable, Sendable, CustomStringConvertible {
    /// The description of the workload, without the seed.
    @usableFromInline package let plan: WorkloadPlan
    /// The lengths of the bodies.
    @usableFromInline package let sizes: BodySizes
    @usableFromInline package let seed: UInt64

    @usableFromInline package init(_ plan: WorkloadPlan, seed: UInt64) {
        self.plan = plan
        self.seed = seed
        sizes = BodySizes(plan.sizes, seed: seed)
    }

    @usableFromInline package var pattern: KeyPattern { plan.keys }
    /// The number of objects, at least 1.
    @usableFromInline package var objects: Int { max(1, plan.objects) }

    /// Requests as a web cache sees them: 10,000 objects by Zipf's law with an exponent of 0.8 (0.64 to 0.83 at the
    /// proxies of Breslau et al., "Web caching and Zipf-like distributions", INFOCOM 1999), with bodies
    /// ``BodySizes/webLike(seed:)``: about 270 MB in all.
    @usableFromInline package static func webLike(seed: UInt64) -> Workload { Workload(WorkloadPlan(), seed: seed) }

    @usableFromInline package func keys() -> any KeyStream { pattern.stream(objects: objects, seed: seed) }

    package func headers(of key: UInt64) -> HeaderClass { HeaderClass.of(key, among: plan.headers, seed: seed) }

    /// The ids that an LRU cache of `capacity` bytes holds after the next `requests` of `keys`, the least recent first.
    ///
    /// - Parameters:
    ///   - keys: the stream, which advances by `requests` ids.
    ///   - overhead: bytes that an entry needs beside its body.
    @usableFromInline package func resident(
        after requests: Int, of keys: inout any KeyStream, capacity: Int, overhead: Int
    ) -> [UInt64] {
        var lru = ExactLRU(capacity: .bytes(capacity, largest: capacity / 20))
        for _ in 0..<requests {
            let key = keys.next()
            _ = lru.access(key, size: sizes.size(of: key) + overhead)
        }
        return lru.keys.reversed()
    }

    /// For reports: `Zipf 0.8 over 10000 objects, bodies lognormal (…), seed 1`.
    @usableFromInline package var description: String {
        "\(pattern) over \(objects) objects, bodies \(sizes), seed \(seed)"
    }
}
