import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Order of slices") struct SliceOrderTests {
    @Test("each round has every worker once, in an order that changes, by the seed alone")
    func rounds() {
        func orders(seed: UInt64, members: Int) -> [[Int]] {
            var random = Xoshiro256(seed: seed)
            var order = SliceOrder(members: members)
            return (0..<600).map { _ in order.next(&random) }
        }
        let rounds = orders(seed: 5, members: 3)
        #expect(rounds.allSatisfy { $0.sorted() == [0, 1, 2] })
        // Each of the six orders some hundred times, and each worker after each other.
        let counts = Dictionary(grouping: rounds) { $0 }.mapValues(\.count)
        #expect(counts.count == 6 && counts.values.allSatisfy { (70...130).contains($0) }, "\(counts)")
        #expect(rounds == orders(seed: 5, members: 3) && rounds != orders(seed: 6, members: 3))
        #expect(orders(seed: 5, members: 1).allSatisfy { $0 == [0] } && orders(seed: 5, members: 0)[0] == [])
    }
}
