import Foundation
import Platform
import TestSupport
import Testing

/// Runs `verify` and a simulation with the built executable.
@Suite("Command verify") struct VerifyCommandTests {
    private func verdicts(_ run: ChildRun) throws -> [String: String] {
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let promises = try #require(document?["promises"] as? [[String: Any]])
        return Dictionary(
            promises.map { ($0["promise"] as? String ?? "", $0["verdict"] as? String ?? "") }, uniquingKeysWith: { $1 })
    }

    /// Each change is tried by a release build in `.ci/run`.
    @Test(
        "this package's cache keeps every promise, each of which can be tried on it",
        .enabled(if: isNightly, "each night"))
    func tiered() throws {
        let run = try ChildRun("cachegauge", ["verify", "--format", "json", "--time-out", "600", "--search", "0.05"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let verdicts = try verdicts(run)
        #expect(verdicts.count > 30)
        // The cache has no lifetimes beside those of HTTP, tells no caller of an eviction, has the order of one policy,
        // keeps no file for each entry, and promises no order on disk.
        let others = verdicts.filter { $0.value != "kept" }
        #expect(
            others == [
                "gdsf": "n/a", "expired": "n/a", "expired-reopened": "n/a", "told-evictions": "n/a",
                "damaged-name": "n/a", "fifo": "n/a", "used-kept-reopened": "n/a",
            ])
    }

    @Test("with the policy gdsf the promises about the order of LRU are replaced by its own") func policy() throws {
        for (promise, verdict) in [("gdsf", "kept"), ("lru", "n/a"), ("memory-held", "kept"), ("disk-held", "kept")] {
            let run = try ChildRun(
                "cachegauge", ["verify", "--policy", "gdsf", "--promise", promise, "--format", "json"])
            #expect(try verdicts(run) == [promise: verdict], "\(run.output)\(run.errors)")
        }
        let run = try ChildRun("cachegauge", ["verify", "--policy", "gdsf", "--subject", "foundation"])
        #expect(run.status == 64 && run.errors.contains("foundation has no policy gdsf"), "\(run.errors)")
    }

    @Test("a promise that a cache breaks is told, and the exit code is 3", .enabled(if: isLinux))
    func foundation() throws {
        let run = try ChildRun(
            "cachegauge", ["verify", "--subject", "foundation", "--promise", "key-query", "--time-out", "600"])
        #expect(run.status == 3)
        #expect(run.output.contains("answered with the body of https://a.example/p?v=1"))
        let crash = try ChildRun(
            "cachegauge",
            ["verify", "--subject", "foundation", "--promise", "twice-evicted-memory", "--time-out", "600"])
        #expect(crash.status == 3 && crash.output.contains("crashed"), "\(crash.output)")
    }

    private static var isLinux: Bool {
        #if os(Linux)
        true
        #else
        false
        #endif
    }

    @Test("a simulation of one seed gives the same report byte for byte, without a wrong answer")
    func simulation() throws {
        let arguments = [
            "simulate", "page-loads", "--days", "0.05", "--operations", "read=0.98,store=0.01,remove=0.01",
        ]
        let start = monotonicNanoseconds()
        let first = try ChildRun("cachegauge", arguments)
        let waited = Double(monotonicNanoseconds() - start)
        let second = try ChildRun("cachegauge", arguments)
        #expect(first.status == 0, "\(first.errors)")
        let told = try #require(
            first.errors.firstMatch(of: /simulated in ([0-9.]+) ?(ns|µs|ms|s)\n/), "\(first.errors)")
        let unit = try #require(["ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9][told.output.2])
        // Of three digits.
        #expect((0...waited * 1.01).contains(try #require(Double(told.output.1)) * unit), "\(first.errors)")
        #expect(first.output == second.output)
        #expect(first.output.contains("memory hits"))
        let other = try ChildRun("cachegauge", arguments + ["--seed", "2"])
        #expect(other.output != first.output)
    }
}
