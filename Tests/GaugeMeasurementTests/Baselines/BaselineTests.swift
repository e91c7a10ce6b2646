import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Baselines") struct BaselineTests {
    private static let key = BaselineKey(
        swift: "6.3.1", architecture: "x86_64", libc: "glibc 2.36", features: ["avx2", "sse4_2"],
        valgrind: "3.19.0")
    private static let entry = Baseline.Entry(
        key: key, reason: "a \"reason\"\nof two lines", revision: "0123456789ab", date: "2026-01-31T12:00:00Z",
        settings: Baseline.Settings(RunSettings()),
        figures: [
            "date/imf/tiered": ["instructions": 38.12, "allocations": 0], "a/b: c/d": ["bytes written": 4_096.5],
        ])

    @Test("what is written is read again, with sorted keys and one line a figure") func roundTrip() throws {
        let text = try Baseline(entries: [Self.entry]).text()
        #expect(try Baseline(reading: Array(text.utf8)) == Baseline(entries: [Self.entry]))
        let figures = text.split(separator: "\n").filter { $0.contains("tiered: ") || $0.contains("c/d: ") }
        #expect(
            figures.map { $0.drop { $0 == " " } } == [
                "\"a/b: c/d: bytes written\" : 4096.5,", "\"date/imf/tiered: allocations\" : 0,",
                "\"date/imf/tiered: instructions\" : 38.12",
            ])
        #expect(text.hasSuffix("}\n"))
    }

    @Test("an entry takes the place of the one of its key, and of no other") func replacing() {
        var other = Self.entry
        other.key.libc = "glibc 2.39"
        var baseline = Baseline(entries: [other, Self.entry])
        var newer = Self.entry
        newer.reason = "newer"
        baseline.put(newer)
        #expect(baseline.entries.map(\.reason) == ["newer", other.reason])
        #expect(baseline[other.key] == other)
        #expect(baseline[BaselineKey(swift: "7", architecture: "", libc: "", features: [])] == nil)
    }

    @Test("all counts are kept, those that do not repeat as a range, and only those that are none are not")
    func kept() {
        var counts = BenchmarkCounts()
        counts.values = [
            "instructions": RepeatedCount(100_000, 100_004), "allocations": RepeatedCount(1, 2),
            "misses": RepeatedCount(0.5, 0.5), "worst instructions": RepeatedCount(1_000, 1_010),
            "worst 1 % instructions": RepeatedCount(1_000, 1_010), "hit ratio": RepeatedCount(.nan, 1),
        ]
        var none = BenchmarkCounts()
        none.values = ["hit ratio": RepeatedCount(0.5, .infinity)]
        #expect(
            Baseline.Entry.figures(of: ["a/b/c": counts, "a/b/d": none, "a/b/e": BenchmarkCounts()])
                == [
                    "a/b/c": [
                        "instructions": RepeatedCount(100_000, 100_004), "allocations": RepeatedCount(1, 2),
                        "misses": 0.5, "worst instructions": RepeatedCount(1_000, 1_010),
                        "worst 1 % instructions": RepeatedCount(1_000, 1_010),
                    ]
                ])
        #expect(Self.entry.counts["a/b: c/d"]?.values == ["bytes written": RepeatedCount(4_096.5, 4_096.5)])
        #expect(Self.entry.count == 3)
    }

    @Test("a count whose repetitions differ keeps their range, within which a later one is unchanged")
    func ranges() throws {
        let metric = Metric.allocatedBytes
        var counts = BenchmarkCounts()
        counts.values[metric.name] = RepeatedCount(100_004, 100_000)
        var entry = Self.entry
        entry.figures = Baseline.Entry.figures(of: ["a/b/c": counts])
        let text = try Baseline(entries: [entry]).text()
        #expect(text.contains("\"a/b/c: bytes allocated\" : \"100000.0 to 100004.0\"\n"), "\(text)")
        let read = try #require(try Baseline(reading: Array(text.utf8)).entries.first?.counts["a/b/c"])
        #expect(read.values == [metric.name: RepeatedCount(100_000, 100_004)])
        func verdict(_ bytes: Double) -> CountVerdict? {
            CountComparison("a/b/c", base: read, head: .exact([metric: bytes])).verdict(on: metric)
        }
        #expect(verdict(100_000) == .equivalent && verdict(100_004) == .equivalent)
        #expect(verdict(100_100) == .worse && verdict(99_900) == .better)
        // Two equal counts are exact.
        let exact = BenchmarkCounts.exact([metric: 100_000])
        let later = BenchmarkCounts.exact([metric: 100_001])
        #expect(CountComparison("a/b/c", base: exact, head: later).verdict(on: metric) == .worse)
        #expect(
            BaselineReport.text(Baseline(entries: [entry])).hasSuffix("a/b/c  bytes allocated  100002\n"))
    }

    @Test("a count that did not repeat when it was kept is unstable, and not missing, whatever it is later")
    func unstable() throws {
        var counts = BenchmarkCounts()
        counts.values[Metric.allocations.name] = RepeatedCount(1.001, 1.003)
        var entry = Self.entry
        entry.figures = Baseline.Entry.figures(of: ["a/b/c": counts])
        #expect(BaselineReport.text(Baseline(entries: [entry])).hasSuffix("a/b/c  allocations  1.001–1.003\n"))
        let kept = BaselineComparison(
            name: "main", baseline: Baseline(entries: [entry]), key: entry.key, settings: entry.settings
        ).kept
        for head in [1.001, 1.002, 1.0035] {
            let comparison = CountComparison("a/b/c", base: kept["a/b/c"], head: .exact([.allocations: head]))
            #expect([.unstable, .equivalent].contains(comparison.verdict(on: .allocations)), "\(head)")
            let conditions = GateDecision.Conditions(required: [.allocations])
            #expect(GateDecision(comparisons: [comparison], conditions: conditions).exitCode == .ok)
        }
        // Far beyond what it varies by.
        let moved = CountComparison("a/b/c", base: kept["a/b/c"], head: .exact([.allocations: 2]))
        #expect(moved.verdict(on: .allocations) == .worse)
    }

    @Test(
        "a file that is not as it should be is refused, with the place and the remedy",
        arguments: [
            ("", "line 1"), ("{}", "lacks 'format'"), ("[]", "a list"),
            (#"{"format":2,"entries":[]}"#, "it takes a whole number from 1 to 1"),
            (#"{"format":1,"entries":[],"more":1}"#, "has no 'more'"),
            (#"{"format":1,"entries":{}}"#, "a list of"), (#"{"format":1,"entries":[1]}"#, "entry is a number"),
            (#"{"format":1,"format":1,"entries":[]}"#, "a second time"),
            (#"{"format":1,"entries":[{"key":1}]}"#, "key is a number"),
        ])
    func malformed(text: String, reason: String) {
        #expect(
            performing: {
                try Baseline(reading: Array(text.utf8))
            }, throws: { "\($0)".contains(reason) && "\($0)".hasPrefix("line ") })
    }

    @Test(
        "a figure is a benchmark, a metric that there is, and a number that may be one",
        arguments: [
            (#""x": 1"#, "is not a benchmark and a metric"), (#""x: time": 1"#, "is not a benchmark and a metric"),
            (#""x: instructions": -1"#, "a number from 0"), (#""x: instructions": 1.01e18"#, "a number from 0"),
            (#""x: instructions": null"#, "a number from 0"), (#""x: instructions": "1""#, "a number from 0"),
            (#""x: instructions": "2 to 1""#, "or a text as '100 to 101'"),
            (#""x: instructions": "1 to 2 to 3""#, "a number from 0"),
            (#""x: instructions": "nan to nan""#, "a number from 0"),
            (#""x: instructions": "-1 to 2""#, "a number from 0"), (#""x: instructions": [1, 2]"#, "a number from 0"),
        ])
    func figures(figure: String, reason: String) throws {
        let good = try Baseline(entries: [Self.entry]).text()
        let bad = good.replacing("\"date/imf/tiered: allocations\" : 0", with: figure)
        #expect(bad != good)
        #expect(
            performing: {
                try Baseline(reading: Array(bad.utf8))
            }, throws: { "\($0)".contains(reason) })
    }

    @Test("the least and the largest figure are read", arguments: [0, 1e18])
    func bounds(figure: Double) throws {
        var entry = Self.entry
        entry.figures["date/imf/tiered"]?["allocations"] = RepeatedCount(figure, figure)
        let text = try Baseline(entries: [entry]).text()
        #expect(try Baseline(reading: Array(text.utf8)).entries.first?.figures == entry.figures)
    }

    @Test("counts are of at least one operation and of at most a thousand million") func operations() throws {
        let good = try Baseline(entries: [Self.entry]).text()
        for (operations, isRead) in [(0, false), (1, true), (1_000_000_000, true), (1_000_000_001, false)] {
            let text = good.replacing(
                "\"operations\" : \(WorkCounts.operations)", with: "\"operations\" : \(operations)")
            #expect(text != good)
            let read = try? Baseline(reading: Array(text.utf8))
            #expect(read?.entries.first?.settings.operations == (isRead ? operations : nil), "\(operations)")
        }
    }

    @Test("one key twice is refused: readers would differ in which they believe") func twice() throws {
        let text = try Baseline(entries: [Self.entry, Self.entry]).text()
        #expect(
            performing: {
                try Baseline(reading: Array(text.utf8))
            }, throws: { "\($0)".contains("this key appears a second time") })
    }

    @Test("however a file is damaged, it is read or refused, and never more") func damage() throws {
        let good = Array(try Baseline(entries: [Self.entry]).text().utf8)
        var random = Xoshiro256(seed: 8)
        for _ in 0..<3_000 {
            var bytes = good
            for _ in 0...random.next(below: 3) {
                bytes[Int(random.next(below: UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: random.next())
            }
            bytes.removeLast(Int(random.next(below: 4) * random.next(below: UInt64(bytes.count)) / 4))
            guard let read = try? Baseline(reading: bytes) else { continue }
            #expect(try Baseline(reading: Array(read.text().utf8)) == read)
        }
    }

    @Test("the features that matter are those of the first processor, sorted") func features() {
        let intel = "processor\t: 0\nflags\t\t: fpu sse4_2 avx2 erms nonsense bmi2\n\nprocessor\t: 1\nflags : aes\n"
        #expect(BaselineKey.features(ofCPUInformation: intel) == ["avx2", "bmi2", "erms", "sse4_2"])
        #expect(BaselineKey.features(ofCPUInformation: "Features\t: fp asimd crc32\n") == ["asimd", "crc32"])
        #expect(BaselineKey.features(ofCPUInformation: "") == [])
        #expect(BaselineKey.features(ofCPUInformation: "flags\nflags:\nbugs: avx2") == [])
    }

    @Test("of another key, and of other settings, nothing is comparable, and it is said why") func otherKeys() {
        let table = ["date/imf/tiered": BenchmarkCounts.exact([.instructions: 38.12])]
        func comparisons(_ key: BaselineKey, _ settings: Baseline.Settings) -> [CountComparison] {
            BaselineComparison(
                name: "main", baseline: Baseline(entries: [Self.entry]), key: key, settings: settings
            ).comparisons(with: table, order: ["date/imf/tiered"]) { _ in true }
        }
        let settings = Self.entry.settings
        let same = comparisons(Self.key, settings)
        #expect(same.map(\.benchmark) == ["date/imf/tiered", "a/b: c/d"])
        #expect(same[0].verdict(on: .instructions) == .equivalent)
        #expect(same[1].verdict(on: .writtenBytes) == .notComparable("the benchmark is gone"))
        // Files of earlier versions have no count that varies.
        let counted = ["date/imf/tiered": BenchmarkCounts.exact([.instructions: 38.12, .misses: 2])]
        let older = BaselineComparison(
            name: "main", baseline: Baseline(entries: [Self.entry]), key: Self.key, settings: settings
        ).comparisons(with: counted, order: ["date/imf/tiered"]) { _ in false }
        guard case .notComparable(let reason)? = older[0].verdict(on: .misses) else {
            Issue.record()
            return
        }
        #expect(reason.contains("make it again with baseline update"))
        var key = Self.key
        key.features = ["avx2"]
        let other = comparisons(key, settings)
        #expect(
            other[0].verdict(on: .instructions)
                == .notComparable(
                    "baseline main has no counts for Swift 6.3.1, x86_64, glibc 2.36, valgrind 3.19.0, avx2"))
        var more = settings
        more.memory *= 2
        #expect(
            comparisons(Self.key, more)[0].verdict(on: .instructions)
                == .notComparable("baseline main was counted with other capacities, seed or operations"))
        let decision = GateDecision(comparisons: other, conditions: .init(required: [.instructions]))
        #expect(decision.exitCode == .missingBaseline)
    }

    @Test("two baselines share the keys that both have") func shared() {
        func baseline(_ versions: String...) -> Baseline {
            Baseline(
                entries: versions.map { version in
                    var entry = Self.entry
                    entry.key = .current
                    if !version.isEmpty { entry.key.swift = version }
                    return entry
                })
        }
        #expect(
            baseline("1", "", "2").keys(sharedWith: baseline("2", "", "3", "1")).map(\.swift)
                == [BaselineKey.current.swift, "1", "2"])
        #expect(baseline("1").keys(sharedWith: baseline("2")) == [])
    }

    @Test(
        "a name is a name, and leads nowhere else",
        arguments: ["", ".", "..", ".hidden", "-x", "a/b", "../a", "a b", "ä", String(repeating: "x", count: 101)])
    func names(name: String) { #expect(throws: UsageError.self) { try BaselineFolder.checked(name) } }

    @Test("a folder keeps, lists and deletes, and refuses what is no file or too long") func folder() throws {
        let scratch = try ScratchDirectory()
        let folder = BaselineFolder(path: "\(scratch.path)/results/baselines")
        #expect(folder.names() == [])
        #expect(try folder.load("main") == nil)
        #expect(try folder.delete("main") == false)
        try folder.save(Baseline(entries: [Self.entry]), as: "main")
        #expect(folder.names() == ["main"])
        #expect(try folder.load("main") == Baseline(entries: [Self.entry]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["main.json"])
        #expect(try folder.delete("main"))
        #expect(folder.names() == [])
        mkfifo(folder.file("pipe"), 0o600)
        #expect(throws: GaugeError("\(folder.file("pipe")) is no file; remove it")) { try folder.load("pipe") }
        close(open(folder.file("long"), O_CREAT | O_WRONLY, 0o600))
        truncate(folder.file("long"), Baseline.longestFile + 1)
        #expect(throws: GaugeError.self) { try folder.load("long") }
        symlink("/dev/zero", folder.file("zero"))
        #expect(throws: GaugeError.self) { try folder.load("zero") }
    }

    @Test("features are compared in whatever order a file names them") func featureOrder() throws {
        let text = try Baseline(entries: [Self.entry]).text()
        let other = text.replacing("avx2 sse4_2", with: "sse4_2 avx2")
        #expect(other != text)
        #expect(try Baseline(reading: Array(other.utf8)) == Baseline(entries: [Self.entry]))
    }

    @Test("a list has the heading of each entry by name, and a baseline its figures in the order of the metrics")
    func report() throws {
        let scratch = try ScratchDirectory()
        let folder = BaselineFolder(path: scratch.path)
        #expect(BaselineReport.list(folder).text == "no baselines in \(scratch.path)\n")
        var entry = Self.entry
        entry.reason = "red \u{1B}[31m"
        for name in ["one", "other"] { try folder.save(Baseline(entries: [entry]), as: name) }
        for name in [".hidden.json", "a b.json", "text"] {
            try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/\(name)"))
        }
        #expect(folder.names() == ["one", "other"])
        let heading = [
            "Swift 6.3.1, x86_64, glibc 2.36, valgrind 3.19.0, avx2 sse4_2\n",
            "3 figures, 2026-01-31T12:00:00Z, revision 0123456789ab: red  [31m\n",
        ]
        let indented = heading.map { "    \($0)" }.joined()
        #expect(BaselineReport.list(folder).text == "one\n\(indented)other\n\(indented)")
        try Data("<<<<<<< HEAD".utf8).write(to: URL(fileURLWithPath: folder.file("ours")))
        let (text, faults) = BaselineReport.list(folder)
        #expect(text == "one\n\(indented)other\n\(indented)")
        #expect(faults.count == 1 && faults[0].hasPrefix(folder.file("ours")) && faults[0].contains("restore the file"))
        #expect(
            BaselineReport.text(Baseline(entries: [entry])) == heading.joined() + """
                a/b: c/d         bytes written  4096.5
                date/imf/tiered  instructions   38.12
                date/imf/tiered  allocations    0

                """)
    }
}
