/// Finds the capacity of the window of ``WTinyLFUPolicy`` by hill climbing: it goes on in the same direction while the hit
/// ratio rises, and turns round when it falls. O. Eytan, G. Einziger, R. Friedman, B. Manes, "Adaptive software cache
/// management", Middleware 2018, with the constants of Caffeine: steps of a sixteenth of the capacity, which shrink by 2 %
/// each and begin again when the ratio changes by 5 points.
struct WindowClimber: Sendable {
    /// The capacity of the window: at first a hundredth of the cache's, at most four fifths of it.
    private(set) var window: Int
    private var step: Double
    private var lastRatio = 0.0

    init(capacity: Int) {
        window = Self.smallest(capacity)
        step = Double(capacity) / 16
    }

    mutating func climb(hitRatio: Double, capacity: Int) {
        let change = hitRatio - lastRatio
        lastRatio = hitRatio
        let amount = change >= 0 ? step : -step
        let full = Double(capacity) / 16
        step = abs(change) >= 0.05 ? (amount < 0 ? -full : full) : amount * 0.98
        let largest = Double(capacity - capacity / 5)
        window = max(Self.smallest(capacity), Int(min(largest, max(0, Double(window) + amount))))
    }

    /// Keeps the window's share of a capacity that changes.
    mutating func scale(from old: Int, to new: Int) {
        let factor = Double(new) / Double(max(1, old))
        window = max(Self.smallest(new), min(new, Int(Double(window) * factor)))
        step *= factor
    }

    private static func smallest(_ capacity: Int) -> Int { capacity / 100 }
}
