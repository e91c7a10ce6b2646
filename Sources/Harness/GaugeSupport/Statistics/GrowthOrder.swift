import Foundation

/// The order in which a cost grows with the number of entries.
package enum GrowthOrder: Int, Comparable, CaseIterable, Sendable {
    case constant, logarithmic, linear, linearithmic, quadratic

    package static func < (less: GrowthOrder, more: GrowthOrder) -> Bool { less.rawValue < more.rawValue }

    /// A cost that grows by less than this factor from the smallest to the largest size is constant.
    package static let constantFactor = 1.25
    package static let leastSizes = 3

    /// The order whose curve `a + b f(n)`, with `a` and `b` not negative, comes nearest to the costs, by the sum of
    /// squared relative errors. A higher order has to be nearer by a tenth.
    ///
    /// - Parameter costs: sizes and positive costs; the sizes differ and are above 1.
    /// - Returns: `nil` for fewer than ``leastSizes`` costs, or a cost that isn't positive and finite.
    package init?(fitting costs: [(size: Double, cost: Double)]) {
        let costs = costs.sorted { $0.size < $1.size }
        guard costs.count >= Self.leastSizes, costs.allSatisfy({ $0.cost > 0 && $0.cost.isFinite && $0.size > 1 }),
            let first = costs.first, let last = costs.last
        else { return nil }
        guard last.cost > first.cost * Self.constantFactor else {
            self = .constant
            return
        }
        var nearest = (order: GrowthOrder.constant, distance: Double.infinity)
        for order in Self.allCases.dropFirst() {
            let distance = order.distance(from: costs)
            if distance < nearest.distance * 0.9 { nearest = (order, distance) }
        }
        self = nearest.order
    }

    /// `O(1)`, `O(log n)`, …
    package var title: String {
        switch self {
        case .constant: "O(1)"
        case .logarithmic: "O(log n)"
        case .linear: "O(n)"
        case .linearithmic: "O(n log n)"
        case .quadratic: "O(n²)"
        }
    }

    private func value(_ size: Double) -> Double {
        switch self {
        case .constant: 0
        case .logarithmic: log(size)
        case .linear: size
        case .linearithmic: size * log(size)
        case .quadratic: size * size
        }
    }

    /// Least squares of `(a + b f(n)) / cost - 1`.
    private func distance(from costs: [(size: Double, cost: Double)]) -> Double {
        // With u = 1 / cost and v = f(n) / cost, the sum of (a u + b v - 1)² is least where its derivatives are 0.
        let points = costs.map { (u: 1 / $0.cost, v: value($0.size) / $0.cost) }
        func sum(_ term: ((u: Double, v: Double)) -> Double) -> Double { points.reduce(0) { $0 + term($1) } }
        let (uu, uv, vv) = (sum { $0.u * $0.u }, sum { $0.u * $0.v }, sum { $0.v * $0.v })
        let (u, v) = (sum(\.u), sum(\.v))
        let determinant = uu * vv - uv * uv
        var (a, b) = (determinant > 0 ? (u * vv - v * uv) / determinant : 0, 0.0)
        if a > 0 { b = (v * uu - u * uv) / determinant } else { (a, b) = (0, vv > 0 ? v / vv : 0) }
        if b < 0 { (a, b) = (uu > 0 ? u / uu : 0, 0) }
        return sum { ($0.u * a + $0.v * b - 1) * ($0.u * a + $0.v * b - 1) }
    }
}
