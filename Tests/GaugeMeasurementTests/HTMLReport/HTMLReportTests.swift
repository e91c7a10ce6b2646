import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("HTML report") struct HTMLReportTests {
    func run(_ rows: [ResultRow]) throws -> ResultDocument {
        try ResultDocument(bytes: Data(RunFormat.json.text(SampleDocument.make(rows)).utf8), name: "run.json")
    }

    func document(_ text: String) throws -> ResultDocument {
        try ResultDocument(bytes: Data(text.utf8), name: "it.json")
    }

    static let curve = """
        {"trace": "t.csv", "unit": "entries", "requests": 100, "points": [
          {"capacity": 10, "hits": 20, "miss_ratio": 0.8}, {"capacity": 100, "hits": 60, "miss_ratio": 0.4}]}
        """
    static let replay = """
        {"trace": "t.csv", "subject": "tiered", "hit_ratio": 0.3, "bounds": {"entries": 50,
          "belady_min": {"hits": 45, "hit_ratio": 0.45}, "infinite": {"hits": 70, "hit_ratio": 0.7}}}
        """

    /// Rows of two cases with one and two threads, and with individually timed operations.
    var rows: [ResultRow] {
        SampleDocument.all
            + [1, 2].map { threads in
                var row = SampleDocument.batched
                row.name = BenchmarkName("memory", "zipf/1k/\(threads)-thread\(threads == 1 ? "" : "s")", "tiered")
                row.threads = threads
                row.operationsPerSecond = 1e6 * Double(threads)
                return row
            }
    }

    @Test("the page shows every kind of result, and draws each as SVG") func page() throws {
        let page = HTMLReport([try run(rows), try document(Self.curve), try document(Self.replay)]).text
        for id in ["summary", "throughput", "curves"] {
            #expect(page.contains("<section id=\"\(id)\">"), "\(id)")
        }
        #expect(page.contains("<section class=\"stage\" id=\"stage-disk\">"))
        #expect(page.contains("Belady&#39;s MIN") && page.contains("3.50×"))
        #expect(page.components(separatedBy: "<svg").count == page.components(separatedBy: "</svg>").count)
        #expect(page.components(separatedBy: "<figure").count - 1 == 3)
    }

    @Test("a subject has one colour in every plot") func colours() throws {
        let page = HTMLReport([try run(rows), try document(Self.replay)]).text
        let legend = page.matches(of: /<li class="(c\d+)"><svg.*?<\/svg>(.*?)<\/li>/).map { ($0.output.2, $0.output.1) }
        let styles = Dictionary(legend.map { (String($0), Set([String($1)])) }) { $0.union($1) }
        #expect(styles["tiered"] == ["c0"])
        #expect(styles.values.allSatisfy { $0.count == 1 }, "\(styles)")
        #expect(page.contains("<svg class=\"\(styles["files"]?.first ?? "")\" viewBox=\"0 0 100 10\""))
    }

    @Test("the rows of peers are told apart, and threads are drawn where there are several numbers of them")
    func kinds() throws {
        let page = HTMLReport([try run(rows)]).text
        let peers = page.matches(of: /<tr class="peer"><th scope="row">(.*?)</).map { String($0.output.1) }
        let others = SampleDocument.all.filter(\.isPeer)
        #expect(peers.count == others.count - 1 && Set(peers).isSubset(of: others.map(\.name.subject)))
        #expect(page.contains("<figcaption>memory/zipf/1k</figcaption>"))
        #expect(!HTMLReport([try run(Array(rows.dropLast()))]).text.contains("<section id=\"throughput\">"))
        // A name that ends in another word with "threads" does not give their number.
        for end in ["many-threads", "-threads", "2-readers", "threads"] {
            var others = rows
            let name = BenchmarkName("memory", "zipf/1k/\(end)", "tiered")
            for place in others.indices.suffix(2) { others[place].name = name }
            #expect(!HTMLReport([try run(others)]).text.contains("<section id=\"throughput\">"), "\(end)")
        }
    }

    @Test("a line of throughput goes from few threads to many, in whatever order the rows stand")
    func orderOfThreads() throws {
        func throughput(_ rows: [ResultRow]) throws -> String? {
            let sections = try HTMLReport([run(rows)]).text.components(separatedBy: "<section id=")
            return sections.first { $0.hasPrefix("\"throughput\"") }
        }
        let section = try #require(try throughput(rows))
        let paths = section.components(separatedBy: " d=\"M").dropFirst().map { $0.prefix { $0 != "\"" } }
        let places = paths.map { path in path.split(separator: "L").compactMap { Double($0.prefix { $0 != " " }) } }
        let drawn = places.filter { $0.count > 1 }
        #expect(!drawn.isEmpty && drawn.allSatisfy { $0 == $0.sorted() }, "\(places)")
        #expect(try throughput(rows) == throughput(rows.dropLast(2) + rows.suffix(2).reversed()))
    }

    @Test("a bar of a ratio of 1 and an interval of one point can be seen") func thinBars() throws {
        var row = SampleDocument.timed
        (row.ratio, row.ratioInterval) = (1, 1...1)
        let bar = try HTMLReport([run([row])]).text.components(separatedBy: "<div class=\"bar\">")[1]
        #expect(bar.contains("width=\"0.40\" height=\"10\"") && bar.contains("y=\"4\" width=\"0.30\" height=\"2\""))
    }

    @Test("a replay is a mark among the curves, and an axis of bytes has powers of two") func marks() throws {
        let page = HTMLReport([try document(Self.curve), try document(Self.replay)]).text
        let keys = page.matches(of: /<li class="c\d+"><svg[^>]*><(circle|path)[^>]*>(?:<\/\w+>)*<\/svg>(.*?)<\/li>/)
        #expect(keys.first { $0.output.2 == "tiered" }?.output.1 == "circle", "\(keys.map(\.output.2))")
        #expect(keys.first { $0.output.2 == "lru" }?.output.1 == "path")
        let bytes = Self.curve.replacing("entries", with: "bytes").replacing(": 100,", with: ": 4096,")
        let axis = HTMLReport([try document(bytes.replacing(": 10,", with: ": 1024,"))]).text
        #expect(axis.contains(">\(Quantity.binary(2_048))</text>"))
    }

    @Test("the slices leave the slowest fiftieth out, and a line stands at the time of the row")
    func histogram() throws {
        func chart(_ slices: [Double]) throws -> String {
            let list = slices.map { "\($0)" }.joined(separator: ",")
            let page = HTMLReport([
                try document(
                    """
                    {"context": {}, "benchmarks": [{"name": "a/b/c", "run_type": "iteration", "median": 15,
                     "undisturbed": 12, "sets": [{"slices": [\(list)]}]}]}
                    """)
            ]).text
            return page.components(separatedBy: "<h4>Slices").dropFirst().first ?? ""
        }
        let many = try chart([900, 800] + (0..<98).map { $0 < 49 ? 10 : 20 })
        #expect(many.contains("10.0 ns to 20.0 ns, 100 slices"), "\(many)")
        #expect(many.contains("<rect class=\"one\" x=\"20\" width=\"0.3\" height=\"24\"/>"))
        // The square root of 98, doubled, is 20 bins.
        #expect(many.contains("<path d=\"M0 24v-24h4.50v24zM95 24v-24h4.50v24z\"/>"))
        // What the pointer shows is counted from these.
        #expect(many.contains(" data-low=\"10\" data-high=\"20\" data-counts=\"49 0 "))
        #expect(try chart(Array(repeating: 10, count: 12)).contains("10.0 ns, 12 slices"))
        #expect(try chart(Array(repeating: 10, count: 11)).isEmpty)
    }

    @Test(
        "a typical time is marked, and a ratio from slowed slices, or of typical times in an older file",
        arguments: ["paired", "typical"])
    func typical(kind: String) throws {
        let page = HTMLReport([
            try document(
                """
                {"context": {}, "benchmarks": [{"name": "a/b/c", "run_type": "iteration", "stage": "a", "case": "b",
                 "subject": "c", "peer": true, "median": 12, "over_sets": 11, "ratio": 0.0012, "ratio_of": "\(kind)"}]}
                """)
        ]).text
        #expect(page.contains("<td>~11.0 ns</td>") && page.contains("<td>~0.0012×</td>"), "\(page)")
        #expect(page.contains("~ marks a typical time") && page.contains("~ marks one from slowed slices"))
    }

    @Test("a long warning folds, a short one does not") func warnings() throws {
        let names = (0..<80).map { "stage/case-\($0)" }.joined(separator: ", ")
        let page = HTMLReport([
            try document("{\"context\": {\"noise\": {\"warnings\": [\"short\", \"\(names)\"]}}, \"benchmarks\": []}")
        ]).text
        #expect(page.contains("<p class=\"warning\">short</p>"))
        #expect(page.contains("<details class=\"warning\"><summary>stage/case-0") && page.contains(", …</summary>"))
        #expect(page.contains(names))
    }

    @Test("subjects beyond the colours share one, but not with the most frequent") func sharedColours() {
        let colours = SubjectColours((0..<40).map { "s\($0)" })
        let styles = (0..<40).map { colours.style(of: "s\($0)") }
        #expect(Set(styles.prefix(12)).count == 12)
        #expect(Set(styles.dropFirst(12)).isDisjoint(with: styles.prefix(6)))
    }

    @Test("every plot has a title on both axes, and machine boxes fold") func axes() throws {
        let page = HTMLReport([try run(rows), try document(Self.curve)]).text
        let plots = page.components(separatedBy: "<figure").dropFirst()
        #expect(plots.allSatisfy { $0.components(separatedBy: "class=\"x title\"").count == 3 })
        #expect(page.contains("<details><summary>machine, "))
    }

    @Test("a ratio bar has its interval, in the text and as a line") func intervals() throws {
        var row = SampleDocument.timed
        row.ratioInterval = 3.2...3.9
        let page = HTMLReport([try run([row])]).text
        #expect(page.contains("3.50× (3.20 to 3.90)") && page.contains("class=\"whisker\""))
    }

    @Test("the axis of ratios is labelled by powers of ten, also below one") func ratioAxis() throws {
        var row = SampleDocument.timed
        row.ratio = 0.0042
        row.ratioInterval = 0.004...20
        let page = HTMLReport([try run([row])]).text
        let axis = try #require(page.firstMatch(of: /<div class="axis">(.*?)<\/div>/)?.output.1)
        let labels = axis.matches(of: />([^<]+)<\/span>/).map(\.output.1)
        #expect(labels == ["0.001×", "0.01×", "0.1×", "1×", "10×", "100×"])
    }

    @Test("the slices of a row are a histogram, in which two modes stand apart") func slices() throws {
        var row = SampleDocument.batched
        row.sets = [SetTimes(operations: 40, slices: (0..<40).map { $0 < 20 ? 10 : 20 })]
        let page = HTMLReport([try run([row])]).text
        let chart = try #require(page.components(separatedBy: "<h4>Slices").last)
        #expect(chart.contains("10.0 ns to 20.0 ns, 40 slices"))
        #expect(chart.contains("<path d=\"M0 24v-24h5.63v24zM93.75 24v-24h5.63v24z\"/>"), "\(chart)")
    }

    @Test("the axis of a miss-ratio curve fits its data") func fitted() {
        let scale = PlotScale.fitted([0.31, 0.34], within: 0...1) { "\(Int(($0 * 100).rounded()))" }
        #expect(scale.ticks.map(\.label) == ["31", "32", "33", "34"])
        #expect(scale.position(0.31) < 1e-9 && scale.position(0.34) > 1 - 1e-9)
        #expect(PlotScale.fitted([0.5, 0.5], within: 0...1) { "\($0)" }.ticks.count >= 2)
        #expect(PlotScale.fitted([], within: 0...1) { "\($0)" }.ticks.count >= 2)
        let capacities = PlotScale.fittedLogarithmic([1_500, 30_000], base: 10) { "\(Int($0))" }
        #expect(capacities.position(1_500) < 1e-9 && capacities.position(30_000) > 1 - 1e-9)
    }

    @Test("the page loads no resources, and its one script asks for none and makes no elements of text")
    func selfContained() throws {
        let page = HTMLReport([try run(rows), try document(Self.curve)]).text
        for word in [
            "http:", "https:", "//", "src=", "url(", "@import", "javascript:", "<link", "fetch(", "XMLHttp",
            "innerHTML", "eval(",
        ] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.components(separatedBy: "<script").count == 2)
        #expect(page.contains("<script>\n\(HTMLReport.script)\n</script>"))
        #expect(page.contains("prefers-color-scheme: dark") && page.contains("width=device-width"))
    }

    @Test("the same results make the same page") func deterministic() throws {
        let text = try RunFormat.json.text(SampleDocument.make(rows))
        let pages = try (0..<2).map { _ in HTMLReport([try document(text), try document(Self.curve)]).text }
        #expect(pages[0] == pages[1])
    }

    @Test(
        "no text of a result becomes a part of the page",
        arguments: ["</title><script>alert(1)</script>", "\" onload=\"x", "a&b'<i>"])
    func hostile(text: String) throws {
        var row = SampleDocument.timed
        row.name = BenchmarkName(text, text, text)
        var failed = SampleDocument.failed
        failed.failure = .failed(reason: text)
        var sample = SampleDocument.make([row, failed])
        sample.noise = NoiseReport(pairs: [0.5])
        let json = try RunFormat.json.text(sample).replacing(
            "\"kernel\": \"", with: "\"kernel\": \"\(text.replacing("\"", with: "\\\""))")
        let curve = Self.curve.replacing("t.csv", with: text.replacing("\"", with: "\\\""))
        let page = HTMLReport([try document(json), try document(curve)]).text
        #expect(!page.contains(text))
        #expect(page.contains(HTMLText.escaped(text)))
        #expect(page.components(separatedBy: "<script").count == 2 && !page.contains("<i>"))
    }

    @Test(
        "a file that is no result is refused by its name, with the remedy",
        arguments: [
            "", "{", "[]", "{}", "{\"points\": []}", "{\"hit_ratio\": 7}", "{\"benchmarks\": 3}",
            String(repeating: "[", count: 100_000),
        ])
    func refused(text: String) {
        #expect { try document(text) } throws: { error in
            let told = "\(error)"
            return told.hasPrefix("it.json is") && (told.contains("name another file") || told.contains("--json FILE"))
        }
    }

    @Test("figures out of all reason break no drawing") func absurd() throws {
        let page = HTMLReport([
            try document(
                """
                {"context": {"num_cpus": 1e300, "memory_capacity": -1e300}, "benchmarks": [3, {"name": 7}, {"name": "a"},
                 {"name": "a/b/c", "run_type": "iteration", "median": -1e308, "ratio": 1e308, "threads": -5, "wrong": 1e300,
                  "items_per_second": 1e308, "quantiles": [1, "x"]}]}
                """),
            try document(
                """
                {"trace": "t", "unit": "bytes", "points": [{"capacity": 1e-300, "miss_ratio": 0}, {"capacity": 1e300,
                 "miss_ratio": 1}, {"capacity": -1, "miss_ratio": 1}, {"capacity": 1, "miss_ratio": 2}]}
                """),
        ]).text
        #expect(!page.contains("nan") && !page.contains("inf\"") && !page.contains("e+"))
        #expect(page.components(separatedBy: "<text class=\"x\"").count < 40)
    }

    @Test("wrong answers beyond all reason are added up, too") func manyWrong() throws {
        let row = "{\"name\": \"a/b/c\", \"run_type\": \"iteration\", \"wrong\": 1e15}"
        let rows = Array(repeating: row, count: 9_300).joined(separator: ",")
        let page = HTMLReport([try document("{\"context\": {}, \"benchmarks\": [\(rows)]}")]).text
        #expect(page.contains("<b>\(Int.max)</b><span>wrong answers</span>"))
    }

    @Test("a page of Google Benchmark's own results has its rows") func foreign() throws {
        let page = HTMLReport([
            try document(
                """
                {"context": {"host_name": "h"}, "benchmarks": [{"name": "BM_x/8", "run_name": "BM_x/8",
                 "run_type": "iteration", "repetitions": 1, "iterations": 5, "real_time": 3, "cpu_time": 3, "time_unit": "ns"}]}
                """)
        ]).text
        #expect(page.contains("BM_x"))
    }

    @Test("a page opens with the calls of an application and the stages, as numbers, and says what failed or was wrong")
    func summary() throws {
        let page = HTMLReport(
            [
                try document(
                    """
                    {"context": {}, "benchmarks": [
                     {"name": "url-cache/hit/tiered", "run_type": "iteration", "undisturbed": 164},
                     {"name": "url-cache/hit/foundation", "run_type": "iteration", "undisturbed": 1840, "ratio": 11.2},
                     {"name": "memory/hit/1k/tiered", "run_type": "iteration", "undisturbed": 20},
                     {"name": "memory/hit/1k/far", "run_type": "iteration", "undisturbed": 90, "ratio": 16},
                     {"name": "memory/hit/1k/near", "run_type": "iteration", "undisturbed": 80, "ratio": 4},
                     {"name": "memory/miss/tiered", "run_type": "iteration", "undisturbed": 10, "wrong": 7},
                     {"name": "memory/miss/near", "run_type": "iteration", "undisturbed": 90, "ratio": 9}]}
                    """)
            ], names: ["now.json"], words: BenchmarkWords(stages: ["memory": "what <memory> is"])
        ).text
        #expect(page.contains("<h2>Summary of now.json</h2>"))
        #expect(page.contains("<b>164 ns</b><span>hit<br>foundation takes 11.2× as long</span>"), "\(page)")
        #expect(page.contains("<b>7</b><span>wrong answers</span>"))
        // The geometric mean of 4 and 9 is 6.
        let line = "<td>10.0 ns to 20.0 ns</td><td>6.00×</td><td>4.00× hit/1k/near</td>"
        #expect(page.contains("<tr><th scope=\"row\">memory</th>\(line)</tr>"), "\(page)")
        #expect(page.contains("<p>what &lt;memory&gt; is</p>"))
        let hit = "data-find=\"memory/hit/1k/tiered memory/hit/1k/far memory/hit/1k/near\""
        #expect(page.contains("\(hit)><summary><span class=\"name\">hit/<wbr>1k</span>"), "\(page)")
        #expect(page.contains("<span class=\"time\">20.0 ns</span><span class=\"near\">4.00× near</span></summary>"))
    }

    @Test("several runs are a trend by the names of their files, from the first to the last") func trend() throws {
        let runs = try [10, 12, 15, 20].map { try run("undisturbed", $0) }
        let page = HTMLReport(runs, names: ["mon.json", "tue.json", "wed.json", "thu.json"]).text
        let titles = ["A: mon.json", "B: tue.json", "C: wed.json", "D: thu.json", "D against A"]
        let columns = titles.map { "<th>\($0)</th>" }.joined()
        #expect(page.contains(columns), "\(page)")
        #expect(page.contains("<td>10.0 ns</td><td>12.0 ns</td><td>15.0 ns</td><td>20.0 ns</td><td>+100.0 %</td>"))
        #expect(page.contains("<figcaption>a/b, by run</figcaption>") && page.contains(">wed.json</text>"))
        #expect(page.contains("|246.67:wed.json: 15.0 ns|"), "\(page)")
    }

    @Test("of many curves LRU and the five that miss least are drawn, unless all are asked for; bytes have their own")
    func manyCurves() throws {
        let points = ["lru", "a", "b", "c", "d", "e", "f", "g"].enumerated().map { place, policy in
            """
            {"policy": "\(policy)", "capacity": 1024, "miss_ratio": 0.\(9 - place), "byte_miss_ratio": 0.5},
            {"policy": "\(policy)", "capacity": 2048, "miss_ratio": 0.\(9 - place), "byte_miss_ratio": 0.25}
            """
        }
        let list = points.joined(separator: ",")
        let curve = try document("{\"trace\": \"t\", \"unit\": \"bytes\", \"points\": [\(list)]}")
        func drawn(_ page: String) -> [[String]] {
            page.components(separatedBy: "<figure class=\"wide\">").dropFirst().map { figure in
                figure.matches(of: /<\/svg>([a-z]+)<\/li>/).map { String($0.output.1) }
            }
        }
        let few = HTMLReport([curve]).text
        #expect(drawn(few) == Array(repeating: ["lru", "c", "d", "e", "f", "g"], count: 2), "\(drawn(few))")
        #expect(few.contains("<figcaption>t, 6 of 8 policies (--all-curves draws all)</figcaption>"))
        #expect(few.contains("byte miss ratio, %</text>"))
        let all = HTMLReport([curve], drawsAllCurves: true).text
        #expect(drawn(all).map(\.count) == [8, 8] && all.contains("<figcaption>t, bytes</figcaption>"))
    }

    @Test("a distribution is drawn as far as there are operations, and ends at the longest") func curve() throws {
        let entry = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(
                """
                {"name": "a/b/c", "run_type": "iteration", "operations": 20, "quantiles": \(Array(1...ResultRow.curve.count))}
                """.utf8))
        let curve = try #require(ReportedRow(entry)).curve
        #expect(curve.map(\.x).suffix(2) == [0.925, 0.95])
        #expect(curve.last?.y == Double(ResultRow.curve.count))
    }

    @Test("logarithmic scales have round ends and few ticks") func scales() {
        let scale = PlotScale.logarithmic([3, 900]) { "\(Int($0))" }
        #expect(scale.ticks.map(\.label) == ["1", "10", "100", "1000"])
        #expect(scale.position(10) > 0.333 && scale.position(10) < 0.334)
        #expect((scale.position(0), scale.position(.infinity), scale.position(1e9)) == (0, 0, 1))
        #expect(PlotScale.linear([23]) { "\(Int($0))" }.ticks.map(\.label) == ["0", "7", "15", "22", "30"])
        #expect(abs(PlotScale.nines([0.99, 0.99999]).position(0.99) - 0.4) < 1e-9)
    }
}
