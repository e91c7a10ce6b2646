import GaugeSupport

/// One run on a page, which may have several.
package struct ReportedRun {
    /// `A`, `B`, …; empty when the page has one run.
    package let letter: String
    package let context: JSONValue
    package let rows: [ReportedRow]

    /// The smallest relative difference that the run could tell from noise.
    package var noise: Double { context["noise"]?["smallest_difference"]?.double ?? 0 }

    /// The title of a plot: `disk/hit/4k`, or `disk/hit/4k, B`.
    package func title(_ group: String) -> String { letter.isEmpty ? group : "\(group), \(letter)" }

    /// The letters of so many runs.
    package static func letter(_ index: Int, of count: Int) -> String {
        guard count > 1 else { return "" }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return index < letters.count ? String(letters[index]) : "run \(index + 1)"
    }
}
