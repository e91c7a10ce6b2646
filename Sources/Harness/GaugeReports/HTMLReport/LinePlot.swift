/// A line plot with two axes, as SVG with colours from the page's style.
package struct LinePlot {
    package struct Line {
        package let name: String
        package let points: [(x: Double, y: Double)]
        /// Whether to draw only points, for bounds and other single values.
        package let isMarks: Bool
        /// The position of its subject in `SubjectColours`: its colour, and its dashes.
        package let colour: Int
    }

    package let title: String
    package let lines: [Line]
    package let x: PlotScale
    package let y: PlotScale
    package let xTitle: String
    package let yTitle: String

    private static let (width, height) = (360.0, 230.0)
    private static let (left, right, top, bottom) = (72.0, 26.0, 12.0, 38.0)
    /// The dashes of lines, by colour. Under a dashed line, one that coincides with it stays visible.
    private static let dashes = ["", "7 4", "2 3", "9 3 2 3", "4 3", "12 4", "9 2 2 2 2 2", "5 2 1 2"]

    private func across(_ value: Double) -> Double {
        Self.left + x.position(value) * (Self.width - Self.left - Self.right)
    }

    private func down(_ value: Double) -> Double {
        Self.height - Self.bottom - y.position(value) * (Self.height - Self.top - Self.bottom)
    }

    /// A figure with its caption, the plot, and a legend.
    package var html: String {
        let number = HTMLText.number
        var svg = "<svg viewBox=\"0 0 \(number(Self.width)) \(number(Self.height))\" role=\"img\" "
        svg += "aria-label=\"\(HTMLText.escaped(title))\">\n"
        let (start, end) = (Self.left, Self.width - Self.right)
        for tick in y.ticks {
            let height = Self.height - Self.bottom - tick.position * (Self.height - Self.top - Self.bottom)
            svg += "<line class=\"grid\" x1=\"\(number(start))\" x2=\"\(number(end))\" "
            svg += "y1=\"\(number(height))\" y2=\"\(number(height))\"/>"
            svg += "<text class=\"y\" x=\"\(number(start - 6))\" y=\"\(number(height + 4))\">"
            svg += "\(HTMLText.escaped(tick.label))</text>\n"
        }
        let floor = Self.height - Self.bottom
        for tick in x.ticks {
            let place = start + tick.position * (end - start)
            svg += "<line class=\"grid\" x1=\"\(number(place))\" x2=\"\(number(place))\" "
            svg += "y1=\"\(number(floor))\" y2=\"\(number(floor + 4))\"/>"
            svg += "<text class=\"x\" x=\"\(number(place))\" y=\"\(number(floor + 16))\">"
            svg += "\(HTMLText.escaped(tick.label))</text>\n"
        }
        svg += "<text class=\"x title\" x=\"\(number((start + end) / 2))\" y=\"\(number(Self.height - 5))\">"
        svg += "\(HTMLText.escaped(xTitle))</text>\n"
        let middle = number((floor + Self.top) / 2)
        svg += "<text class=\"x title\" transform=\"rotate(-90 11 \(middle))\" x=\"11\" y=\"\(middle)\">"
        svg += "\(HTMLText.escaped(yTitle))</text>\n"
        var marks = 0
        // Solid lines first, so that dashed ones lie above them.
        for line in lines.sorted(by: { Self.dash(of: $0) < Self.dash(of: $1) }) {
            svg += drawn(line, ring: line.isMarks ? marks : 0)
            if line.isMarks { marks += 1 }
        }
        svg += "</svg>"
        let legend = lines.map {
            "<li class=\"\(Self.style(of: $0))\">\(Self.key($0))\(HTMLText.escaped($0.name))</li>"
        }
        return """
            <figure>
            <figcaption>\(HTMLText.escaped(title))</figcaption>
            \(svg)
            <ul class="legend">\(legend.joined())</ul>
            </figure>

            """
    }

    private static func style(of line: Line) -> String { SubjectColours.style(line.colour) }

    /// A piece of the line as it is drawn, or its mark, for the legend.
    private static func key(_ line: Line) -> String {
        let drawn = line.isMarks ? "<circle cx=\"14\" cy=\"5\" r=\"4\"/>" : "<path d=\"M0 5H28\"\(dashes(of: line))/>"
        return "<svg viewBox=\"0 0 28 10\" aria-hidden=\"true\">\(drawn)</svg>"
    }

    private static func dashes(of line: Line) -> String {
        let dash = dashes[dash(of: line)]
        return dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\""
    }

    /// The dashes continue with other ones where the colours begin again.
    private static func dash(of line: Line) -> Int {
        (line.colour + line.colour / SubjectColours.count) % dashes.count
    }

    /// - Parameter ring: the number of marks before this one. Marks are rings, each larger than the one before, so that
    ///   none covers another.
    private func drawn(_ line: Line, ring: Int) -> String {
        let style = Self.style(of: line)
        let number = HTMLText.number
        let places = line.points.map { (across($0.x), down($0.y)) }
        let marks = places.map { x, y in
            let kind = line.isMarks && ring > 0 ? "\(style) ring" : style
            let radius = line.isMarks ? 3.5 + 2.5 * Double(min(ring, 4)) : 2.5
            return "<circle class=\"\(kind)\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\"/>"
        }
        guard !line.isMarks, let first = places.first else { return marks.joined() + "\n" }
        var path = "M\(number(first.0)) \(number(first.1))"
        for (x, y) in places.dropFirst() {
            path += "L\(number(x)) \(number(y))"
        }
        let drawn = "<path class=\"\(style)\" d=\"\(path)\"\(Self.dashes(of: line))/>"
        // With many points, the line alone is clearer.
        return drawn + (places.count <= 8 ? marks.joined() : "") + "\n"
    }
}
