import Foundation
import Testing

@testable import GaugeMeasurement

/// Reads each text format by the rules of the tools that read it.
@Suite("Text formats") struct TextFormatTests {
    @Test(
        "a field of CSV is quoted where it has a quote, a comma or an end of a line (RFC 4180)",
        arguments: [
            ("plain", "plain"), ("a b", "a b"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
            ("a\nb", "\"a\nb\""),
            ("a\rb", "\"a\rb\""), ("a\r\nb", "\"a\r\nb\""), ("\"", "\"\"\"\""),
        ])
    func csvField(text: String, written: String) { #expect(Table.field(text) == written) }

    @Test("each character that Markdown or HTML would read is escaped in a table, and no other") func markdownText() {
        for character in "|\\`*_[]~#" { #expect(Table.escaped("a\(character)") == "a\\\(character)") }
        #expect(Table.escaped("<a>&\n\r\nb") == "&lt;a&gt;&amp;  b")
        let plain = "a-b.c:d;e,f(g)h{i}!?/'\"^$%@=+0"
        #expect(Table.escaped(plain) == plain)
    }

    @Test("a table in Markdown has a column of instructions where some were counted, and failures in place of times")
    func markdownColumns() throws {
        var plain = SampleDocument.batched
        plain.instructions = nil
        for (row, count) in [(plain, 11), (SampleDocument.batched, 12)] {
            let text = MarkdownReport.text(SampleDocument.make([row, SampleDocument.failed]))
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
            let cells = lines.map { $0.components(separatedBy: " | ") }
            #expect(lines.count == 4 && cells.map(\.count) == [count, count, count, count], "\(lines)")
            #expect(cells[0].contains("instrs") == (count == 12) && cells[0].last == "wrong |")
            #expect(cells[1] == ["| :--"] + Array(repeating: "--:", count: count - 2) + ["--: |"])
            #expect(cells[3][1] == "failed: no library, say \"install\" \\| &lt;it&gt;" && cells[3].last == " |")
            #expect(cells[3][2..<(count - 1)].joined() == "")
        }
    }

    @Test("a table is written while the run goes on, and so is no text of its document") func tableFormat() throws {
        #expect(try RunFormat.table.text(SampleDocument.make()) == "")
    }

    // MARK: The Go benchmark format, as golang.org/x/perf/benchfmt reads it

    private struct Benchfmt {
        var configuration: [String: String] = [:]
        var results: [(name: String, iterations: Int, values: [String: Double])] = []
        var remarks: [String] = []
        var errors: [String] = []

        init(_ text: String) {
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("Benchmark") {
                    read(line)
                } else if let colon = line.firstIndex(of: ":"), line.first?.isLowercase == true {
                    // A key has no space and no capital letter; whitespace separates the value from the colon.
                    let (key, value) = (line[..<colon], line[line.index(after: colon)...])
                    if key.contains(where: { $0.isWhitespace || $0.isUppercase }) || value.first != " " {
                        errors.append(String(line))
                    }
                    configuration[String(key)] = value.trimmingCharacters(in: .whitespaces)
                } else if line.first == "#" {
                    remarks.append(String(line))
                } else if !line.isEmpty {
                    errors.append(String(line))
                }
            }
        }

        private mutating func read(_ line: Substring) {
            let fields = line.dropFirst("Benchmark".count).split(whereSeparator: \.isWhitespace)
            guard fields.count >= 4, fields.count.isMultiple(of: 2), let iterations = Int(fields[1]) else {
                errors.append(String(line))
                return
            }
            var values: [String: Double] = [:]
            for index in stride(from: 2, to: fields.count, by: 2) {
                guard let value = Double(fields[index]) else { return errors.append(String(line)) }
                values[String(fields[index + 1])] = value
            }
            results.append((String(fields[0]), iterations, values))
        }
    }

    @Test("benchstat reads each slice as a sample, and the environment as configuration") func benchstat() throws {
        let file = Benchfmt(try RunFormat.benchstat.text(SampleDocument.make()))
        #expect(file.errors.isEmpty, "\(file.errors)")
        for key in ["goos", "goarch", "pkg", "cpu", "seed", "swift", "file-system"] {
            #expect(file.configuration[key]?.isEmpty == false, "\(key)")
        }
        // benchstat compares only results with the same configuration, so two revisions must have the same one.
        #expect(file.configuration["commit"] == nil && file.configuration["dirty"] == nil)
        #expect(file.remarks.count == 1 && file.remarks[0].hasPrefix("# revision "))
        let hash = file.results.filter { $0.name == "KeyHash/40/subject=tiered-1" }
        #expect(hash.count == 12)
        #expect(hash.map { $0.values["ns/op"] } == (0..<12).map { 100 + Double($0) })
        #expect(hash.allSatisfy { $0.iterations == 1_000 && $0.values["allocs/op"] == 2 })
        #expect(hash[0].values["instrs/op"] == 321.5)
        // A failed row is left out; a row with only a throughput is one sample.
        #expect(Set(file.results.map(\.name)).count == 3)
        #expect(file.results.last?.values["ns/op"] == 20_000)
        // Go's rule: a capital letter after the prefix; a number at the end is the number of processors.
        #expect(file.results.allSatisfy { $0.name.first?.isUppercase == true && $0.name.hasSuffix("-1") })
    }

    @Test("a name of any kind is one word for benchstat") func names() {
        let row = ResultRow(name: BenchmarkName("7 up", "a b\tc", "x y"), isPeer: true)
        #expect(BenchstatReport.name(row) == "BenchmarkX7_up/a_b_c/subject=x_y-1")
    }

    // MARK: Tables of GitHub Flavored Markdown, section 4.10

    /// The cells of a line, split at the unescaped pipes.
    private func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var isEscaped = false
        for character in line.trimmingCharacters(in: .whitespaces).dropFirst().dropLast() {
            if character == "|" && !isEscaped { cells.append("") } else { cells[cells.count - 1].append(character) }
            isEscaped = character == "\\" && !isEscaped
        }
        return cells.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("every line of the Markdown table has the cells of its header, whatever a name holds")
    func markdown() throws {
        let text = try RunFormat.markdown.text(SampleDocument.make())
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { $0.hasPrefix("|") }
        #expect(lines.count == 2 + SampleDocument.all.count)
        let header = cells(lines[0])
        #expect(lines.allSatisfy { cells($0).count == header.count })
        #expect(cells(lines[1]).allSatisfy { $0.wholeMatch(of: /:?-+:?/) != nil })
        #expect(cells(lines[2])[0] == "key-hash/40/tiered")
        #expect(cells(lines[5])[0] == #"disk/store, "4k"\|/peer"#)
        #expect(cells(lines[5])[1].contains(#"say "install" \| &lt;it&gt;"#))
    }

    // MARK: RFC 4180

    /// The records of a document by the grammar of section 2; `nil` if the text does not follow the grammar.
    private func records(_ text: String) -> [[String]]? {
        var records: [[String]] = []
        var record = [""]
        var bytes = Array(text.unicodeScalars)[...]
        while let first = bytes.first {
            if first == "\"" && record[record.count - 1].isEmpty {
                bytes.removeFirst()
                while let next = bytes.popFirst(), next != "\"" || bytes.first == "\"" {
                    record[record.count - 1].unicodeScalars.append(next)
                    if next == "\"" { bytes.removeFirst() }
                }
                guard [",", "\r"].contains(bytes.first) else { return nil }
            } else if first == "," {
                record.append("")
                bytes.removeFirst()
            } else if first == "\r" {
                guard bytes.dropFirst().first == "\n" else { return nil }
                bytes.removeFirst(2)
                records.append(record)
                record = [""]
            } else {
                guard first != "\"", first != "\n" else { return nil }
                record[record.count - 1].unicodeScalars.append(first)
                bytes.removeFirst()
            }
        }
        return record == [""] ? records : nil
    }

    @Test("the CSV is of RFC 4180's grammar, with the same fields in every record") func csv() throws {
        let text = try RunFormat.csv.text(SampleDocument.make())
        let records = try #require(self.records(text))
        #expect(records.count == 1 + SampleDocument.all.count)
        #expect(records.allSatisfy { $0.count == records[0].count })
        func value(_ column: String, _ record: Int) throws -> String {
            records[record][try #require(records[0].firstIndex(of: column))]
        }
        #expect(try value("median_ns", 1) == "105.25")
        #expect(try value("p99_ns", 1) == "")
        #expect(try value("name", 4) == "disk/store, \"4k\"|/peer")
        #expect(try value("failure", 4) == "failed: no library,\r\nsay \"install\" | <it>")
    }

    @Test("benchstat is told the revision, its changes and both capacities") func conditions() throws {
        let sample = SampleDocument.make()
        let file = Benchfmt(try RunFormat.benchstat.text(sample))
        #expect(file.configuration["memory"] == "4 MiB" && file.configuration["disk"] == "20 MiB")
        let environment = sample.environment
        let expected = [
            "goarch": environment.machine, "pkg": "cachegauge", "cpu": environment.processorName,
            "kernel": environment.kernel, "file-system": environment.fileSystem ?? "unknown",
            "swift": SwiftVersion.compiler, "build": environment.isDebugBuild ? "debug" : "release",
            "seed": "\(environment.settings.seed)",
        ]
        for (key, value) in expected { #expect(file.configuration[key] == value, "\(key)") }
        let elsewhere = RunDocument(
            environment: RunEnvironment(settings: RunSettings(), directory: nil), rows: [], noise: sample.noise)
        #expect(Benchfmt(try RunFormat.benchstat.text(elsewhere)).configuration["file-system"] == "unknown")
        let revision = environment.revision
        let state = revision.isDirty == true ? "with" : revision.isDirty == false ? "without" : "with or without"
        #expect(file.remarks == ["# revision \(revision.commit ?? "unknown") \(state) changes"])
    }
}
