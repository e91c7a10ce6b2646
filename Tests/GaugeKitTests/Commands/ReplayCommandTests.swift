import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeTraces

/// The command `replay`. `Fixtures/PlantedGauge` has caches that lie and crash, in each role.
@Suite("Command replay") struct ReplayCommandTests {
    private let scratch: ScratchDirectory
    private let trace: String

    /// Writes 2,000 requests by Zipf's law as CSV.
    init() throws {
        scratch = try ScratchDirectory()
        trace = "\(scratch.path)/trace.csv"
        var keys = ZipfKeys(objects: 300, exponent: 1, seed: 3)
        let lines = (0..<2000).map { _ in
            let key = keys.next()
            return "\(key),\(100 + key)\n"
        }
        try Data(("key,size\n" + lines.joined()).utf8).write(to: URL(filePath: trace))
    }

    private func replay(_ arguments: String...) throws -> ChildRun {
        let directory = scratch.path + "/tiers-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let run = try ChildRun("PlantedGauge", ["replay", "--directory=\(directory)"] + arguments)
        let left = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(left == [], "something temporary is left")
        return run
    }

    private struct Report: Decodable {
        struct Times: Decodable { let count: Int, min: Double, p50: Double, p99: Double, max: Double }
        let requests, hits, memory_hits, disk_hits, misses, wrong: Int
        let hit_ratio, byte_hit_ratio: Double
        let latency: [String: Times]
        let trace_format, subject: String
        let complete: Bool
        let trace_hash: String?
        let trace_bytes: Int?
        let load: String
        let rate: Double?
        let service, response: Times?
        let environment: Environment
    }

    private struct Environment: Decodable {
        let cpu_model, kernel, swift_version, seed, library_build_type: String
        let num_cpus: Int
        let arguments: [String]
        let file_system: String?
    }

    private func report(_ run: ChildRun) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    }

    /// The hits of exact LRU on the trace.
    private func expectedHits(entries: Int) throws -> Int {
        var lru = ExactLRU(capacity: .entries(entries))
        var reader = try TraceReader(TraceInput(path: trace))
        var hits = 0
        while let request = try reader.next() { if lru.access(request.id) { hits += 1 } }
        return hits
    }

    @Test("pieces of a trace, named by a pattern, have the hits of the whole, simulated or replayed")
    func pieces() throws {
        let lines = try String(contentsOf: URL(filePath: trace), encoding: .utf8).split(separator: "\n")
        for (number, piece) in [lines[1..<300], lines[300..<1_000], lines[1_000...]].enumerated() {
            let text = "key,size\n" + piece.joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: URL(filePath: "\(scratch.path)/piece\(number + 9).csv"))
        }
        let pattern = "\(scratch.path)/piece*.csv"
        for options in [["--entries=40"], ["--entries=40", "--no-bodies"]] {
            let (whole, pieces) = try (
                run(options + ["--format=json", trace]), run(options + ["--format=json", pattern])
            )
            #expect(try report(pieces, "hits") == report(whole, "hits") && report(whole, "hits") > 100)
            #expect(try report(pieces, "requests") == 2000)
        }
        let missing = try replay("--entries=40", "\(scratch.path)/none*.csv")
        #expect(missing.status == 64 && missing.errors.contains("no file matches"))
    }

    private func run(_ arguments: [String]) throws -> ChildRun { try ChildRun("PlantedGauge", ["replay"] + arguments) }

    private func report(_ run: ChildRun, _ member: String) throws -> Int {
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return try #require(object?[member] as? Int)
    }

    @Test("JSON has the counts, and the output has nothing else")
    func jsonHasTheCountsAndNothingElseIsOnTheOutput() throws {
        let run = try replay("--format", "json", "--entries", "50", trace)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let report = try report(run)
        #expect(report.requests == 2000 && report.subject == "honest" && report.trace_format == "csv")
        #expect(try report.hits == expectedHits(entries: 50))
        #expect(report.memory_hits == report.hits && report.disk_hits == 0 && report.wrong == 0 && report.complete)
        #expect(report.misses == 2000 - report.hits)
        #expect(report.hit_ratio == Double(report.hits) / 2000)
        #expect(report.byte_hit_ratio > 0 && report.byte_hit_ratio < 1)
        #expect(report.latency["memory-hit"]?.count == report.hits)
        #expect(report.latency["store"]?.count == report.misses)
    }

    @Test("the text names the trace and how its format was determined")
    func textSaysWhatWasReplayedAndHowTheFormatWasKnown() throws {
        let run = try replay(trace)
        #expect(run.status == 0)
        #expect(run.output.contains("(csv, recognised by its beginning)"), "\(run.output)")
        #expect(run.output.contains("honest, memory tier 4 MiB, no disk tier; planted"), "\(run.output)")
        #expect(run.output.contains("hit ratio"))
        #expect(run.output.contains("memory-hit"))
    }

    @Test("a replay says which bytes it replayed, and where, to people and to programs") func environment() throws {
        let bytes = try Data(contentsOf: URL(filePath: trace))
        let report = try report(try replay("--format", "json", trace))
        let hash = "crc32c:" + String(format: "%08x", Self.checksum(bytes))
        #expect(report.trace_hash == hash && report.trace_bytes == bytes.count)
        let environment = report.environment
        #expect(!environment.cpu_model.isEmpty && !environment.kernel.isEmpty && environment.num_cpus > 0)
        #expect(environment.seed == "1" && environment.swift_version.hasPrefix("6."))
        #expect(environment.arguments.contains("--memory=4194304") && environment.file_system != nil)
        // The arguments as a user writes them.
        #expect(environment.arguments.first == "replay" && !environment.arguments.contains { $0.contains("tiers-") })
        let text = try replay(trace).output
        #expect(text.contains("trace hash      \(hash) over \(bytes.count) bytes\nmeasured on "), "\(text)")
        let curve = try ChildRun("PlantedGauge", ["mrc", trace])
        #expect(curve.output.contains("trace hash      \(hash) over \(bytes.count) bytes\nmeasured on "))
        let planted = RunningChild.path(of: "PlantedGauge")
        let json = try ChildRun("sh", ["-c", "cat '\(trace)' | '\(planted)' mrc --format json -"])
        #expect(json.output.contains("\"trace_hash\" : \"\(hash)\"") && json.output.contains("\"cpu_model\""))
    }

    @Test(
        "bodies have the sizes of --sizes where the trace has none, 4 KiB each without it",
        arguments: [
            (nil, "4096 bytes each", 4096), ("constant,bytes=100", "100 bytes each", 100),
            (#"{"kind": "histogram", "bins": [{"from": 7, "to": 7}]}"#, "by a histogram of 1 bins up to 7 bytes", 7),
            ("lognormal,mu=9.357,sigma=1.318", "lognormal (μ 9.357, σ 1.318) from 64 to 1048576 bytes", nil),
        ] as [(String?, String, Int?)])
    func sizes(written: String?, told: String, size: Int?) throws {
        struct Sizes: Decodable {
            struct Bounds: Decodable { let belady_min: Hits? }
            struct Hits: Decodable { let hits: Int }
            let requested_bytes: Int
            let body_sizes: String
            let bounds: Bounds
        }
        let keys = (0..<300).map { UInt64($0 * $0 % 50) }
        let path = "\(scratch.path)/keys"
        try Data(keys.flatMap { [0, 0, 0, UInt8($0)] }).write(to: URL(filePath: path))
        let options = ["--trace-format=be32"] + (written.map { ["--sizes", $0] } ?? [])
        let run = try ChildRun("PlantedGauge", ["replay", "--format=json"] + options + [path])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let report = try JSONDecoder().decode(Sizes.self, from: Data(run.output.utf8))
        let sizes = BodySizes.webLike(seed: 1)
        #expect(report.requested_bytes == keys.reduce(0) { $0 + (size ?? sizes.size(of: $1)) })
        #expect(report.body_sizes == "\(told), since the trace has none")
        // All bodies fit, so the optimum misses only the first request for each key. The optimum for bodies of
        // different sizes is unknown.
        #expect(report.bounds.belady_min?.hits == (size == nil ? nil : 300 - Set(keys).count))
        let text = try ChildRun("PlantedGauge", ["replay"] + options + [path]).output
        #expect(text.contains("\nbody sizes      \(told), since the trace has none\n"), "\(text)")
    }

    @Test("the report says whether the sizes came from the trace") func sourceOfSizes() throws {
        #expect(try replay(trace).output.contains("\nbody sizes      from the trace, "))
        let path = "\(scratch.path)/access.log"
        let lines = [("a", "200 1024"), ("b", "304 -"), ("b", "304 -"), ("a", "200 1024")].map {
            "1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"GET /\($0.0) HTTP/1.1\" \($0.1) \"-\" \"-\"\n"
        }
        try Data(lines.joined().utf8).write(to: URL(filePath: path))
        let output = try replay("--trace-format=combined", path).output
        #expect(output.contains("from the trace; for the 2 requests without one, the last of their object, or 4096"))
    }

    @Test("a trace that has all sizes is replayed the same whatever --sizes says") func needlessSizes() throws {
        let plain = try report(try replay("--format", "json", trace))
        let sized = try report(try replay("--format", "json", "--sizes", "constant,bytes=1", trace))
        #expect(sized.hits == plain.hits && sized.byte_hit_ratio == plain.byte_hit_ratio)
        #expect(sized.environment.arguments.contains("--sizes=constant,bytes=1"))
    }

    /// CRC-32C bit by bit.
    private static func checksum(_ bytes: Data) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
        }
        return ~sum
    }

    @Test("with a rate a replay is an open loop, and says so; without, a closed one") func rate() throws {
        let open = try report(try replay("--format", "json", "--rate", "200000", trace))
        #expect(open.rate == 200_000 && open.load.hasPrefix("open loop: 200000 requests a second"))
        #expect(open.response?.count == 2000 && open.service?.count == 2000)
        let closed = try report(try replay("--format", "json", trace))
        #expect(closed.rate == nil && closed.response == nil && closed.load.hasPrefix("closed loop"))
        let text = try replay("--rate", "200000", trace).output
        #expect(text.contains("\nresponse ") && text.contains("\nservice ") && text.contains("open loop"))
    }

    @Test("a slow open loop ends at once when it is interrupted") func interruptedRate() throws {
        let directory = "\(scratch.path)/tiers"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let child = try RunningChild(
            "PlantedGauge", ["replay", "--format=json", "--rate=0.01", "--directory=\(directory)", trace])
        let report = try interrupt(child, in: directory)
        #expect(!report.complete && report.requests <= 2 && report.trace_hash == nil)
    }

    @Test("the standard input can be the trace") func theStandardInputIsATraceToo() throws {
        let planted = RunningChild.path(of: "PlantedGauge")
        let run = try ChildRun("sh", ["-c", "cat '\(trace)' | '\(planted)' replay --format json -"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try report(run).requests == 2000)
    }

    @Test("a wrong answer of the subject under test gives exit code 3 and the history of its key")
    func aWrongAnswerOfTheSubjectUnderTestIsExitCode3WithTheHistoryOfItsKey() throws {
        let run = try replay("--subject", "liar", "--format", "json", trace)
        #expect(run.status == 3)
        #expect(try report(run).wrong == 1)
        #expect(run.errors.contains("liar gave 1 wrong answer"), "\(run.errors)")
        #expect(run.errors.contains("damaged bytes") && run.errors.contains("store of version"), "\(run.errors)")
    }

    @Test("a wrong answer of a peer is counted") func aWrongAnswerOfAPeerIsCounted() throws {
        let run = try replay("--subject", "peer-liar", "--format", "json", trace)
        #expect(run.status == 0)
        #expect(try report(run).wrong == 1)
    }

    @Test("a crash is reported and leaves no temporary files", arguments: [("crasher", 3), ("peer-crasher", 1)])
    func aCrashIsToldAndNothingTemporaryIsLeft(subject: String, status: Int32) throws {
        let run = try replay("--subject", subject, trace)
        #expect(run.status == status)
        #expect(run.errors.contains("\(subject) crashed (SIGSEGV) during the replay"), "\(run.errors)")
        #expect(run.output == "")
    }

    @Test("a subject that cannot be opened is an error") func aSubjectThatCannotBeMadeIsAnError() throws {
        let run = try replay("--subject", "refuser", trace)
        #expect(run.status == 1)
        #expect(run.errors.contains("no such library; install it"), "\(run.errors)")
    }

    @Test(
        "a wrong option or an unreadable trace is a clear error",
        arguments: [
            ([], 64, "replay needs FILE"),
            (["--subject", "honset", "TRACE"], 64, "there is no subject 'honset'; did you mean honest?"),
            (["--subject", "liar", "--entries", "5", "TRACE"], 64, "liar cannot count entries"),
            (["--entries", "5", "--memory", "1MiB", "TRACE"], 64, "leave out --memory and --disk"),
            (["--rate", "0", "TRACE"], 64, "--rate"),
            (["--sizes", "constant", "TRACE"], 64, "--sizes: line 1, column 1: sizes lacks 'bytes'"),
            (["--sizes", "constant,bytes=-1", "TRACE"], 64, "0 to 67108864"),
            (["--sizes", "lognormal,mu", "TRACE"], 64, "'mu' has no '='; write member=value"),
            (["--sizes", "lognorml", "TRACE"], 64, "did you mean lognormal?"),
            (["--sizes", "{", "TRACE"], 64, "--sizes: line 1, column 2"),
            (["--sizes", "", "TRACE"], 64, "--sizes: "),
            (["--entries", "0", "TRACE"], 64, "--entries: '0' is not a whole number from 1"),
            (["--trace-format", "be23", "TRACE"], 64, "'be23' is unknown; did you mean be32?"),
            (["/nonexistent/trace"], 1, "/nonexistent/trace: cannot be opened (No such file or directory)"),
            (["--trace-format", "be32", "TRACE"], 1, "of a key's 4 bytes"),
            (["--trace-format", "csv", "/dev/null"], 1, "/dev/null: empty"),
            (["--trace-format", "be32", "/dev/null"], 1, "/dev/null: holds no request"),
            (["/dev/null"], 1, "/dev/null: empty; pass a trace"),
        ] as [([String], Int32, String)])
    func whatCannotBeReplayedIsAClearError(arguments: [String], status: Int32, told: String) throws {
        // One more byte, so that the length is not a multiple of four.
        let odd = "\(scratch.path)/odd"
        try Data((try Data(contentsOf: URL(filePath: trace))).prefix(4001)).write(to: URL(filePath: odd))
        let run = try ChildRun("PlantedGauge", ["replay"] + arguments.map { $0 == "TRACE" ? odd : $0 })
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(told), "\(run.errors)")
        if status == 64 { #expect(run.errors.count { $0 == "\n" } == 1, "\(run.errors)") }
        #expect(run.output == "")
    }

    /// Interrupts a replay after it has started, and reads its output.
    private func interrupt(_ child: RunningChild, in directory: String) throws -> Report {
        // The subject creates a file when it is opened; from then on only the interruption ends the replay.
        func isReplaying() -> Bool {
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []
            return names.contains { $0.hasSuffix("left-behind") }
        }
        for _ in 0..<5000 where !isReplaying() { usleep(2000) }
        kill(child.process, SIGINT)
        let (output, errors) = child.collect()
        #expect(child.wait() == 130, "\(errors)")
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    @Test("an interrupted replay prints its results so far and exits with 130")
    func anInterruptedReplayPrintsWhatItHasAndEndsWith130() throws {
        let pipe = "\(scratch.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        // Held open for writing, so that the trace does not end.
        let writer = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        let start = "key\n1\n1\n"
        try #require(write(writer, start, start.utf8.count) == start.utf8.count)
        let directory = "\(scratch.path)/tiers"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let child = try RunningChild(
            "PlantedGauge", ["replay", "--format=json", "--trace-format=csv", "--directory=\(directory)", pipe])
        let report = try interrupt(child, in: directory)
        #expect(!report.complete && report.requests == 2 && report.hits == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    }

    @Test("without bodies, the tiers are simulated as mrc does, and the output says so") func noBodies() throws {
        let text = try replay("--no-bodies", "--memory=20KiB", "--disk=40KiB", trace)
        #expect(
            text.status == 0
                && text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                    "no body was made, stored or checked"),
            "\(text.errors)")
        #expect(!text.output.contains("latency") && !text.output.contains("Belady"))
        let json = try replay("--no-bodies", "--memory=20KiB", "--disk=40KiB", "--format=json", trace)
        let replayed = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let mrc = try ChildRun(
            "PlantedGauge", ["mrc", "--by=bytes", "--capacities=20KiB", "--two-tier=40KiB", "--format=csv", trace])
        let hits = mrc.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
        let memory = hits.first { $0[0] == "lru" }.flatMap { Int($0[2]) }
        let both = hits.first { $0[0] == "lru inclusive" }.flatMap { Int($0[2]) }
        #expect(replayed?["memory_hits"] as? Int == memory && replayed?["hits"] as? Int == both && both != memory)
        #expect(replayed?["bodies"] as? Bool == false && replayed?["latency"] == nil)
        for refused in [["--subject=honest"], ["--rate=10"], ["--times=trace"], ["--policy=gdsf"]] {
            let run = try ChildRun("PlantedGauge", ["replay", "--no-bodies"] + refused + [trace])
            #expect(run.status == 64 && run.errors.contains("--no-bodies"), "\(run.errors)")
        }
    }

    @Test("requests without a size are counted with and without bodies, also where the first has one or not")
    func requestsWithoutSize() throws {
        let path = "\(scratch.path)/access.log"
        for responses in [["304 -", "200 1024", "200 1024", "304 -", "304 -"], ["200 9", "304 -", "304 -", "304 -"]] {
            let lines = responses.map { "1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.1\" \($0)\n" }
            try Data(lines.joined().utf8).write(to: URL(filePath: path))
            for options in [[], ["--no-bodies"]] {
                let run = try run(options + ["--format=json", path])
                #expect(try report(run, "requests_without_size") == 3, "\(run.errors)")
            }
        }
        try Data("key\n1\n1\n2\n".utf8).write(to: URL(filePath: path))
        #expect(try report(run(["--no-bodies", "--format=json", path]), "requests_without_size") == 3)
    }

    @Test("mrc says which policies and capacities a sample cannot tell") func warnings() throws {
        let sampled = try ChildRun("PlantedGauge", ["mrc", "--sample=0.5", "--policy=all", "--capacities=1KiB", trace])
        #expect(sampled.status == 0 && sampled.errors.contains("belady and pfoo-l left out"), "\(sampled.errors)")
        #expect(sampled.errors.contains("at 1 KiB the sampled cache holds fewer than 100 entries"))
        let entries = try ChildRun("PlantedGauge", ["mrc", "--by=entries", "--policy=lru,pfoo-l", trace])
        #expect(entries.status == 0 && entries.errors.contains("pfoo-l left out: computed only by bytes"))
    }
}
