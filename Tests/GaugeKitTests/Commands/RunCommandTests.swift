import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport

/// The command `run`, with rows whose times are made up.
@Suite("Command run", .timeLimit(.minutes(60)))
struct RunCommandTests {
    private func rows(_ arguments: String...) throws -> [String: JSONValue] {
        let run = try ChildRun("PlantedGauge", ["run", "--format=json", "--seconds=600", "--suite=full"] + arguments)
        #expect(run.status == 0, "\(run.errors)")
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8))
        let entries = (document["benchmarks"]?.elements ?? []).filter { $0["operations"] != nil }
        return Dictionary(entries.compactMap { entry in entry["run_name"]?.string.map { ($0, entry) } }) { $1 }
    }

    @Test("each set has so many slices as asked for, and there are so many sets") func slices() throws {
        let rows = try rows("--filter=^planted/timed/", "--sets=2", "--samples=3")
        #expect(rows.count == 6, "\(rows.keys)")
        for (name, row) in rows {
            let counts = (row["sets"]?.elements ?? []).map { $0["slices"]?.elements.count ?? 0 }
            // A slice begins with a miss; on a busy machine it may end before its first hit, and be so long that it is
            // the only one of its set.
            let isMiss = name.contains("miss")
            #expect(counts.allSatisfy { (isMiss ? 1...3 : 0...3).contains($0) }, "\(name): \(counts)")
            #expect(!isMiss || counts.count == 2, "\(name): \(counts)")
        }
    }

    @Test("each outcome has its own time, and the ratio to the reference is that of the same outcome")
    func outcomes() throws {
        let rows = try rows("--filter=^planted/timed/", "--sets=2", "--samples=2")
        func figures(_ name: String, _ keys: [String]) throws -> [Double?] {
            let row = try #require(rows[name], "\(rows.keys)")
            return keys.map { row[$0]?.double }
        }
        let keys = ["minimum", "median", "maximum", "mean", "ratio"]
        #expect(try figures("planted/timed-memory-hit/tiered", keys) == [100, 100, 100, 100, 1])
        #expect(try figures("planted/timed-miss/tiered", keys) == [4_000, 4_000, 4_000, 4_000, 1])
        let hit = try figures("planted/timed-memory-hit/peer", keys)
        let miss = try figures("planted/timed-miss/peer", keys)
        #expect(hit.prefix(4) == [1_000, 1_000, 1_000, 1_000] && miss.prefix(4) == [40_000, 40_000, 40_000, 40_000])
        // Of another outcome it would be 0.25 or 400. Where the machine was too slow for an undisturbed time there is
        // none, and where its clock changed meanwhile, times of different clocks are compared.
        for ratio in [hit[4], miss[4]] { #expect(abs((ratio ?? 10) - 10) < 2, "\(ratio ?? 10)") }
        // Three of four operations are hits.
        let whole = try figures("planted/timed/peer", ["ratio", "items_per_second"])
        #expect(abs(try #require(whole[0]) - 10) < 2, "\(whole)")
        #expect(abs(try #require(whole[1]) * 10_750 / 1e9 - 1) < 0.2, "\(whole)")
    }

    @Test("figures that workers count stand in the row, and threads add up") func figures() throws {
        let rows = try rows("--filter=^planted/(figures|threads/2)/", "--sets=2", "--samples=2")
        let figures = try #require(rows["planted/figures/tiered"])
        #expect(figures["hit_ratio"]?.double == 0.714 && figures["evictions"]?.double == 3)
        let threads = try #require(rows["planted/threads/2/tiered"])
        #expect(threads["threads"]?.double == 2)
        let (median, rate) = (threads["median"]?.double, threads["items_per_second"]?.double)
        #expect(abs(try #require(median) * #require(rate) / 1e9 - 1) < 1e-9)
    }

    @Test("--verbose prints every figure; without it the table has throughput, and neither noise nor hit ratios")
    func verbose() throws {
        func output(_ options: String...) throws -> String {
            let run = try ChildRun(
                "PlantedGauge",
                ["run", "--suite=full", "--filter=^planted/figures/", "--sets=1", "--samples=1"] + options)
            #expect(run.status == 0, "\(run.errors)")
            return run.output
        }
        let (short, long) = (try output(), try output("--verbose"))
        #expect(long.contains(" ops/s ") && long.contains("\nnoise: ") && long.contains("hit ratio 71.4 %"))
        #expect(short.contains(" ops/s ") && !short.contains("\nnoise: ") && !short.contains("hit ratio"))
    }
}
