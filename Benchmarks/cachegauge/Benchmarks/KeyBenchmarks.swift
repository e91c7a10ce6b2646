import CacheTiers
import GaugeMeasurement

/// From the text of a URL to the hash of its key: the cost of a lookup before it reaches a tier.
enum KeyBenchmarks {
    static let all: [Benchmark] = [canonical, rewritten]

    /// URLs in canonical form, as most programs produce them.
    private static let canonical = benchmark("url-100", suites: ["default"]) { host, path in
        "https://\(host)/\(path)"
    }

    /// URLs that must be rewritten: capitals in the host, a default port, a fragment.
    private static let rewritten = benchmark("url-100-rewritten", suites: []) { host, path in
        "https://\(host.uppercased()):443/\(path.dropLast(9))#top"
    }

    private static func benchmark(
        _ name: String, suites: Set<String>, url: @escaping @Sendable (_ host: String, _ path: String) -> String
    ) -> Benchmark {
        Benchmark(BenchmarkName("key", name, "tiered"), suites: suites) { context in
            var number = 0
            let numbers = NumberWalk {
                number += 1; return number
            }
            let urls = KeyWalk(numbers, length: 100) { number in
                let host = "img\(number % 97 + 10).example.com"
                let path = "photos/albums/2026/\(number)/thumbnail-of-the-day.jpg?width=320&height=240&version="
                return url(host, path.padding(to: 92 - host.utf8.count - 1))
            }
            let hasher = KeyHasher(seed: KeySeed(context.seed, 0))
            return PreparedBenchmark(
                .batched { operations in
                    var folded: UInt64 = 0
                    urls.walk(operations) { _, url in
                        let hash = try? CanonicalURL.withBytes(of: url) { hasher.hash($0) }
                        folded ^= hash?.low ?? 0
                    }
                    blackHole(folded)
                })
        }
    }
}
