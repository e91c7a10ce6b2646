import GaugeKit
import GaugeTraces
import URLCaching

/// URLCache's interface, this package's and Foundation's: a URLRequest in, a CachedURLResponse out.
///
/// The benchmark reads the body, not the head. Foundation's cache has decoded the head by then; this one decodes it on
/// demand, which on a disk hit would add the microseconds of an `HTTPURLResponse` on Linux.
enum URLCacheBenchmarks {
    static let all: [Benchmark] =
        rows(RequestSubject.self, "tiered", isPeer: false) + rows(FoundationSubject.self, "foundation", isPeer: true)
        + [getters]

    /// Rows of the memory stage driven by requests. There, `tiered` is looked up by key, which Foundation's can't be.
    static let memory: [Benchmark] =
        SubjectBenchmarks.memory(RequestSubject.self, isPeer: false, reference: RequestSubject.name, suites: onlyHit)
        + SubjectBenchmarks.memory(
            FoundationSubject.self, isPeer: true, reference: RequestSubject.name, suites: onlyHit)

    private static func onlyHit(_ name: String) -> Set<String> { name == "hit/1k" ? ["default"] : [] }

    /// These rows are the answer for an application, and measured first.
    private static let suites: Set<String> = ["default", BenchmarkCase.headline]

    /// What `store` takes of Foundation where a cache asks its getters for everything that has to be stored, after the
    /// `CachedURLResponse` is made, as by the others. Most of it is `allHeaderFields`, which this package's does
    /// without.
    private static let getters = Benchmark(BenchmarkName("url-cache", "store", "getters"), isPeer: true) { context in
        let key = try RequestAndResponse(url: RequestURLs(seed: context.seed).url(for: 0))
        let body = [UInt8](repeating: 0x61, count: 3 << 10)
        return PreparedBenchmark(
            .timed { operations, recorder in
                for _ in 0..<operations {
                    recorder.time {
                        let stored = CachedURLResponse(response: key.response, data: Data(body))
                        blackHole(asked(stored, key.request))
                        return .storeEvict
                    }
                }
            })
    }

    @inline(never)
    private static func asked(_ stored: CachedURLResponse, _ request: URLRequest) -> Int {
        var sum = (request.httpMethod?.utf8.count ?? 0) + (request.url?.absoluteString.utf8.count ?? 0)
        sum &+= request.allHTTPHeaderFields?.count ?? 0
        sum &+= stored.data.withUnsafeBytes { $0.count } &+ (stored.userInfo?.count ?? 0)
        sum &+= Int(stored.storagePolicy.rawValue)
        guard let response = stored.response as? HTTPURLResponse else { return sum }
        return sum &+ response.statusCode &+ response.allHeaderFields.count
    }

    private static func rows<Subject: CacheSubject>(_ type: Subject.Type, _ name: String, isPeer: Bool) -> [Benchmark] {
        let work = { (operation: String, tier: SubjectTier, bodyCount: Int, entries: Int?) in
            SubjectCase(
                "url-cache", operation, tier: tier, bodyCount: bodyCount, entries: entries, suites: suites,
                isPeer: isPeer, subject: name)
        }
        return [
            SubjectBenchmarks.batchedHit(type, work("hit", .memory, 3 << 10, 1_000)),
            SubjectBenchmarks.store(type, work("store", .memory, 3 << 10, nil)),
            SubjectBenchmarks.hit(type, work("hit-disk", .disk, 1 << 12, 1_000)),
        ]
    }
}
