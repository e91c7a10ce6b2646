import Testing

@testable import GaugeMeasurement

@Suite("Drawing of plots") struct LinePlotTests {
    private static let scale = PlotScale.linear([10]) { "\($0)" }

    private func html(_ lines: [LinePlot.Line]) -> String {
        LinePlot(title: "t", lines: lines, x: Self.scale, y: Self.scale, xTitle: "x", yTitle: "y").html
    }

    private func line(_ colour: Int, count: Int = 2, isMarks: Bool = false) -> LinePlot.Line {
        let step = 10 / Double(max(1, count - 1))
        let points = (0..<count).map { number -> (x: Double, y: Double) in
            (x: step * Double(number), y: number % 2 == 0 ? 0 : 10)
        }
        return LinePlot.Line(name: "s\(colour)", points: points, isMarks: isMarks, colour: colour)
    }

    @Test("a line goes from corner to corner of the axes") func corners() {
        let page = html([line(0)])
        let told = "data-name=\"s0\" data-tip=\"72:0, 0|334:10, 10\""
        #expect(page.contains("<path class=\"c0\" d=\"M72 192L334 12\" \(told)/>"), "\(page)")
        #expect(page.contains("cx=\"72\" cy=\"192\" r=\"2.50\"") && page.contains("cx=\"334\" cy=\"12\" r=\"2.50\""))
        // The labels of the axes: left of the vertical one, below the other.
        #expect(page.contains("<text class=\"y\" x=\"66\" y=\"16\">10.0</text>"))
        #expect(page.contains("<text class=\"x\" x=\"334\" y=\"208\">10.0</text>"))
    }

    @Test("eight points have a mark each, nine only their line") func points() {
        let ring = "r=\"2.50\""
        #expect(html([line(0, count: 8)]).components(separatedBy: ring).count == 9)
        #expect(html([line(0, count: 9)]).components(separatedBy: ring).count == 1)
    }

    @Test("marks have no line, each is a larger ring than the one before, and the legend shows which is which")
    func marks() {
        let page = html([line(0, isMarks: true), line(1), line(2, count: 1, isMarks: true)])
        #expect(page.contains("<circle class=\"c0\" cx=\"72\" cy=\"192\" r=\"3.50\"/>"))
        #expect(page.contains("<circle class=\"c2 ring\" cx=\"72\" cy=\"192\" r=\"6\"/>"))
        let legend = page.matches(of: /<li class="(c\d)"><svg[^>]*><(circle|path)/).map {
            "\($0.output.1) \($0.output.2)"
        }
        #expect(legend == ["c0 circle", "c1 path", "c2 circle"])
        #expect(page.matches(of: /<path class="(c\d)"/).map(\.output.1) == ["c1"])
    }

    @Test("lines of equal dashes are drawn in their own order") func equalDashes() {
        for colours in [[8, 0, 9, 1], [0, 8, 1, 9], [1, 8, 9, 0]] {
            let drawn = html(colours.map { line($0) }).matches(of: /<path class="c(\d+)" d/).map(\.output.1)
            let solid = colours.filter { $0 % 8 == 0 }
            #expect(drawn == (solid + colours.filter { $0 % 8 == 1 }).map { "\($0)" })
        }
    }

    @Test("solid lines are drawn first, and beyond the colours other dashes begin") func dashes() {
        let page = html([line(3), line(0), line(12), line(24)])
        let drawn = page.matches(of: /<path class="(c\d+)" d="[^"]*"( stroke-dasharray="([\d ]+)")?/)
        let expected = ["c0 ", "c6 2 3", "c3 9 3 2 3", "c6 12 4"]
        #expect(drawn.map { "\($0.output.1) \($0.output.3 ?? "")" } == expected)
    }
}
