import Foundation
import Testing

@testable import GaugeSupport

@Suite("Order of growth") struct GrowthOrderTests {
    private static let sizes = [1_000.0, 10_000, 100_000]

    private static func order(_ cost: (Double) -> Double) -> GrowthOrder? {
        GrowthOrder(fitting: sizes.map { ($0, cost($0)) })
    }

    @Test("each curve is told from the others, with and without a constant part", arguments: [0.0, 300, 5_000])
    func curves(constant: Double) {
        #expect(Self.order { _ in constant + 1 } == .constant)
        #expect(Self.order { constant + max(constant, 20) * log($0) / 4 } == .logarithmic)
        #expect(Self.order { constant + $0 } == .linear)
        #expect(Self.order { constant + $0 * log($0) } == .linearithmic)
        #expect(Self.order { constant + $0 * $0 } == .quadratic)
    }

    @Test("a scan of all entries at every 64th operation is linear, although most of the cost is constant")
    func occasionalScan() { #expect(Self.order { 3_300 + $0 * 4 / 64 } == .linear) }

    @Test("a cost that grows by less than a quarter, or falls, is constant", arguments: [0.5, 0.9, 1, 1.1, 1.24])
    func constant(factor: Double) {
        #expect(Self.order { 400 * (1 + (factor - 1) * ($0 - 1_000) / 99_000) } == .constant)
    }

    @Test("an error of a few per cent does not change the order") func errors() {
        for (index, factor) in [0.97, 1.03].enumerated() {
            let costs = Self.sizes.enumerated().map { ($1, (500 + $1) * ($0 == index ? factor : 1)) }
            #expect(GrowthOrder(fitting: costs) == .linear)
        }
    }

    @Test("orders have their usual names") func titles() {
        #expect(GrowthOrder.allCases.map(\.title) == ["O(1)", "O(log n)", "O(n)", "O(n log n)", "O(n²)"])
    }

    @Test("a peak in the middle alone does not make a cost grow") func peak() {
        #expect(GrowthOrder(fitting: [(1_000, 1), (10_000, 90), (100_000, 1.2)]) == .constant)
    }

    @Test("of sizes that hardly differ, which tell no order from another, a cost that grows has the lowest")
    func alike() {
        for size in [1e12, 1e15] {
            for costs in [[1.0, 2, 3], [1, 1.2, 1.5], [100, 200, 400]] {
                let points = costs.enumerated().map { (size + Double($0), $1) }
                #expect(GrowthOrder(fitting: points) == .logarithmic, "\(points)")
            }
        }
    }

    @Test("fewer than three sizes, and costs that are no positive numbers, have no order") func none() {
        #expect(GrowthOrder(fitting: [(1_000, 1), (10_000, 2)]) == nil)
        for cost in [0, -1, .nan, .infinity] {
            #expect(GrowthOrder(fitting: [(1_000, 1), (10_000, 2), (100_000, cost)]) == nil)
        }
    }
}
