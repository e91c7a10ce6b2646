import Foundation
import TestSupport
import Testing

@testable import GaugeSupport

/// Orders of growth against a search over all constant parts, on random costs.
@Suite("Growth against a second implementation") struct GrowthReferenceTests {
    private typealias Costs = [(size: Double, cost: Double)]

    private static let curves: [(order: GrowthOrder, value: @Sendable (Double) -> Double)] = [
        (.logarithmic, { log2($0) }), (.linear, { $0 }), (.linearithmic, { $0 * log2($0) }), (.quadratic, { $0 * $0 }),
    ]

    /// The least sum of squares of `(a + b f(n)) / cost - 1`: for each a, b is the best of one variable; the sum is
    /// convex in a, so that a search by thirds finds the least.
    private static func distance(_ value: (Double) -> Double, _ costs: Costs) -> Double {
        func sum(_ a: Double) -> Double {
            let rest = costs.map { (v: value($0.size) / $0.cost, left: 1 - a / $0.cost) }
            let b = max(0, rest.map { $0.v * $0.left }.reduce(0, +) / rest.map { $0.v * $0.v }.reduce(0, +))
            return rest.map { pow(b * $0.v - $0.left, 2) }.reduce(0, +)
        }
        var (low, high) = (0.0, 2 * (costs.map(\.cost).max() ?? 0))
        for _ in 0..<200 {
            let (one, other) = (low + (high - low) / 3, high - (high - low) / 3)
            if sum(one) <= sum(other) { high = other } else { low = one }
        }
        return min(sum(low), sum(0))
    }

    @Test("the order is the lowest whose curve is no more than a tenth farther than any higher one's") func orders() {
        var random = Xoshiro256(seed: 61)
        var seen: [GrowthOrder: Int] = [:]
        for _ in 0..<nightly(500, else: 100) {
            let count = 3 + Int(random.next(below: 4))
            let shape = Self.curves[Int(random.next(below: 4))].value
            let (constant, noise) = (pow(10, 6 * random.nextUnit()), 0.3 * random.nextUnit())
            // Costs without a curve: the nearest may have to fall, and a falling one is not allowed.
            let isShapeless = random.next(below: 5) == 0
            var size = 100.0
            let costs: Costs = (0..<count).map { _ in
                size *= 2 + 8 * random.nextUnit()
                if isShapeless { return (size, exp(2 * random.nextUnit())) }
                return (size, (constant + shape(size)) * (1 + noise * (random.nextUnit() - 0.5)))
            }
            var expected = GrowthOrder.constant
            if costs[count - 1].cost > 1.25 * costs[0].cost {
                var least = Double.infinity
                for (order, value) in Self.curves {
                    let distance = Self.distance(value, costs)
                    if distance < 0.9 * least { (expected, least) = (order, distance) }
                }
            }
            seen[expected, default: 0] += 1
            #expect(GrowthOrder(fitting: costs.shuffled(using: &random)) == expected, "\(costs)")
        }
        #expect(GrowthOrder.allCases.allSatisfy { seen[$0, default: 0] > nightly(15, else: 2) }, "\(seen)")
    }
}
