// Invariant of the pointers: `text` has 65,536 bytes plus the length of a key, written in `init`, so that a window may
// begin at any 16-bit number.

import CacheTiers
import GaugeMeasurement
import GaugeSupport

/// From a URL's text to its key's hash: a lookup's cost before it reaches a tier.
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

/// Hashing a cache key, by length.
enum KeyHashBenchmarks {
    static let all: [Benchmark] = [40, 100, 300].flatMap { [tiered($0), folded($0), swiftHasher($0)] }

    private static func tiered(_ count: Int) -> Benchmark {
        Benchmark(BenchmarkName("key-hash", "\(count)", "tiered")) { context in
            let keys = KeyWindows(count: count, seed: context.seed)
            let hasher = KeyHasher(seed: KeySeed(context.seed, 0))
            return PreparedBenchmark(
                .batched { operations in
                    var folded: UInt64 = 0
                    keys.walk(operations) { key in
                        let hash = hasher.hash(key)
                        folded ^= hash.low ^ hash.high
                    }
                    blackHole(folded)
                })
        }
    }

    /// A keyed hash of half the bits in a dozen lines.
    private static func folded(_ count: Int) -> Benchmark {
        Benchmark(BenchmarkName("key-hash", "\(count)", "folded"), isPeer: true) { context in
            let keys = KeyWindows(count: count, seed: context.seed)
            let hasher = FoldedHash(key: context.seed)
            return PreparedBenchmark(
                .batched { operations in
                    var folded: UInt64 = 0
                    keys.walk(operations) { folded ^= hasher.hash($0) }
                    blackHole(folded)
                })
        }
    }

    /// The standard library's hash, as in a dictionary: 64 bits of SipHash-1-3.
    private static func swiftHasher(_ count: Int) -> Benchmark {
        Benchmark(BenchmarkName("key-hash", "\(count)", "swift-hasher"), isPeer: true) { context in
            let keys = KeyWindows(count: count, seed: context.seed)
            return PreparedBenchmark(
                .batched { operations in
                    var folded = 0
                    keys.walk(operations) { key in
                        var hasher = Hasher()
                        hasher.combine(bytes: key)
                        folded ^= hasher.finalize()
                    }
                    blackHole(folded)
                })
        }
    }
}

/// 65,536 keys of one length: windows at random positions of a 64 KiB text. They stay in the second-level cache, so
/// that the hash is measured, not the memory.
private final class KeyWindows {
    private let text: UnsafeMutableRawPointer
    private let starts: NumberWalk
    private let count: Int

    init(count: Int, seed: UInt64) {
        self.count = count
        var random = Xoshiro256(seed: seed, "key-hash")
        text = .allocate(byteCount: 65_536 + count, alignment: 16)
        for offset in 0..<65_536 + count {
            text.storeBytes(of: UInt8(ascii: "a") + UInt8(random.next(below: 26)), toByteOffset: offset, as: UInt8.self)
        }
        starts = NumberWalk(uniformBelow: 65_536, seed: seed)
    }

    deinit { text.deallocate() }

    @inline(__always)
    func walk(_ steps: Int, _ body: (_ key: UnsafeRawBufferPointer) -> Void) {
        starts.walk(steps) { _, start in body(UnsafeRawBufferPointer(start: text + start, count: count)) }
    }
}
