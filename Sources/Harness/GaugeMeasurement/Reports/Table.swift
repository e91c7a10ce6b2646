import Foundation
import GaugeSupport

/// A table of cells, written as text, Markdown, CSV or HTML.
package struct Table {
    package struct Column: Sendable {
        package enum Side: Sendable { case left, right }

        package let title: String
        package let side: Side
        /// If a table is too wide, columns with the highest rank are left out first; 0 stays.
        package let rank: Int

        package init(_ title: String, _ side: Side = .right, rank: Int = 0) {
            (self.title, self.side, self.rank) = (title, side, rank)
        }
    }

    package struct Row: Sendable {
        package enum Style: Sendable { case plain, heading, quiet }

        package var cells: [String]
        /// A text in place of all cells but the first: why there are none, or what a heading is about.
        package var span: String?
        /// Lines below the row.
        package var notes: [String] = []
        package var style = Style.plain
        /// The column whose cell is a bad sign.
        package var alarm: Int?

        package init(_ cells: [String], span: String? = nil, notes: [String] = [], style: Style = .plain) {
            (self.cells, self.span, self.notes, self.style) = (cells, span, notes, style)
        }

        func cell(_ column: Int) -> String { column < cells.count ? cells[column] : "" }
    }

    /// The line above the table: what it shows, in which unit.
    package var caption: String?
    package var columns: [Column]
    package var rows: [Row]

    /// The width when not writing to a terminal, columns.
    package static let usualWidth = 100
    private static let gap = "  "

    package init(caption: String? = nil, columns: [Column], rows: [Row] = []) {
        (self.caption, self.columns, self.rows) = (caption, columns, rows)
    }

    package init(caption: String? = nil, columns: [Column], rows: [[String]]) {
        self.init(caption: caption, columns: columns, rows: rows.map { Row($0) })
    }

    /// A table whose first column has names, and all others numbers.
    package init(_ titles: [String], _ rows: [[String]]) {
        self.init(columns: titles.enumerated().map { .init($1, $0 == 0 ? .left : .right) }, rows: rows)
    }

    // MARK: Text

    /// Aligned columns, as many as fit; a first cell that is still too wide gets its own line.
    ///
    /// - Parameter isColoured: whether headings, quiet rows and bad signs are coloured for a terminal.
    package func text(width: Int = usualWidth, isColoured: Bool = false) -> String {
        let shown = fitted(width)
        let widths = shown.map(self.width)
        let first = min(widths.first ?? 0, max(8, width - widths.dropFirst().reduce(0) { $0 + $1 + Self.gap.count }))
        func paint(_ code: String, _ text: String) -> String {
            isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
        func line(_ row: Row) -> String {
            let name = Self.flat(row.cell(0))
            let room = width - first - Self.gap.count
            var rest: [String] = row.span.map { [paint("31", Self.clipped(Self.flat($0), to: room))] } ?? []
            if row.span == nil {
                rest = zip(shown, widths).dropFirst().map { column, wide in
                    let isLeft = columns[column].side == .left
                    let cell = isLeft ? row.cell(column).padded(to: wide) : row.cell(column).leftPadded(to: wide)
                    return row.alarm == column ? paint("31", cell) : cell
                }
            }
            let margin = String(repeating: " ", count: max(0, first - name.count))
            let painted =
                switch row.style {
                case .plain: name
                case .heading: paint("1", name)
                case .quiet: paint("2", name)
                }
            if row.style == .heading {
                let about = row.span.map { Self.clipped(": " + Self.flat($0), to: max(0, width - name.count)) } ?? ""
                return Self.trimmed(painted + about)
            }
            let after = ([""] + rest).joined(separator: Self.gap)
            guard name.count > first else { return Self.trimmed(painted + margin + after) }
            return painted + "\n" + Self.trimmed(String(repeating: " ", count: first) + after)
        }
        let titles = Row(columns.map(\.title))
        var text = caption.map { Self.wrapped($0, to: width) + "\n" } ?? ""
        text += paint("1", Self.trimmed(line(titles)).replacing("\n", with: "")) + "\n"
        for row in rows {
            text += line(row)
            for note in row.notes { text += "    \(note)\n" }
        }
        return text
    }

    private func width(_ column: Int) -> Int {
        rows.reduce(columns[column].title.count) { max($0, $1.cell(column).count) }
    }

    /// The positions of the columns that fit.
    private func fitted(_ width: Int) -> [Int] {
        var shown = Array(columns.indices)
        // A single long name costs no column.
        let longest = max(30, min(width, 10_000) * 2 / 5)
        func needed() -> Int {
            shown.reduce(-Self.gap.count) { sum, column in
                sum + Self.gap.count + (column == 0 ? min(longest, self.width(column)) : self.width(column))
            }
        }
        while needed() > width,
            let least = shown.map({ columns[$0].rank }).max(), least > 0,
            let position = shown.lastIndex(where: { columns[$0].rank == least })
        {
            shown.remove(at: position)
        }
        return shown
    }

    private static func flat(_ text: String) -> String {
        text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
    }

    /// The text in so many columns, with an ellipsis if cut.
    package static func clipped(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.hasSuffix(" ") { line.removeLast() }
        return line + "\n"
    }

    /// A label and a text beside it in lines of at most `width` columns, all as far from the left.
    ///
    /// - Parameter column: where the text begins, unless the label is too long for it.
    package static func labelled(_ label: String, _ text: String, column: Int = 16, to width: Int) -> String {
        let lines = wrapped(text, to: max(20, width - column))
        return label.padded(to: column).padded(to: label.isEmpty ? 0 : label.count + gap.count)
            + lines.replacing("\n", with: "\n" + String(repeating: " ", count: column)) + "\n"
    }

    /// The text, each of its lines in lines of at most `width` columns, broken at spaces.
    package static func wrapped(_ text: String, to width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { wrapped(line: $0, to: width) }
            .joined(separator: "\n")
    }

    private static func wrapped(line: Substring, to width: Int) -> String {
        var lines: [String] = [""]
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Other forms

    /// As GitHub reads it (GitHub Flavored Markdown, section 4.10).
    package var markdown: String {
        func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
        let rule = columns.map { $0.side == .left ? ":--" : "--:" }
        func cells(_ row: Row) -> [String] {
            let cells = row.span.map { [row.cell(0), $0] } ?? row.cells
            return (cells + Array(repeating: "", count: max(0, columns.count - cells.count))).map(Self.escaped)
        }
        let notes = rows.flatMap { row in row.notes.map { "- \(Self.escaped($0))\n" } }
        return (caption.map { Self.escaped($0) + "\n\n" } ?? "") + line(columns.map { Self.escaped($0.title) })
            + line(rule)
            + rows.map { line(cells($0)) }.joined()
            + (notes.isEmpty ? "" : "\n" + notes.joined())
    }

    /// The text with every character escaped that would end a cell or line, or start mark-up.
    package static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "|", "\\", "`", "*", "_", "[", "]", "~", "#": "\\\(character)"
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            default: character.isNewline ? " " : String(character)
            }
        }.joined()
    }

    /// Comma-separated values (RFC 4180): a header, then a line per row.
    package var csv: String {
        ([columns.map(\.title)] + rows.map(\.cells)).map {
            $0.map(Self.field).joined(separator: ",") + "\r\n"
        }.joined()
    }

    /// The text, quoted if it contains a separator, with its own quotes doubled.
    package static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// A table that scrolls if it is too wide; a row's first cell is its heading.
    package func html(kind: (_ row: Int, _ column: Int) -> String? = { _, _ in nil }) -> String {
        let body = rows.enumerated().map { number, row in
            let cells =
                row.span.map { "<td class=\"failed\" colspan=\"\(columns.count - 1)\">\(HTMLText.escaped($0))</td>" }
                ?? row.cells.enumerated().dropFirst().map { column, cell in
                    "<td\(kind(number, column).map { " class=\"\($0)\"" } ?? "")>\(HTMLText.escaped(cell))</td>"
                }.joined()
            return "<tr\(row.style == .quiet ? " class=\"peer\"" : "")>"
                + "<th scope=\"row\">\(HTMLText.breakable(row.cell(0)))</th>\(cells)</tr>\n"
        }
        return """
            <div class="scroll" tabindex="0"><table>
            <thead><tr>\(columns.map { "<th>\(HTMLText.escaped($0.title))</th>" }.joined())</tr></thead>
            <tbody>
            \(body.joined())</tbody>
            </table></div>

            """
    }
}
