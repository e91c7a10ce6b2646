import Foundation
import GaugeKit
import Platform

/// A separate executable, like that of another package, whose benchmarks misbehave in every way that a run must
/// survive.
@main
struct PlantedGauge {
    static func main() {
        Gauge(
            benchmarks: benchmarks, subjects: PlantedSubjects.underTest, asyncSubjects: [PlantedActor.self],
            peers: PlantedSubjects.peers,
            executable: "planted", version: "7"
        ).main()
    }

    static let benchmarks =
        pair("honest", suites: ["default"], Misdeeds.none)
        + pair("second", suites: ["default"], Misdeeds.none)
        + pair("crash", Misdeeds.crash) + pair("trap", Misdeeds.trap) + pair("exit", Misdeeds.exit)
        + pair("hang", hang) + pair("lie", lie) + pair("chatter", Misdeeds.chatter)
        + pair("refuse", preparing: { _ in throw Refusal() }, Misdeeds.none)
        + pair("crash-early", preparing: { Misdeeds.crash($0) }, Misdeeds.none)
        + [timed("timed", subject: "tiered", isPeer: false, factor: 1)]
        + [timed("timed", subject: "peer", isPeer: true, factor: 10)]
        + [threaded]
        + (build == "less" ? [] : [figures])
        + onlyInMore + BurstCaches.benchmarks + HelpedSubjects.benchmarks + PlantedActor.benchmarks

    /// The difference of another build of this executable, for which `PLANTED_BUILD` stands: `more` has one more
    /// benchmark and `less` one less, in `worse` every other request of the timed ones misses and the actor is slower,
    /// in `lies` they lie, and `honest` never lies or hangs.
    static let build = ProcessInfo.processInfo.environment["PLANTED_BUILD"] ?? ""

    static let lie = build == "honest" ? Misdeeds.none : Misdeeds.lie
    static let hang = build == "honest" ? Misdeeds.none : Misdeeds.hang

    static let onlyInMore: [Benchmark] =
        build == "more" ? [timed("more", subject: "tiered", isPeer: false, factor: 1)] : []

    struct Refusal: Error, CustomStringConvertible { let description = "no such library; install it" }

    /// Two cases: in `planted/<name>-peer/*` the peer misbehaves, in `planted/<name>-subject/*` the subject under test.
    static func pair(
        _ name: String, suites: Set<String> = [],
        preparing: @escaping @Sendable (RunContext) throws -> Void = { _ in },
        _ misdeed: @escaping @Sendable (RunContext) -> Void
    ) -> [Benchmark] {
        ["peer", "subject"].flatMap { guilty in
            [("tiered", false), ("peer", true)].map { subject, isPeer in
                Benchmark(BenchmarkName("planted", "\(name)-\(guilty)", subject), isPeer: isPeer, suites: suites) {
                    context in
                    let isGuilty = isPeer == (guilty == "peer")
                    if isGuilty { try preparing(context) }
                    return PreparedBenchmark(
                        .batched { operations in
                            if isGuilty { misdeed(context) }
                            spin(operations)
                        })
                }
            }
        }
    }

    static func spin(_ operations: Int) {
        var state: UInt64 = 1
        for _ in 0..<operations { state = opaque(state &* 3) }
        blackHole(state)
    }

    static func timed(_ name: String, subject: String, isPeer: Bool, factor: UInt64) -> Benchmark {
        Benchmark(BenchmarkName("planted", name, subject), isPeer: isPeer, suites: []) { context in
            PreparedBenchmark(
                .timed { operations, recorder in
                    if build == "lies" { Misdeeds.lie(context) }
                    let period = build == "worse" ? 2 : 4
                    for index in 0..<operations {
                        let isHit = !index.isMultiple(of: period)
                        // Made-up times, so that a test can know the percentiles.
                        recorder.record(isHit ? .memoryHit : .miss, nanoseconds: (isHit ? 100 : 4_000) * factor)
                        spin(20)
                    }
                })
        }
    }

    static let threaded = Benchmark(BenchmarkName("planted", "threads/2", "tiered"), suites: []) { _ in
        PreparedBenchmark(.threaded(threads: 2) { _, operations in spin(operations) })
    }

    static let figures = Benchmark(BenchmarkName("planted", "figures", "tiered"), suites: []) { _ in
        PreparedBenchmark(
            .batched { spin($0) }, figures: { [Figure("hit ratio", 0.714, .ratio), Figure("evictions", 3)] })
    }
}
