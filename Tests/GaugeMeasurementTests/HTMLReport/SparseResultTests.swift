import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Results that lack members, as other programs and older versions write them.
@Suite("Results without some members") struct SparseResultTests {
    private func document(_ text: String) throws -> ResultDocument {
        try ResultDocument(bytes: Data(text.utf8), name: "it.json")
    }

    @Test("a row without figures has none, and takes stage, case and subject from its name") func row() throws {
        for (name, stage, own, subject) in [
            ("only", "only", "", ""), ("a/b", "a", "", "b"), ("a/b/c/d", "a", "b/c", "d"), ("/", "/", "", ""),
        ] {
            let text = #"{"benchmarks": [{"name": "\#(name)", "run_type": "iteration"}]}"#
            guard case .run(.null, let rows) = try document(text), let row = rows.first else {
                Issue.record("no run without a context")
                return
            }
            #expect(row.stage == stage && row.case == own && row.subject == subject, "\(name)")
            #expect(row.isPeer && row.threads == 1 && row.operations == 0 && row.wrong == 0)
            #expect(row.slices.isEmpty && row.quantiles.isEmpty && row.curve.isEmpty)
            #expect(row.time == nil && row.timeInterval == nil && row.ratio == nil && !row.isTypical)
        }
    }

    @Test("numbers of a row that cannot be are taken to the nearest that can, and intervals of wrong order left out")
    func bounds() throws {
        let text = """
            {"benchmarks": [{"name": "a/b/c", "run_type": "iteration", "threads": 0, "wrong": -3, "median": 2,
              "median_low": 3, "median_high": 1, "sets": [{"slices": [2, 0, -1, 3]}, {}, {"slices": [4]}]},
             {"name": "a/b/d", "run_type": "iteration", "threads": 1e9, "wrong": 1e30, "median_low": 2,
              "median_high": 2, "repetitions": 1},
             {"name": "a/b/e", "run_type": "iteration", "repetitions": 2},
             {"name": "a/b/f", "run_type": "aggregate", "aggregate_name": "mean"}]}
            """
        guard case .run(_, let rows) = try document(text) else {
            Issue.record("no run")
            return
        }
        #expect(rows.map(\.name) == ["a/b/c", "a/b/d"])
        #expect(rows.map(\.threads) == [1, 1_000_000] && rows.map(\.wrong) == [0, 1_000_000_000_000_000])
        #expect(rows.map(\.slices) == [[2, 3, 4], []])
    }

    @Test("a curve has its usual trace, unit and policy, and only the points that can be") func curve() throws {
        let points = [
            #"{"capacity": 10, "miss_ratio": 0.5}"#, #"{"capacity": 0, "miss_ratio": 0.5}"#,
            #"{"capacity": 5, "miss_ratio": 1.1}"#, #"{"capacity": 6, "miss_ratio": 1, "policy": "arc"}"#,
            #"{"miss_ratio": 0.5}"#, #"{"capacity": 7}"#, #"{"capacity": 20, "miss_ratio": 0}"#,
        ]
        guard case .curve(let curve) = try document("{\"points\": [\(points.joined(separator: ","))]}") else {
            Issue.record("no curve")
            return
        }
        #expect(curve.trace == "a trace" && curve.unit == "entries")
        #expect(curve.lines.map(\.policy) == ["lru", "arc"])
        #expect(curve.lines.map { $0.points.map(\.capacity) } == [[10, 20], [6]])
        #expect(curve.lines.map { $0.points.map(\.missRatio) } == [[0.5, 0], [1]])
        #expect(ReportedCurve(.null) == nil)
    }

    @Test("a replay has its usual trace and subject, and the bounds that can be in their order") func replay() throws {
        let text = """
            {"hit_ratio": 0.25, "bounds": {"bytes": 7, "infinite": {"hit_ratio": 1}, "belady_by_size": {"hit_ratio": 2},
              "pfoo_l": {"hit_ratio": 0.5}, "belady_min": {"hit_ratio": 0.375}}}
            """
        guard case .replay(let replay) = try document(text) else {
            Issue.record("no replay")
            return
        }
        #expect(replay.trace == "a trace" && replay.subject == "a cache" && replay.missRatio == 0.75)
        #expect(replay.unit == "bytes" && replay.capacity == 7)
        #expect(replay.bounds.map(\.name) == ["Belady's MIN", "PFOO-L", "infinite cache"])
        #expect(replay.bounds.map(\.missRatio) == [0.625, 0.5, 0])
        guard case .replay(let entries) = try document(#"{"hit_ratio": 1, "bounds": {"entries": 3, "bytes": 7}}"#)
        else {
            Issue.record("no replay of entries")
            return
        }
        #expect(entries.unit == "entries" && entries.capacity == 3 && entries.missRatio == 0 && entries.bounds.isEmpty)
    }

    @Test("a replay without bounds is refused with the remedy") func noBounds() {
        let error = #expect(throws: GaugeError.self) { try document(#"{"hit_ratio": 0.5}"#) }
        #expect(error?.description.contains("replay without --no-bounds and --no-bodies") == true)
    }

    @Test(
        "JSON that is none of the results is refused by name",
        arguments: [
            "{}", #"{"hit_ratio": 1.5, "bounds": {"bytes": 7}}"#,
            #"{"hit_ratio": 0.5, "bounds": {"seconds": 1}}"#, #"{"points": []}"#, #"{"benchmarks": 3}"#,
        ])
    func refused(text: String) {
        #expect(throws: GaugeError("it.json is JSON, but not as run, mrc or replay write it; name another file")) {
            try document(text)
        }
    }

    @Test("a value is read as what it is, and as nothing else") func values() {
        let values: [JSONValue] = [
            .null, .flag(true), .text("a"), .number(2.5), .whole(3), .list([.null]), .object(["a": .whole(1)]),
            .number(.infinity), .number(.nan), .flag(false),
        ]
        #expect(values.map(\.string) == [nil, nil, "a", nil, nil, nil, nil, nil, nil, nil])
        #expect(values.map(\.flag) == [nil, true, nil, nil, nil, nil, nil, nil, nil, false])
        #expect(values.map(\.double) == [nil, nil, nil, 2.5, 3, nil, nil, nil, nil, nil])
        #expect(values.map(\.elements.count) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
        #expect(values.map { $0["a"] } == [nil, nil, nil, nil, nil, nil, .whole(1), nil, nil, nil])
    }

    @Test("two runs without a common row are not compared, and a change beyond half or twice is told as a ratio")
    func comparison() throws {
        func run(_ name: String, _ time: Double) throws -> ReportedRun {
            let entry: JSONValue = .object([
                "name": .text(name), "run_type": .text("iteration"), "undisturbed": .number(time),
            ])
            return ReportedRun(letter: name, context: .null, rows: [try #require(ReportedRow(entry))])
        }
        #expect(RunComparison.html([try run("a/b/c", 1), try run("a/b/d", 1)]) == "")
        for (times, change) in [
            ((1.0, 99.0), "99.0×"), ((1, 2), "+100.0 %"), ((1, 1), "+0.00 %"), ((2, 1), "-50.0 %"), ((4, 1), "0.25×"),
        ] {
            let page = RunComparison.html([try run("a/b/c", times.0), try run("a/b/c", times.1)])
            #expect(page.contains("<td>\(change)</td><td>\(Quantity.missing)</td>"), "\(page)")
        }
        let noise = JSONValue.object(["smallest_difference": .number(0.5)])
        for (context, floor) in [(JSONValue.null, 0), (.object(["noise": noise]), 0.5)] {
            #expect(ReportedRun(context: context, rows: []).noise == floor)
        }
    }

    @Test("a change has no interval where the noise has no bound, and none of a time that is missing or 0")
    func changes() throws {
        func row(_ time: Double?, _ interval: ClosedRange<Double>?) throws -> ReportedRow {
            var entry: [String: JSONValue] = ["name": .text("a/b/c"), "run_type": .text("iteration")]
            entry["undisturbed"] = time.map { .number($0) }
            entry["undisturbed_low"] = interval.map { .number($0.lowerBound) }
            entry["undisturbed_high"] = interval.map { .number($0.upperBound) }
            return try #require(ReportedRow(.object(entry)))
        }
        let whole = try row(2, 2...2)
        for (other, noise) in [(try row(2, 2...2), Double.infinity), (try row(2, nil), 0), (try row(2, 0...3), 0)] {
            let change = try #require(whole.change(to: other, noise: noise))
            #expect(change.value == 0 && change.interval == nil)
        }
        #expect(try whole.change(to: row(2, 2...2), noise: -1)?.interval == 0...0)
        for time in [nil, 0] as [Double?] {
            #expect(try whole.change(to: row(time, nil), noise: 0) == nil)
            #expect(try row(time, nil).change(to: whole, noise: 0) == nil)
        }
    }

    @Test("a subject that is not on the page has the first colour, and frequent ones come first") func colours() {
        let colours = SubjectColours(["a", "b", "c", "b", "c"])
        #expect(["b", "c", "a", "x"].map(colours.number) == [0, 1, 2, 0] && colours.style(of: "a") == "c2")
        #expect([0, 11, 12, 17, 18].map(SubjectColours.style) == ["c0", "c11", "c6", "c11", "c6"])
    }
}
