import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Turns of the arms of a set") struct TurnsTests {
    @Test("each row has every arm once, in an order that changes by the seed alone, and is followed by its reverse")
    func rows() {
        func orders(seed: UInt64, arms: Int) -> [[Int]] {
            var random = Xoshiro256(seed: seed)
            var turns = Turns(arms: arms)
            return (0..<600).map { _ in turns.next(&random) }
        }
        let rows = orders(seed: 5, arms: 3)
        #expect(rows.allSatisfy { $0.sorted() == [0, 1, 2] })
        #expect(stride(from: 0, to: 600, by: 2).allSatisfy { rows[$0] == rows[$0 + 1].reversed() })
        // Each of the six orders some hundred times, and each arm after each other.
        let counts = Dictionary(grouping: rows) { $0 }.mapValues(\.count)
        #expect(counts.count == 6 && counts.values.allSatisfy { (70...130).contains($0) }, "\(counts)")
        #expect(rows == orders(seed: 5, arms: 3) && rows != orders(seed: 6, arms: 3))
        #expect(orders(seed: 5, arms: 1).allSatisfy { $0 == [0] } && orders(seed: 5, arms: 0)[0] == [])
    }
}
