import Foundation
import GaugeSupport

/// A line plot with two axes, as SVG with colours from the page's style.
package struct LinePlot {
    package struct Line {
        package let name: String
        package let points: [(x: Double, y: Double)]
        /// Whether to draw only points, for bounds and other single values.
        package let isMarks: Bool
        /// The position of its subject in `SubjectColours`, for colour and dashes.
        package let colour: Int
    }

    package let title: String
    package let lines: [Line]
    package let x: PlotScale
    package let y: PlotScale
    package let xTitle: String
    package let yTitle: String
    /// What the pointer shows at a point.
    package var tip: (_ x: Double, _ y: Double) -> String = { "\(Quantity.plain($0)), \(Quantity.plain($1))" }
    /// Whether it is drawn across the whole page.
    package var isWide = false

    private var width: Double { isWide ? 760 : 360 }
    private var height: Double { isWide ? 340 : 230 }
    private static let (left, right, top, bottom) = (72.0, 26.0, 12.0, 38.0)
    /// The dashes of lines, by colour, so that you still see a line under one that coincides with it.
    private static let dashes = ["", "7 4", "2 3", "9 3 2 3", "4 3", "12 4", "9 2 2 2 2 2", "5 2 1 2"]

    private func across(_ value: Double) -> Double { Self.left + x.position(value) * (width - Self.left - Self.right) }

    private func down(_ value: Double) -> Double {
        height - Self.bottom - y.position(value) * (height - Self.top - Self.bottom)
    }

    /// A figure with its caption, the plot, and a legend.
    package var html: String {
        let number = HTMLText.number
        var svg = "<svg viewBox=\"0 0 \(number(width)) \(number(height))\" role=\"img\" "
        svg += "aria-label=\"\(HTMLText.escaped(title))\">\n"
        let (start, end) = (Self.left, width - Self.right)
        for tick in y.ticks {
            let height = height - Self.bottom - tick.position * (height - Self.top - Self.bottom)
            svg += "<line class=\"grid\" x1=\"\(number(start))\" x2=\"\(number(end))\" "
            svg += "y1=\"\(number(height))\" y2=\"\(number(height))\"/>"
            svg += "<text class=\"y\" x=\"\(number(start - 6))\" y=\"\(number(height + 4))\">"
            svg += "\(HTMLText.escaped(tick.label))</text>\n"
        }
        let floor = height - Self.bottom
        for tick in x.ticks {
            let place = start + tick.position * (end - start)
            svg += "<line class=\"grid\" x1=\"\(number(place))\" x2=\"\(number(place))\" "
            svg += "y1=\"\(number(floor))\" y2=\"\(number(floor + 4))\"/>"
            svg += "<text class=\"\(tick.style)\" x=\"\(number(place))\" y=\"\(number(floor + 16))\">"
            svg += "\(HTMLText.escaped(tick.label))</text>\n"
        }
        svg += "<text class=\"x title\" x=\"\(number((start + end) / 2))\" y=\"\(number(height - 5))\">"
        svg += "\(HTMLText.escaped(xTitle))</text>\n"
        let middle = number((floor + Self.top) / 2)
        svg += "<text class=\"x title\" transform=\"rotate(-90 11 \(middle))\" x=\"11\" y=\"\(middle)\">"
        svg += "\(HTMLText.escaped(yTitle))</text>\n"
        var marks = 0
        // Solid lines first, with dashed ones on top.
        for line in lines.sorted(by: { Self.dash(of: $0) < Self.dash(of: $1) }) {
            svg += drawn(line, ring: line.isMarks ? marks : 0)
            if line.isMarks { marks += 1 }
        }
        svg += "</svg>"
        let legend = lines.map {
            "<li class=\"\(Self.style(of: $0))\">\(Self.key($0))\(HTMLText.escaped($0.name))</li>"
        }
        return """
            <figure\(isWide ? " class=\"wide\"" : "")>
            <figcaption>\(HTMLText.escaped(title))</figcaption>
            \(svg)
            <ul class="legend">\(legend.joined())</ul>
            </figure>

            """
    }

    private static func style(of line: Line) -> String { SubjectColours.style(line.colour) }

    /// A piece of the line, or its mark, for the legend.
    private static func key(_ line: Line) -> String {
        let drawn = line.isMarks ? "<circle cx=\"14\" cy=\"5\" r=\"4\"/>" : "<path d=\"M0 5H28\"\(dashes(of: line))/>"
        return "<svg viewBox=\"0 0 28 10\" aria-hidden=\"true\">\(drawn)</svg>"
    }

    private static func dashes(of line: Line) -> String {
        let dash = dashes[dash(of: line)]
        return dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\""
    }

    /// Once the colours start over, lines get other dashes.
    private static func dash(of line: Line) -> Int { (line.colour + line.colour / SubjectColours.count) % dashes.count }

    /// - Parameter ring: how many marks came before. Marks are rings of growing size, so that none covers another.
    private func drawn(_ line: Line, ring: Int) -> String {
        let style = Self.style(of: line)
        let number = HTMLText.number
        let places = line.points.map { (across($0.x), down($0.y)) }
        let marks = places.map { x, y in
            let kind = line.isMarks && ring > 0 ? "\(style) ring" : style
            let radius = line.isMarks ? 3.5 + 2.5 * Double(min(ring, 4)) : 2.5
            return "<circle class=\"\(kind)\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\"/>"
        }
        let tips = zip(places, line.points).map { "\(number($0.0)):\(tip($1.x, $1.y))" }.joined(separator: "|")
        let told = " data-name=\"\(HTMLText.escaped(line.name))\" data-tip=\"\(HTMLText.escaped(tips))\""
        guard !line.isMarks, let first = places.first else { return "<g\(told)>\(marks.joined())</g>\n" }
        var path = "M\(number(first.0)) \(number(first.1))"
        for (x, y) in places.dropFirst() { path += "L\(number(x)) \(number(y))" }
        let drawn = "<path class=\"\(style)\" d=\"\(path)\"\(Self.dashes(of: line))\(told)/>"
        // With many points, the line alone is clearer.
        return drawn + (places.count <= 8 ? marks.joined() : "") + "\n"
    }
}

/// Maps values to positions along an axis, from 0 to 1, and chooses the labels.
package struct PlotScale {
    package struct Tick: Equatable {
        package let position: Double
        package let label: String
        /// The classes of a label of the horizontal axis: in the middle of its place, unless it begins or ends there.
        package var style = "x"
    }

    package let ticks: [Tick]
    private let place: @Sendable (Double) -> Double

    /// The position from 0 to 1; values outside the scale go to its ends.
    package func position(_ value: Double) -> Double {
        let position = place(value)
        return position.isFinite ? min(max(position, 0), 1) : 0
    }

    /// A logarithmic scale with powers of `base` as labels. If there are too many, only every second, third, … has one.
    package static func logarithmic(_ values: [Double], base: Double = 10, label: (Double) -> String) -> PlotScale {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        let (least, most) = (positive.min() ?? 1, positive.max() ?? base)
        func exponent(_ value: Double) -> Double { log(value) / log(base) }
        let low = (exponent(least) + 1e-9).rounded(.down)
        let high = max((exponent(most) - 1e-9).rounded(.up), low + 1)
        let step = max(1, ((high - low) / 6).rounded(.up))
        let ticks = stride(from: low, through: high, by: step).map {
            Tick(position: ($0 - low) / (high - low), label: label(pow(base, $0)))
        }
        return PlotScale(ticks: ticks) { $0 > 0 ? (log($0) / log(base) - low) / (high - low) : 0 }
    }

    /// A linear scale between round numbers just around the values, within `bounds`, with about six labels.
    package static func fitted(
        _ values: [Double], within bounds: ClosedRange<Double>, label: (Double) -> String
    ) -> PlotScale {
        let values = values.filter(bounds.contains)
        let (least, most) = (values.min() ?? bounds.lowerBound, values.max() ?? bounds.upperBound)
        let wanted = max(most - least, (bounds.upperBound - bounds.lowerBound) * 0.01) / 5
        let power = pow(10, log10(wanted).rounded(.down))
        let step = ([1, 2, 5].first { $0 * power >= wanted * 0.999 } ?? 10) * power
        let low = max(bounds.lowerBound, (least / step + 1e-9).rounded(.down) * step)
        let high = max(min(bounds.upperBound, (most / step - 1e-9).rounded(.up) * step), low + step)
        let count = Int(((high - low) / step).rounded())
        let ticks = (0...max(1, count)).map {
            Tick(position: min(1, Double($0) * step / (high - low)), label: label(low + Double($0) * step))
        }
        return PlotScale(ticks: ticks) { ($0 - low) / (high - low) }
    }

    /// A logarithmic scale from the smallest to the largest value, with powers of `base` as labels.
    package static func fittedLogarithmic(_ values: [Double], base: Double, label: (Double) -> String) -> PlotScale {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        guard let least = positive.min(), let most = positive.max(), most > least else {
            return logarithmic(values, base: base, label: label)
        }
        func exponent(_ value: Double) -> Double { log(value) / log(base) }
        let (low, high) = (exponent(least), exponent(most))
        let step = max(1, ((high - low) / 6).rounded(.up))
        var powers = Array(stride(from: (low - 1e-9).rounded(.up), through: high + 1e-9, by: step))
        if powers.count < 2 { powers = [low, high] }
        let ticks = powers.map {
            Tick(position: min(max(($0 - low) / (high - low), 0), 1), label: label(pow(base, $0)))
        }
        return PlotScale(ticks: ticks) { $0 > 0 ? (log($0) / log(base) - low) / (high - low) : 0 }
    }

    /// A linear scale from zero to a round number above the largest value.
    package static func linear(_ values: [Double], label: (Double) -> String) -> PlotScale {
        let most = max(values.filter(\.isFinite).max() ?? 1, 1e-12)
        let power = pow(10, log10(most).rounded(.down))
        let top = ([1, 1.2, 1.6, 2, 3, 4, 6, 8].first { $0 * power >= most * 0.999 } ?? 10) * power
        let ticks = (0...4).map { Tick(position: Double($0) / 4, label: label(top * Double($0) / 4)) }
        return PlotScale(ticks: ticks) { $0 / top }
    }

    /// A scale for percentiles on which each nine has the same length: 0, 90, 99, 99.9, … up to the largest part.
    ///
    /// With more than five nines, every second is labelled.
    package static func nines(_ parts: [Double]) -> PlotScale {
        @Sendable func count(_ part: Double) -> Double { part >= 1 ? 9 : -log10(1 - part) }
        let most = min(max(((parts.map(count).max() ?? 5) - 1e-6).rounded(.up), 1), 9)
        let step = most > 5 ? 2.0 : 1
        let ticks = stride(from: 0, through: most, by: step).map { nines in
            Tick(position: nines / most, label: Quantity.plain(100 * (1 - pow(10, -nines))))
        }
        return PlotScale(ticks: ticks) { count($0) / most }
    }

    /// A scale for the runs of a page, which are numbered from 0. The first and the last have a label, and others that
    /// lie on no label; of long ones the end is shown.
    ///
    /// - Parameter characters: how many fit side by side.
    package static func names(_ names: [String], characters: Int = 42) -> PlotScale {
        let (last, longest) = (names.count - 1, characters / 2 - 1)
        let labels = names.map { $0.count > longest ? "…\($0.suffix(longest - 1))" : $0 }
        let width = Double(labels.map(\.count).max() ?? 0)
        // Beside a label at an end, which lies on one side of its place, half as much again is needed.
        let parts = max(1, Int(Double(characters) / (1.5 * width + 1)))
        let step = max(1, (last + parts - 1) / parts)
        let ticks = labels.enumerated().compactMap { number, label -> Tick? in
            guard number == last || number % step == 0 && last - number >= step else { return nil }
            return Tick(
                position: Double(number) / Double(max(1, last)), label: label,
                style: number == 0 ? "x start" : number == last ? "x end" : "x")
        }
        return PlotScale(ticks: ticks) { $0 / Double(max(1, last)) }
    }

    /// An evenly spaced scale for thread counts.
    package static func steps(_ values: [Double]) -> PlotScale {
        let steps = Set(values).sorted()
        let distance = Double(max(1, steps.count - 1))
        let ticks = steps.enumerated().map { Tick(position: Double($0) / distance, label: HTMLText.number($1)) }
        return PlotScale(ticks: ticks) { value in Double(steps.firstIndex(of: value) ?? 0) / distance }
    }
}
