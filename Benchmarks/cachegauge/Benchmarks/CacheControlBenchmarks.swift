import Foundation
import GaugeMeasurement
import GaugeSupport
import HTTPSemantics

/// Parsing `Cache-Control`: the commonest value, a short list, fifteen kinds in random order, and a difficult value.
enum CacheControlBenchmarks {
    static let all: [Benchmark] = cases.flatMap { [tiered($0), plain($0), split($0)] }

    private struct Case: Sendable {
        let name: String
        let make: @Sendable (inout Xoshiro256) -> String
    }

    private static let cases = [
        Case(name: "max-age") { "max-age=\($0.next(below: 9_000) + 1_000)" },
        Case(name: "immutable") { "public, max-age=\($0.next(below: 1_000_000) + 31_000_000), immutable" },
        Case(name: "mix", make: kind),
        Case(name: "nasty", make: nasty),
    ]

    /// One of fifteen kinds of value that servers send.
    @Sendable private static func kind(_ random: inout Xoshiro256) -> String {
        let seconds = random.next(below: 1_000_000)
        return switch random.next(below: 15) {
        case 0: "max-age=\(seconds)"
        case 1: "no-cache"
        case 2: "no-store"
        case 3: "private"
        case 4: "private, max-age=0"
        case 5: "public, max-age=\(seconds)"
        case 6: "public, max-age=31536000, immutable"
        case 7: "max-age=\(seconds), must-revalidate"
        case 8: "no-cache, no-store, must-revalidate"
        case 9: "private, no-cache, no-store, max-age=0, must-revalidate"
        case 10: "public, s-maxage=\(seconds), max-age=60"
        case 11: "max-age=\(seconds), stale-while-revalidate=\(seconds)"
        case 12: "public, max-age=\(seconds), stale-if-error=86400"
        case 13: "Public, Max-Age=\(seconds)"
        default: "max-age=\(seconds), public, no-transform"
        }
    }

    /// About 300 bytes that the grammar allows but servers don't send: quoted commas and quotes, upper case, empty
    /// elements, long numbers, unknown directives, conflicts.
    @Sendable private static func nasty(_ random: inout Xoshiro256) -> String {
        let seconds = random.next(below: 1_000_000)
        return """
            PUBLIC , x-ext="a, b; max-age=1", No-Cache="Set-Cookie, X-\\"Hidden", , ,community="UCI \(seconds)", \
            private="Authorization, Cookie", S-MAXAGE="\(seconds)", stale-while-revalidate=\(seconds), \
            stale-if-error="86400" , max-age=\(seconds)000000000000, pre-check=0, proxy-revalidate, \
            must-understand , no-transform, max-age=12
            """
    }

    private static func mix(_ item: Case, _ context: RunContext) -> TextMix {
        TextMix(seed: context.seed, "cache-control", item.make)
    }

    private static func tiered(_ item: Case) -> Benchmark {
        Benchmark(BenchmarkName("cache-control", item.name, "tiered")) { context in
            let mix = mix(item, context)
            return PreparedBenchmark(
                .batched { operations in
                    blackHole(mix.fold(operations) { digest(CacheControl.parse(RawSpan(_unsafeBytes: $0))) })
                })
        }
    }

    /// A plain byte loop with the same results.
    private static func plain(_ item: Case) -> Benchmark {
        Benchmark(BenchmarkName("cache-control", item.name, "plain"), isPeer: true) { context in
            let mix = mix(item, context)
            return PreparedBenchmark(
                .batched { operations in blackHole(mix.fold(operations) { digest(PlainCacheControl.parse($0)) }) })
        }
    }

    /// The parser that applications usually have, on a string. It misreads most values of `nasty`.
    private static func split(_ item: Case) -> Benchmark {
        Benchmark(BenchmarkName("cache-control", item.name, "split"), isPeer: true) { context in
            let mix = mix(item, context)
            let strings = mix.strings
            if let differing = strings.first(where: { digest(SplitCacheControl.parse($0)) != digest(.parse($0)) }),
                item.name != "nasty"
            {
                throw PeerDisagreement(value: differing)
            }
            return PreparedBenchmark(
                .batched { operations in
                    var folded: Int64 = 0
                    mix.walk(operations) { folded &+= digest(SplitCacheControl.parse(strings[$0])) }
                    blackHole(UInt64(bitPattern: folded))
                })
        }
    }

    /// Combines all parsed values, so that the optimiser can't remove the parsing.
    @inline(__always)
    private static func digest(_ control: CacheControl) -> Int64 {
        let numbers = control.maxAge.rawValue &+ control.sharedMaxAge.rawValue &+ control.staleIfError.rawValue
        return numbers &+ control.staleWhileRevalidate.rawValue &+ Int64(control.directives.rawValue)
    }
}

/// The peer's result differs, so it wouldn't do the same work.
private struct PeerDisagreement: Error, CustomStringConvertible {
    let value: String
    var description: String { "split reads the Cache-Control value \"\(value)\" otherwise; correct SplitCacheControl" }
}

/// Parses `Cache-Control` as applications usually do: split, trim, lower-case, compare.
private enum SplitCacheControl {
    static func parse(_ value: String) -> CacheControl {
        var control = CacheControl()
        for element in value.split(separator: ",") {
            let parts = element.split(separator: "=", maxSplits: 1)
            guard let name = parts.first?.trimmingCharacters(in: .whitespaces).lowercased() else { continue }
            let argument = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            let seconds = Int64(argument).map { DeltaSeconds.seconds($0) } ?? .invalid
            switch name {
            case "no-store": control.directives.insert(.noStore)
            case "no-cache": control.directives.insert(.noCache)
            case "must-revalidate": control.directives.insert(.mustRevalidate)
            case "proxy-revalidate": control.directives.insert(.proxyRevalidate)
            case "public": control.directives.insert(.public)
            case "private": control.directives.insert(.private)
            case "immutable": control.directives.insert(.immutable)
            case "must-understand": control.directives.insert(.mustUnderstand)
            case "no-transform": control.directives.insert(.noTransform)
            case "only-if-cached": control.directives.insert(.onlyIfCached)
            case "max-age": control.maxAge = seconds
            case "s-maxage": control.sharedMaxAge = seconds
            case "stale-while-revalidate": control.staleWhileRevalidate = seconds
            case "stale-if-error": control.staleIfError = seconds
            case "min-fresh": control.minFresh = seconds
            case "max-stale": control.maxStale = seconds
            default: break
            }
        }
        return control
    }
}
