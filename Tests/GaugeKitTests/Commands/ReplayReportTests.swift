import Foundation
import Platform
import PlantedGauge
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// Each figure of a replay in its own place, in figures that all differ.
@Suite("Report of a replay") struct ReplayReportTests {
    private static func histogram(_ times: [(count: Int, nanoseconds: UInt64)]) -> Histogram {
        var histogram = Histogram()
        for time in times { for _ in 0..<time.count { histogram.add(nanoseconds: time.nanoseconds) } }
        return histogram
    }

    /// 10,000 times: minimum, median, p90, p99, p99.9 and maximum are `base` and 1 to 5 more, exactly.
    private static func times(_ base: UInt64) -> Histogram {
        histogram([(1, base), (7_999, base + 1), (1_500, base + 2), (450, base + 3), (45, base + 4), (5, base + 5)])
    }

    private static let result: ReplayResult = {
        var result = ReplayResult()
        (result.counts.memoryHits, result.counts.diskHits, result.counts.unknownTierHits) = (310, 170, 20)
        (result.counts.misses, result.counts.wrong) = (490, 10)
        (result.counts.requestedBytes, result.counts.hitBytes) = (2_048_000, 512_000)
        (result.outdated, result.tooLarge, result.refused, result.expired) = (11, 12, 13, 14)
        (result.unanswerable, result.unstorable, result.passed, result.unsized, result.skipped) = (15, 16, 17, 18, 19)
        result.latency = [.memoryHit: times(20), .miss: times(100)]
        result.openLoop = (service: times(140), response: times(180))
        return result
    }()

    @Test("the first three wrong answers are told in their order, with what happened before") func trouble() {
        let answers = Answers()
        for number in 1...4 {
            answers.wrong(key: "k\(number)", expected: "e\(number)", got: "g\(number)", history: ["h\(number)", "i"])
        }
        let lines = TroubleReport.wrongAnswers(of: "mine", answers.count, answers.first).split(separator: "\n")
            .map(String.init)
        let told = (1...3).flatMap { ["    key k\($0): expected e\($0), got g\($0)", "      h\($0)", "      i"] }
        #expect(lines == ["mine gave 4 wrong answers"] + told)
    }

    private func report(_ arguments: String...) throws -> ReplayReport {
        try report(of: FlawedCache.self, arguments)
    }

    private func report(
        of subject: any CacheSubject.Type, _ arguments: [String], directory: String? = nil
    ) throws -> ReplayReport {
        let scratch = try ScratchDirectory()
        let trace = "\(scratch.path)/trace.csv"
        try Data("key,size\n1,2\n".utf8).write(to: URL(filePath: trace))
        let options = try ReplayOptions(ParsedArguments(arguments + [trace], of: ReplayCommand.specification))
        return ReplayReport(
            options, subject: subject, reader: try TraceReader(TraceInput(path: trace)),
            directory: directory ?? scratch.path)
    }

    private class OnDisk: CacheSubject {
        class var name: String { "on-disk" }
        class var capabilities: SubjectCapabilities { .disk }
        required init(_ configuration: SubjectConfiguration) {}
        func key(for url: String) -> String { url }
        func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
        func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
        func remove(_ key: String) {}
    }

    private final class InMemory: OnDisk {
        override class var name: String { "in-memory" }
        override class var capabilities: SubjectCapabilities { .memory }
    }

    @Test("a subject without one of the tiers is told as such, with its policy where that is not the usual one")
    func tiers() throws {
        func subject(_ type: any CacheSubject.Type, _ arguments: String...) throws -> String? {
            let text = try report(of: type, ["--memory=3MiB", "--disk=7MiB"] + arguments, directory: "/proc").text(
                of: Self.result)
            return text.split(separator: "\n").first { $0.hasPrefix("subject ") }.map { String($0.dropFirst(16)) }
        }
        #expect(try subject(OnDisk.self) == "on-disk, no memory tier, disk tier 7 MiB on proc")
        #expect(try subject(InMemory.self) == "in-memory, memory tier 3 MiB, no disk tier")
        #expect(try subject(InMemory.self, "--policy=lru") == "in-memory, memory tier 3 MiB, no disk tier")
        let usual = "in-memory, memory tier 3 MiB, no disk tier"
        #expect(try subject(InMemory.self, "--policy=gdsf") == "\(usual), policy gdsf")
    }

    @Test("a replay that was stopped says so, and so do bounds of a trace that is too long for them")
    func stopped() throws {
        var result = Self.result
        let whole = try report("--no-bounds").text(of: result)
        #expect(!whole.contains("stopped") && !whole.contains("bounds"))
        result.isStopped = true
        let text = try report().text(of: result)
        #expect(text.contains("\n                stopped before the end of the trace\n"))
        #expect(
            text.contains("\nbounds          left out, since the trace has more than \(ReuseLog.longest) requests\n\n"))
        #expect(try report("--format=json").text(of: result).contains("\"complete\" : false"))
    }

    @Test(
        "a disk tier in memory is a warning, unless nothing is stored there",
        .enabled(if: fileSystemType(at: "/dev/shm") == "tmpfs"))
    func inMemory() throws {
        func warnings(_ type: any CacheSubject.Type, _ arguments: String..., in directory: String) throws -> [String] {
            try report(of: type, arguments, directory: directory).warnings
        }
        let warning = "the directory is in memory (tmpfs); name one on a disk with --directory"
        #expect(try warnings(OnDisk.self, in: "/dev/shm") == [warning])
        #expect(try warnings(OnDisk.self, in: "/proc").isEmpty && warnings(InMemory.self, in: "/dev/shm").isEmpty)
        #expect(try warnings(OnDisk.self, "--disk=0", in: "/dev/shm").isEmpty)
        #expect(try warnings(OnDisk.self, "--entries=9", in: "/dev/shm").isEmpty)
    }

    @Test("the first subject is replayed to unless another is named, and a name that is not there is told")
    func named() throws {
        let gauge = Gauge(benchmarks: [], subjects: [OnDisk.self], peers: [InMemory.self], executable: "mine")
        let (first, peer) = (try gauge.subject(named: nil), try gauge.subject(named: "in-memory"))
        #expect(first.type.name == "on-disk" && !first.isPeer && peer.type.name == "in-memory" && peer.isPeer)
        let only = try Gauge(benchmarks: [], peers: [InMemory.self]).subject(named: nil)
        #expect(only.type.name == "in-memory" && only.isPeer)
        let near = #expect(throws: UsageError.self) { try gauge.subject(named: "in-memori") }
        #expect(near?.description.hasPrefix("there is no subject 'in-memori'") == true)
        #expect(near?.description.hasSuffix("; there are on-disk, in-memory") == true)
        #expect(throws: UsageError("mine has no subjects to replay to")) {
            try Gauge(benchmarks: [], executable: "mine").subject(named: nil)
        }
    }

    @Test("the tables for people") func tables() throws {
        let text = try report("--rate", "250", "--memory", "4MiB", "--disk", "20MiB", "--no-bounds").text(
            of: Self.result)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        let expected = [
            "requests 1000", "memory hits 310 31.0 %", "disk hits 170 17.0 %", "hits of unknown tier 20 2.0 %",
            "misses 490 49.0 %", "11 of them hits on a size that had changed", "12 of them larger than any tier",
            "13 of them with a URL that is not cached", "14 of them hits on expired responses",
            "15 of them for the origin only", "16 of them not to be stored",
            "17 of them neither to be answered nor stored", "wrong 10 1.0 %",
            "skipped 19 lines or entries without a request", "hit ratio 50.0 %", "byte hit ratio 25.0 %",
            "latency operations minimum median p99 p99.9 maximum",
            "memory-hit 10000 20.0 ns 21.0 ns 23.0 ns 24.0 ns 25.0 ns",
            "miss 10000 100 ns 101 ns 103 ns 104 ns 105 ns", "service 10000 140 ns 141 ns 143 ns 144 ns 145 ns",
            "response 10000 180 ns 181 ns 183 ns 184 ns 185 ns",
        ]
        #expect(lines.filter(expected.contains) == expected, "\(lines)")
        #expect(text.contains("memory tier 4 MiB, disk tier 20 MiB on"))
        #expect(text.contains("from the trace; for the 18 requests without one"))
        #expect(text.contains("open loop: 250 requests a second"))
    }

    @Test("the sizes of bodies are those of the trace with their mean, assumed ones, or both") func sizes() throws {
        var result = Self.result
        for (unsized, bodiless, text) in [
            (0, 9, "body sizes  from the trace, 2 KiB on average\n"),
            (1, 9, "from the trace; for the one request without, "),
            (18, 9, "from the trace; for the 18 requests without one, "),
            (999, 0, "from the trace; for the 999 requests without one, "),
            (999, 1, ", since the trace has none\n"), (1_000, 0, ", since the trace has none\n"),
        ] {
            (result.unsized, result.bodiless) = (unsized, bodiless)
            let report = try report("--no-bounds").text(of: result)
            let line = report.split(separator: "\n").first { $0.hasPrefix("body sizes") }.map { "\($0)\n" }
            let words = line?.split(separator: " ").joined(separator: " ") ?? ""
            #expect(words.contains(text.split(separator: " ").joined(separator: " ")), "\(words)")
        }
    }

    @Test("text and tables fit the terminal") func width() throws {
        for width in [80, 100] {
            let text = try report("--rate", "250", "--policy", "gdsf").text(of: Self.result, width: width)
            let lines = text.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width }, "\(text)")
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("when it is due; response times count from then"), "\(text)")
        }
    }

    @Test("JSON") func json() throws {
        let text = try report("--format", "json", "--times", "trace", "--speedup", "3", "--seed", "77").text(
            of: Self.result)
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let expected: [String: Double] = [
            "requests": 1_000, "hits": 500, "memory_hits": 310, "disk_hits": 170, "unknown_tier_hits": 20,
            "misses": 490, "wrong": 10, "outdated": 11, "too_large": 12, "refused": 13, "expired": 14,
            "unanswerable": 15, "unstorable": 16, "passed": 17, "requests_without_size": 18, "skipped": 19,
            "hit_ratio": 0.5, "byte_hit_ratio": 0.25, "requested_bytes": 2_048_000, "hit_bytes": 512_000, "speedup": 3,
        ]
        for (name, value) in expected { #expect(json[name]?.double == value, "\(name)") }
        #expect(json["seed"]?.string == "77" && json["subject"]?.string == "flawed" && json["rate"] == nil)
        #expect(json["complete"]?.flag == true && json["trace_format"]?.string == "csv")
        let latency = try #require(json["latency"])
        for (times, base) in [
            (latency["memory-hit"], 20.0), (latency["miss"], 100), (json["service"], 140), (json["response"], 180),
        ] {
            let times = try #require(times)
            let names = ["min", "p50", "p90", "p99", "p99.9", "max"]
            #expect(names.map { times[$0]?.double } == (0..<6).map { base + Double($0) })
            #expect(times["count"]?.double == 10_000)
            // The sum of 7,999 times 1, 1,500 times 2, 450 times 3, 45 times 4 and 5 times 5 is 12,554.
            #expect(abs(try #require(times["mean"]?.double) - base - 1.2554) < 1e-9)
        }
    }

    @Test("capacities and pauses stand in their own members, and simulated tiers are told as such")
    func capacities() throws {
        var result = Self.result
        for seconds in [2.0, 3] { result.cutPauses.add(seconds: seconds) }
        let options = ["--memory=3MiB", "--disk=7MiB", "--no-bounds"]
        let text = try report("--format=json", options[0], options[1]).text(of: result)
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(json["memory_capacity"]?.double == 3_145_728 && json["disk_capacity"]?.double == 7_340_032)
        #expect(json["cut_pauses"]?.double == 2 && json["cut_seconds"]?.double == 5)
        let table = try report(options[0], options[1], options[2]).text(of: result)
        #expect(table.contains("pauses above 60 s cut to 60 s: 2, by 5.00 s in all\n"))
        #expect(
            try report("--no-bodies", options[0], options[1]).text(of: result).contains(
                "least recently used, simulated: memory tier 3 MiB, disk tier 7 MiB; no body was made"))
        #expect(try report("--no-bodies", "--disk=0").text(of: result).contains("memory tier 4 MiB, no disk tier; no"))
        #expect(
            try report("--no-bodies", "--entries=50").text(of: result).contains("memory tier 50 entries, no disk tier;")
        )
    }

    @Test("the rows of peers are those of peers, in each tier") func peers() {
        let (own, peers) = (
            Gauge.benchmarks(of: [FlawedCache.self], peers: []), Gauge.benchmarks(of: [], peers: [FlawedCache.self])
        )
        #expect(Set(own.map(\.name.stage)).count > 1 && own.map(\.name) == peers.map(\.name))
        #expect(own.allSatisfy { !$0.isPeer } && peers.allSatisfy(\.isPeer))
    }

    @Test("a policy that a cache lacks is refused") func policies() throws {
        #expect(throws: UsageError.self) { try FlawedCache.requirePolicy(.gdsf) }
        #expect(throws: Never.self) { try FlawedCache.requirePolicy(.lru) }
    }

    @Test("advice on how to go on names the option that skips such an error") func advice() throws {
        let options = try TraceOptions(ParsedArguments(["t"], of: ReplayCommand.specification))
        func advice(_ error: TraceError) -> String {
            do { return try options.advising { throw error } } catch { return "\(error)" }
        }
        #expect(advice(TraceError("t", .line(3), "odd", isNoise: true)).contains("odd; without --strict it is skipped"))
        #expect(
            advice(TraceError("t", .line(3), "odd", isSkippable: true)).contains(
                "odd; --skip-damaged goes on without it"))
        #expect(advice(TraceError("t", .line(3), "odd")).hasSuffix("odd"))
    }

    @Test("a limit of entries is told in place of the tiers") func entries() throws {
        let text = try report("--entries", "50", "--no-bounds").text(of: Self.result)
        #expect(text.contains("50 entries in memory, one shard, no disk tier"))
        #expect(text.contains("64 bytes stored for each, since entries are counted"))
        #expect(text.contains("closed loop: each request is sent when the one before it is answered"))
    }
}
