import GaugeMeasurement
import GaugeSupport
import HTTPSemantics

/// Parsing a response's header fields as they come from the network.
enum FieldsBenchmarks {
    static let all: [Benchmark] = [block]

    /// Twelve fields, about 450 bytes: finds all names and values, and the values that a cache reads.
    private static let block = Benchmark(BenchmarkName("fields", "block", "tiered")) { context in
        let mix = TextMix(seed: context.seed, "fields", response)
        return PreparedBenchmark(
            .batched { operations in
                // One block for all, as in a connection, to reuse its storage.
                var block = FieldBlock()
                let folded = mix.fold(operations) { bytes in
                    do {
                        try block.parse(RawSpan(_unsafeBytes: bytes), now: now)
                    } catch { return -1 }
                    return block.values.cacheControl.maxAge.rawValue &+ (block.values.expires.seconds ?? 0)
                        &+ Int64(block.lines.count)
                }
                blackHole(folded)
            })
    }

    private static let now: Int64 = 1_795_233_600

    @Sendable private static func response(_ random: inout Xoshiro256) -> String {
        let age = Int64(random.next(below: 100_000))
        let number = random.next()
        let type = ["text/html; charset=utf-8", "image/jpeg", "application/json", "text/css"]
        let server = ["nginx/1.25.3", "Apache/2.4.58 (Debian)", "cloudflare", "AmazonS3"]
        return [
            "Date: \(HTTPDate.format(now - age))",
            "Content-Type: \(type[Int(number & 3)])",
            "Content-Length: \(number >> 40)",
            "Connection: keep-alive",
            "Server: \(server[Int(number >> 2 & 3)])",
            "Last-Modified: \(HTTPDate.format(now - age * 900))",
            "ETag: \"\(String(number, radix: 16))\"",
            "Expires: \(HTTPDate.format(now + age))",
            "Cache-Control: public, max-age=\(age)",
            "Vary: Accept-Encoding, Accept",
            "Strict-Transport-Security: max-age=31536000; includeSubDomains; preload",
            "X-Request-Id: \(String(number, radix: 36))-\(String(number &* 31, radix: 36))",
        ].joined(separator: "\r\n") + "\r\n\r\n"
    }
}
