import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport

@Suite("Order of the operations of a row") struct RowOrderTests {
    /// The row, the word of its operations, and how many it does until it begins again.
    static let rows = [
        ("memory/hit/1k/plain", "look", SubjectBenchmarks.mixCount),
        ("memory/store/1k/plain", "store", SubjectBenchmarks.mixCount),
        ("memory/store-evict/1k/plain", "store", 2_024), ("memory/hits/1k/1-thread/plain", "look", 65_536),
        ("memory/grow/1k/plain", "store", 1_000),
    ]

    @Test("a row does its operations in one order, all of them, and then again in the same order", arguments: rows)
    func again(name: String, word: String, count: Int) throws {
        let rows = SubjectBenchmarks.memory(Witness<PlainStore>.self, isPeer: false)
        let row = try #require(rows.first { $0.name.description == name })
        let transcript = Transcript()
        try Transcript.$current.withValue(transcript) {
            let prepared = try row.prepare(
                RunContext(seed: 3, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "/nonexistent"))
            _ = transcript.summary()
            var recorder = LatencyRecorder()
            // One slice, since a row of batches looks at its last entry after each.
            switch prepared.body {
            case .batched(let body): body(count + 50)
            case .timed(let body): body(count + 50, &recorder)
            case .threaded(_, let body): body(0, count + 50)
            }
        }
        let lines = transcript.lines.filter { $0.hasPrefix(word + " ") }.prefix(count + 50)
        let keys: [Substring] = lines.map { $0.split(separator: " ")[1] }
        #expect(keys.count == count + 50)
        let first = Array(keys.prefix(50))
        #expect(Array(keys.suffix(50)) == first)
        // No shorter order, and each key is among them.
        let isRepeated = (1..<count - 50).contains { keys[$0] == first[0] && Array(keys[$0..<$0 + 50]) == first }
        #expect(!isRepeated)
        #expect(Set(keys).count == (name.contains("evict") ? 2_024 : 1_000))
    }
}
