/// A line plot with two axes, as SVG with colours from the page's style.
package struct LinePlot {
    package struct Line {
        package let name: String
        package let points: [(x: Double, y: Double)]
        /// Whether to draw only points, for bounds and other single values.
        package var isMarks = false
        /// Whether to draw steps, which hold each value until the next point.
        package var isSteps = false
    }

    package let title: String
    package let lines: [Line]
    package let x: PlotScale
    package let y: PlotScale
    package let xTitle: String

    private static let (width, height) = (360.0, 230.0)
    private static let (left, right, top, bottom) = (58.0, 26.0, 12.0, 38.0)
    /// The number of colours in the page's style.
    package static let colours = 8

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
        for (index, line) in lines.enumerated() { svg += drawn(line, colour: index % Self.colours) }
        svg += "</svg>"
        let legend = lines.enumerated().map { index, line in
            "<li class=\"c\(index % Self.colours)\">\(HTMLText.escaped(line.name))</li>"
        }
        return """
            <figure>
            <figcaption>\(HTMLText.escaped(title))</figcaption>
            \(svg)
            <ul class="legend">\(legend.joined())</ul>
            </figure>

            """
    }

    private func drawn(_ line: Line, colour: Int) -> String {
        let number = HTMLText.number
        let places = line.points.map { (across($0.x), down($0.y)) }
        let marks = places.map { x, y in
            "<circle class=\"c\(colour)\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(line.isMarks ? 4 : 2.5)\"/>"
        }
        guard !line.isMarks, let first = places.first else { return marks.joined() + "\n" }
        var path = "M\(number(first.0)) \(number(first.1))"
        for (x, y) in places.dropFirst() {
            path += line.isSteps ? "H\(number(x))V\(number(y))" : "L\(number(x)) \(number(y))"
        }
        let drawn = "<path class=\"c\(colour)\" d=\"\(path)\"/>"
        // With many points, the line alone is clearer.
        return drawn + (places.count <= 8 ? marks.joined() : "") + "\n"
    }
}
