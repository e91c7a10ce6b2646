import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// What a page says of the machine, of its runs and of replays, in figures that all differ.
@Suite("Facts on the page") struct MachineBoxTests {
    private static func context(_ more: [String: JSONValue] = [:]) -> JSONValue {
        let members: [String: JSONValue] = [
            "cpu_model": .text("fast one"), "num_cpus": .whole(6), "kernel": .text("Linux 9"),
            "file_system": .text("ext9"), "swift_version": .text("6.9"), "library_build_type": .text("release"),
            "git_revision": .text("0123456789abcdef"), "git_dirty": .flag(false), "date": .text("today"),
            "preloaded": .list([.text("p.so"), .text("q.so")]), "seed": .text("77"), "memory_capacity": .whole(3 << 20),
            "disk_capacity": .whole(7 << 20), "workload": .text("a feed"),
            "noise": .object([
                "stolen_part": .number(0.01), "smallest_difference": .number(0.02), "full_speed_part": .number(0.7),
            ]),
        ]
        return .object(members.merging(more) { $1 })
    }

    private func facts(_ context: JSONValue, letter: String = "") -> [String] {
        MachineBox.html(ReportedRun(letter: letter, context: context, rows: []))
            .matches(of: /<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/).map { "\($0.output.1): \($0.output.2)" }
    }

    @Test("each fact stands under its own name, and an unknown one is left out") func facts() {
        #expect(
            facts(Self.context()) == [
                "processor: fast one", "processors: 6", "kernel: Linux 9", "file system: ext9", "Swift: 6.9",
                "build: release", "revision: 0123456789ab", "date: today", "preloaded: p.so, q.so", "seed: 77",
                "memory tier: 3 MiB", "disk tier: 7 MiB", "workload: a feed", "steal: 1.0 %",
                "smallest detectable difference: 2.0 %",
            ])
        let other = facts(Self.context(["git_dirty": .flag(true), "workload": .text(""), "preloaded": .list([])]))
        #expect(other.contains("revision: 0123456789ab with changes") && other.count == 13)
        #expect(facts(.null) == [])
        let box = MachineBox.html(ReportedRun(letter: "B", context: Self.context(), rows: []))
        #expect(box.contains("<summary>B, fast one, 0123456789ab, today</summary>"))
    }

    @Test("a warning of more than 240 characters is folded behind its beginning, which ends with a whole name")
    func warnings() {
        func box(_ warning: String) -> String {
            let noise = JSONValue.object(["warnings": .list([.text(warning)])])
            return MachineBox.html(ReportedRun(letter: "", context: .object(["noise": noise]), rows: []))
        }
        let names = String(repeating: "name, ", count: 39)
        #expect(box(names + "abcdef").hasSuffix("<p class=\"warning\">\(names)abcdef</p>\n"))
        let long = names + "abcdefg"
        let start = String(repeating: "name, ", count: 20).dropLast(2)
        let folded = "<details class=\"warning\"><summary>\(start), …</summary><p>\(long)</p></details>\n"
        #expect(box(long).hasSuffix(folded))
        let solid = String(repeating: "x", count: 241)
        #expect(box(solid).contains("<summary>\(solid.prefix(120)), …</summary><p>\(solid)</p>"))
    }

    @Test("of three runs or more, the warnings of all but the last are in the boxes of their runs") func manyRuns()
        throws
    {
        func page(_ count: Int) throws -> String {
            HTMLReport(
                try (0..<count).map { number in
                    try ResultDocument(
                        bytes: Data(
                            "{\"context\": {\"noise\": {\"warnings\": [\"busy \(number)\"]}}, \"benchmarks\": []}".utf8),
                        name: "x")
                }
            ).text
        }
        let inside = /<p class="warning">busy [0-9]<\/p>\n<\/details>/
        #expect(try page(2).matches(of: inside).isEmpty && page(2).contains("<p class=\"warning\">busy 0</p>"))
        let three = try page(3)
        #expect(three.matches(of: inside).count == 2 && three.contains("</details>\n<p class=\"warning\">busy 2</p>"))
    }

    @Test(
        "text in HTML has no markup and no control character",
        arguments: [
            ("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"), ("\u{0}\u{1F}\u{7F}\u{80}\u{9F}", "     "),
            ("~ \u{A0}é", "~ \u{A0}é"),
        ])
    func escaping(text: String, written: String) { #expect(HTMLText.escaped(text) == written) }

    @Test("runs have letters, and numbers beyond the alphabet; one run alone has neither") func letters() {
        #expect([0, 1, 25, 26].map { ReportedRun.letter($0, of: 27) } == ["A", "B", "Z", "run 27"])
        #expect(ReportedRun.letter(0, of: 1) == "")
    }

    @Test("a replay has its miss ratio, and each bound its own") func replay() throws {
        let text = """
            {"trace": "t", "subject": "s", "hit_ratio": 0.375, "bounds": {"bytes": 50, "belady_min": {"hit_ratio": 0.5},
             "pfoo_l": {"hit_ratio": 0.625}, "belady_by_size": {"hit_ratio": 0.75}, "infinite": {"hit_ratio": 0.875}}}
            """
        let replay = try #require(ReportedReplay(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))))
        #expect(replay.missRatio == 0.625 && replay.unit == "bytes" && replay.capacity == 50)
        #expect(replay.bounds.map(\.name) == ["Belady's MIN", "PFOO-L", "Belady by size", "infinite cache"])
        #expect(replay.bounds.map(\.missRatio) == [0.5, 0.375, 0.25, 0.125])
    }

    @Test("the most frequent subject has the first colour, and of equally frequent ones the earlier") func colours() {
        let colours = SubjectColours(["a", "b", "c", "c", "b"])
        #expect(["b", "c", "a"].map(colours.number) == [0, 1, 2])
    }
}
