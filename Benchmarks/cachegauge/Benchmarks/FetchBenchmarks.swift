import GaugeKit
import Platform
import URLCaching

/// A fetch over loopback by the session and by others, one after the other, on a kept connection, and 64 at once on a
/// connection each.
enum FetchBenchmarks {
    static let all: [Benchmark] =
        [("fetch/1k", 1 << 10), ("fetch/1m", 1 << 20)].flatMap { name, count in
            [
                row(name, "tiered", count) { _ in try SessionFetch(.reloadIgnoringLocalCacheData) },
                row(name, "urlsession", count, isPeer: true) { _ in URLSessionFetch() },
                row(name, "curl-easy", count, isPeer: true) { try CurlEasyFetch(url: $0) },
                row(name, "curl-multi", count, isPeer: true) { try CurlMultiFetch(url: $0) },
                row(name, "curl-multi-response", count, isPeer: true) {
                    try CurlMultiFetch(url: $0, makesResponse: true)
                },
            ]
        } + [
            row("fetch/1k", "curl-multi-task", 1 << 10, isPeer: true) { try CurlTaskFetch(url: $0) },
            row("fetch/4k-fields", "tiered", 1 << 10, ["X": 4_000]) { _ in
                try SessionFetch(.reloadIgnoringLocalCacheData)
            },
            row("fetch/4k-fields", "curl-easy", 1 << 10, ["X": 4_000], isPeer: true) { try CurlEasyFetch(url: $0) },
            row("fetch/4k-fields", "curl-multi-response", 1 << 10, ["X": 4_000], isPeer: true) {
                try CurlMultiFetch(url: $0, makesResponse: true)
            },
            row("fetch/no-store", "tiered", 1 << 10, ["no-store": 1]) { _ in
                try SessionFetch(.useProtocolCachePolicy)
            },
            row("fetch/304", "tiered", 1 << 10, ["ETag": 1]) { _ in try SessionFetch(.reloadRevalidatingCacheData) },
            row("fetch/64-at-once", "tiered", 1 << 10, atOnce: 64) { _ in
                try SessionFetch(.reloadIgnoringLocalCacheData)
            },
            row("fetch/64-at-once", "curl-multi", 1 << 10, atOnce: 64, isPeer: true) {
                try CurlMultiFetch(url: $0, mostAtOnce: 64)
            },
        ]

    /// An operation is `atOnce` fetches: a share of a batch would be as many at once as the batch happens to have.
    private static func row(
        _ name: String, _ subject: String, _ bodyCount: Int, _ fields: [String: Int] = [:], atOnce: Int = 1,
        isPeer: Bool = false, _ make: @escaping @Sendable (String) throws -> any Fetch
    ) -> Benchmark {
        Benchmark(BenchmarkName("session", name, subject), isPeer: isPeer, suites: []) { context in
            let origin = try FetchOrigin(bodyCount: bodyCount, fields: fields)
            let fetch = try make(origin.url)
            let expected = atOnce * bodyCount
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        var received = 0
                        recorder.time {
                            let url = origin.url
                            received = atOnce == 1 ? fetch.bytes(from: url) : fetch.bytes(from: url, atOnce: atOnce)
                            return .miss
                        }
                        guard received != expected else { continue }
                        context.answers.wrong(
                            key: origin.url, expected: "\(expected) bytes", got: "\(received) bytes")
                    }
                }, finish: { origin.stop() })
        }
    }
}

/// By this package's session.
private struct SessionFetch: Fetch {
    private let session: CachingSession
    private let policy: URLRequest.CachePolicy
    private let executor = CallingThread()

    init(_ policy: URLRequest.CachePolicy) throws {
        self.policy = policy
        let settings = URLSessionConfiguration.default
        settings.httpMaximumConnectionsPerHost = 64
        var configuration = CachingSession.Configuration()
        configuration.urlSession = .init(settings)
        session = CachingSession(
            configuration: configuration,
            cache: ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil))
        if let problem = session.transportProblem { throw problem }
    }

    func bytes(from url: String) -> Int {
        guard let url = URL(string: url) else { return 0 }
        let request = URLRequest(url: url, cachePolicy: policy)
        return (try? executor.run { [session] in try await session.data(for: request).0.count }) ?? 0
    }

    func bytes(from url: String, atOnce count: Int) -> Int {
        guard let url = URL(string: url) else { return 0 }
        let received = try? executor.run { [session, policy] in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<count {
                    // Another URL each, or the session would send one request for all.
                    guard let own = URL(string: "\(url.absoluteString)?\(number)") else { continue }
                    let request = URLRequest(url: own, cachePolicy: policy)
                    group.addTask { try await session.data(for: request).0.count }
                }
                return try await group.reduce(0, +)
            }
        }
        return received ?? 0
    }
}

/// By Foundation's session.
private struct URLSessionFetch: Fetch {
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    func bytes(from url: String) -> Int {
        guard let url = URL(string: url) else { return 0 }
        let done = DispatchSemaphore(value: 0)
        let count = Locked(0)
        session.dataTask(with: url) { data, _, _ in
            count.withLock { $0 = data?.count ?? 0 }
            done.signal()
        }.resume()
        done.wait()
        return count.withLock { $0 }
    }
}
