import GaugeKit
import Platform
import URLCaching

/// A fetch over loopback by the session and by others, one after the other, on a kept connection.
enum FetchBenchmarks {
    static let all: [Benchmark] =
        [("fetch/1k", 1 << 10), ("fetch/1m", 1 << 20)].flatMap { name, count in
            [
                row(name, "tiered", count) { _ in try SessionFetch() },
                row(name, "urlsession", count, isPeer: true) { _ in URLSessionFetch() },
                row(name, "curl-easy", count, isPeer: true) { try CurlEasyFetch(url: $0) },
                row(name, "curl-multi", count, isPeer: true) { try CurlMultiFetch(url: $0) },
            ]
        } + [
            row("fetch/4k-fields", "tiered", 1 << 10, fieldCount: 4_000) { _ in try SessionFetch() },
            row("fetch/4k-fields", "curl-easy", 1 << 10, fieldCount: 4_000, isPeer: true) {
                try CurlEasyFetch(url: $0)
            },
        ]

    private static func row(
        _ name: String, _ subject: String, _ count: Int, fieldCount: Int = 0, isPeer: Bool = false,
        _ make: @escaping @Sendable (String) throws -> any Fetch
    ) -> Benchmark {
        Benchmark(BenchmarkName("session", name, subject), isPeer: isPeer, suites: []) { context in
            let origin = try FetchOrigin(bodyCount: count, fieldCount: fieldCount)
            let fetch = try make(origin.url)
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        var received = 0
                        recorder.time {
                            received = fetch.bytes(from: origin.url)
                            return .miss
                        }
                        if received != count {
                            context.answers.wrong(
                                key: origin.url, expected: "\(count) bytes", got: "\(received) bytes")
                        }
                    }
                }, finish: { origin.stop() })
        }
    }
}

/// By this package's session, ignoring what is stored.
private struct SessionFetch: Fetch {
    private let session: CachingSession
    private let executor = CallingThread()

    init() throws {
        session = CachingSession(cache: ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil))
        if let problem = session.transportProblem { throw problem }
    }

    func bytes(from url: String) -> Int {
        guard let url = URL(string: url) else { return 0 }
        let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        return (try? executor.run { [session] in try await session.data(for: request).0.count }) ?? 0
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
