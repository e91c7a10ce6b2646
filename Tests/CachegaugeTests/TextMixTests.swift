import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import cachegauge

#if os(Linux)
private let countsAllocations = true
#else
private let countsAllocations = false
#endif

@Suite("Inputs of rows in batches") struct TextMixTests {
    @Test("small batches see all texts in their order, and then again, whether folded or walked") func texts() {
        var number = 0
        let mix = TextMix(seed: 1, "test") { _ in
            number += 1
            return String(number, radix: 36)
        }
        let strings = mix.strings
        var seen: [String] = []
        for _ in 0..<(TextMix.count / 100 + 2) {
            _ = mix.fold(60) {
                seen.append(String(decoding: $0, as: UTF8.self))
                return 0
            }
            mix.walk(40) { seen.append(strings[$0]) }
        }
        let all = (1...TextMix.count).map { String($0, radix: 36) }
        #expect(Array(seen.prefix(TextMix.count)) == all)
        #expect(seen.dropFirst(TextMix.count).elementsEqual(all.prefix(seen.count - TextMix.count)))
    }

    @Test(
        "an eviction of the plain LRU allocates nothing",
        .enabled(if: countsAllocations, "allocations are counted on Linux alone"))
    func plainEviction() throws {
        let run = try ChildRun(
            "cachegauge",
            [
                "run", "--filter=^memory/store-evict/1k/plain-lru$", "--suite=full", "--sets=1", "--samples=2",
                "--format=json",
            ])
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let rows = try #require(document?["benchmarks"] as? [[String: Any]])
        let counts = rows.compactMap { $0["allocations_per_operation"] as? Double }
        #expect(!counts.isEmpty && counts.allSatisfy { $0 < 0.01 }, "\(counts) \(run.errors)")
    }
}
