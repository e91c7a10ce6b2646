/// Decides when a benchmark is warm: once the medians of the last three warm-up slices lie within 5 % of each other, or
/// after eight slices; its row then says that it didn't become steady.
package struct WarmUp {
    package static let window = 3
    package static let tolerance = 0.05
    package static let most = 8

    private var medians: [Double] = []

    package init() {}

    /// Adds the median of one more slice; one without measurements counts as not steady.
    package mutating func add(_ median: Double?) { medians.append(median ?? 0) }

    package var isSteady: Bool {
        let last = medians.suffix(Self.window)
        guard last.count == Self.window, let low = last.min(), let high = last.max(), low > 0 else { return false }
        return high <= low * (1 + Self.tolerance)
    }

    package var isOver: Bool { isSteady || medians.count >= Self.most }
}
