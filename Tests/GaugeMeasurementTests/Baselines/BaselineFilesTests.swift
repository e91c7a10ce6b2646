import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Files of baselines") struct BaselineFilesTests {
    private static func entry(_ figures: [String: [String: RepeatedCount]] = [:]) -> Baseline.Entry {
        Baseline.Entry(
            key: BaselineKey(swift: "7", architecture: "m68k", libc: "musl", features: []), reason: "none",
            revision: "0", date: "2026-01-31T12:00:00Z", settings: Baseline.Settings(RunSettings(seed: 5)),
            figures: figures)
    }

    /// The error of a file with this text in the place of another.
    private func error(replacing part: String, with other: String) throws -> String {
        let good = try Baseline(entries: [Self.entry(["a/b/c": ["misses": 1]])]).text()
        let bad = good.replacing(part, with: other)
        #expect(bad != good)
        let error = #expect(throws: JSONError.self) { try Baseline(reading: Array(bad.utf8)) }
        return error?.reason ?? ""
    }

    @Test("a seed is a whole number as text, and figures are an object") func kinds() throws {
        let seed = "settings.seed takes a whole number from 0 to 18446744073709551615"
        for text in ["-1", "x", "", "18446744073709551616"] {
            #expect(try error(replacing: #""seed" : "5""#, with: #""seed" : "\#(text)""#) == seed)
        }
        let figures = "\"figures\" : {\n        \"a/b/c: misses\" : 1\n      }"
        #expect(
            try error(replacing: figures, with: "\"figures\" : 7") == "figures is a number; write an object in {…}")
        var entry = Self.entry()
        entry.settings.seed = .max
        let text = try Baseline(entries: [entry]).text()
        #expect(try Baseline(reading: Array(text.utf8)).entries == [entry])
    }

    @Test("texts have at most 2,000 characters, and a file at most 1,000 entries") func limits() throws {
        for count in [2_000, 2_001] {
            var entry = Self.entry()
            entry.reason = String(repeating: "x", count: count)
            let text = try Baseline(entries: [entry]).text()
            #expect((try? Baseline(reading: Array(text.utf8))) == (count == 2_000 ? Baseline(entries: [entry]) : nil))
        }
        for count in [1_000, 1_001] {
            let entries = (0..<count).map { number in
                var entry = Self.entry()
                entry.key.swift = "\(number)"
                return entry
            }
            let text = try Baseline(entries: entries).text()
            #expect((try? Baseline(reading: Array(text.utf8)))?.entries.count == (count == 1_000 ? 1_000 : nil))
        }
    }

    @Test("whatever prevents a baseline from being read, written or removed is told with its file")
    func obstacles() throws {
        let scratch = try ScratchDirectory()
        let place = "\(scratch.path)/file"
        try Data("{}".utf8).write(to: URL(filePath: "\(place)"))
        let beneath = BaselineFolder(path: place)
        #expect(throws: GaugeError("\(place)/main.json cannot be opened: Not a directory")) {
            try beneath.load("main")
        }
        #expect(throws: GaugeError("\(place)/main.json cannot be removed: Not a directory")) {
            try beneath.delete("main")
        }
        let made = #expect(throws: GaugeError.self) { try beneath.save(Baseline(), as: "main") }
        #expect(made?.description.hasPrefix("\(place) cannot be made: ") == true)
        #expect(made?.description.hasSuffix("; name a folder with --baselines") == true)
        let folder = BaselineFolder(path: scratch.path)
        try Data("{}".utf8).write(to: URL(filePath: folder.file("empty")))
        let invalid = #expect(throws: GaugeError.self) { try folder.load("empty") }
        #expect(invalid?.description.hasPrefix("\(folder.file("empty")): line 1") == true)
        #expect(throws: UsageError.self) { try folder.load("../x") }
        #expect(scratch.openDescriptors == 0)
    }

    @Test("a file of many pieces is read whole, and a name that leads nowhere is left out of the list")
    func whole() throws {
        let scratch = try ScratchDirectory()
        let folder = BaselineFolder(path: scratch.path)
        let figures = (0..<2_500).map { number in
            let count = RepeatedCount(Double(number), Double(number) + 0.5)
            return ("stage/case \(number) of many/subject", ["instructions": count])
        }
        let baseline = Baseline(entries: [Self.entry(Dictionary(uniqueKeysWithValues: figures))])
        try folder.save(baseline, as: "large")
        #expect(try FileManager.default.attributesOfItem(atPath: folder.file("large"))[.size] as? Int ?? 0 > 131_072)
        #expect(try folder.load("large") == baseline)
        symlink("\(scratch.path)/missing", folder.file("gone"))
        #expect(folder.names() == ["gone", "large"])
        let heading =
            "    Swift 7, m68k, musl, no features known\n"
            + "    2500 figures, 2026-01-31T12:00:00Z, revision 0: none\n"
        #expect(BaselineReport.list(folder).text == "large\n" + heading)
        // Entries are set apart by an empty line, and one without figures has its heading alone.
        let bare =
            "Swift 7, m68k, musl, no features known\n0 figures, 2026-01-31T12:00:00Z, revision 0: none\n"
        var other = Self.entry()
        other.key.swift = "8"
        #expect(
            BaselineReport.text(Baseline(entries: [other, Self.entry()]))
                == bare + "\n" + bare.replacing("Swift 7", with: "Swift 8"))
    }

    @Test("a processor without a name of its features is passed over") func nameless() {
        #expect(BaselineKey.features(ofCPUInformation: ":\n: aes\nflags: avx2 aes\n") == ["aes", "avx2"])
    }

    @Test("without counts of its key, each chosen benchmark has the reason at each of its metrics, or no line")
    func otherKey() {
        let key = BaselineKey(swift: "8", architecture: "", libc: "", features: [])
        let comparison = BaselineComparison(
            name: "main", baseline: Baseline(entries: [Self.entry(["gone": ["misses": 1]])]), key: key,
            settings: Self.entry().settings)
        let rows = comparison.comparisons(
            with: ["b": .exact([.misses: 1, .allocations: 2])], order: ["b", "a"]
        ) { _ in true }
        #expect(rows.map(\.benchmark) == ["b", "a"])
        #expect(rows[0].lines.map(\.metric) == [.allocations, .misses])
        let reason = CountVerdict.notComparable("baseline main has no counts for Swift 8, , , no features known")
        #expect(rows[0].lines.allSatisfy { $0.verdict == reason })
        #expect(rows[1].lines.isEmpty)
    }
}
