import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces
@testable import cachegauge

/// Archives whose responses vary: replay, simulation and a plain reading of RFC 9111, section 4.1, have the same hits.
@Suite("Variants in replay and simulation") struct VariantAgreementTests {
    private struct Request {
        let url: Int
        let method: String
        let fields: [(name: String, value: String)]

        /// Each URL has one `Vary`.
        var vary: String { ["", "Accept", "Accept, cookie", "Accept-Language"][url % 4] }

        var har: String {
            let sent = fields.map { "{\"name\":\"\($0.name)\",\"value\":\"\($0.value)\"}" }.joined(separator: ",")
            let vary = vary.isEmpty ? "" : ",{\"name\":\"Vary\",\"value\":\"\(vary)\"}"
            return """
                {"startedDateTime":"2026-11-26T10:00:00Z","time":0,"request":{"method":"\(method)",\
                "url":"https://a.example/\(url)","headers":[\(sent)]},"response":{"status":200,"headers":\
                [{"name":"Cache-Control","value":"max-age=600"}\(vary)],"content":{"size":\(1000 + url)}}}
                """
        }
    }

    private static func requests(_ seed: UInt64) -> [Request] {
        var random = SplitMix64(seed: seed)
        func pick<Choice>(_ choices: [Choice]) -> Choice { choices[Int(random.next() % UInt64(choices.count))] }
        return (0..<600).map { _ in
            var fields = [("User-Agent", "x")]
            if let accept = pick(["a", "b", nil]) { fields.append((pick(["Accept", "accept"]), accept)) }
            if let cookie = pick(["u=1", "u=2", nil, nil]) { fields.append(("Cookie", cookie)) }
            if let language = pick(["de, en;q=0.5", "en;q=0.5,DE", "en", nil]) {
                fields.append(("Accept-Language", language))
            }
            return Request(
                url: Int(random.next() % 12), method: random.next() % 30 == 0 ? "POST" : "GET", fields: fields)
        }
    }

    /// The hits of a cache without limits, that keeps every variant of a URL until a POST.
    private static func hits(_ requests: [Request]) -> Int {
        var stored: [Int: Set<String>] = [:]
        var hits = 0
        for request in requests {
            guard request.method == "GET" else {
                stored[request.url] = nil
                continue
            }
            func value(_ name: String) -> String {
                let value = request.fields.first { $0.name.lowercased() == name }?.value
                return value == "en;q=0.5,DE" ? "de, en;q=0.5" : value ?? "none"
            }
            let names = request.vary.lowercased().split(separator: ",").map { String($0).replacing(" ", with: "") }
            if !stored[request.url, default: []].insert(names.map(value).joined(separator: "|")).inserted { hits += 1 }
        }
        return hits
    }

    private func curve(_ bytes: [UInt8], _ capacities: [Int]) throws -> MissRatioCurve {
        var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), format: .har)
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = ReferenceRules()
        rules.admission = TieredSubject.admission
        var maker = MissRatioCurveMaker(
            unit: .bytes, capacities: capacities, admission: rules.admission, usesDistances: false)
        let first = try #require(try reader.next())
        try maker.read(&reader, first: first, &rules) { false }
        return maker.curve()
    }

    @Test(
        "the hits are those of the RFC, at every capacity alike, and below the bounds",
        arguments: 1...3 as ClosedRange<UInt64>)
    func hits(seed: UInt64) throws {
        let requests = Self.requests(seed)
        let bytes = Array("{\"log\":{\"entries\":[\(requests.map(\.har).joined(separator: ","))]}}".utf8)
        for point in try curve(bytes, [25_000, 40_000, 1 << 20]).points {
            let scratch = try ScratchDirectory()
            var settings = ReplaySettings(
                configuration: SubjectConfiguration(
                    memoryCapacity: point.capacity, diskCapacity: 0, directory: scratch.path), seed: 1)
            settings.rules = ReferenceRules()
            let answers = Answers()
            var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), format: .har)
            let result = try Replay.run(TieredSubject.self, &reader, settings: settings, answers: answers)
            #expect(answers.count == 0 && result.counts.hits == point.sum.hits, "\(point)")
            #expect(result.bounds?.infinite.hits ?? 0 >= Self.hits(requests))
            if point.capacity == 1 << 20 { #expect(point.sum.hits == Self.hits(requests)) }
        }
    }

    @Test("what selects is the value, whatever its whitespace, and of languages whatever their case and order")
    func selections() {
        func selection(_ vary: String, _ fields: (String, String)...) -> [UInt8] {
            ReferenceRules().selection(
                of: fields.map { HTTPExchange.Field(name: Array($0.0.utf8), value: Array($0.1.utf8)) },
                by: Array(vary.utf8))
        }
        #expect(
            selection("Accept", ("accept", "a,  b")) == selection("ACCEPT ,accept", ("Accept", "a"), ("ACCEPT", "b")))
        #expect(selection("a, b", ("b", "1")) == selection("B,A", ("b", "1")) && selection("a") != selection("b"))
        #expect(selection("accept", ("accept", "A")) != selection("accept", ("accept", "a")))
        #expect(selection("accept", ("accept", "a,b")) != selection("accept", ("accept", "b,a")))
        #expect(selection("accept") != selection("accept", ("accept", "")))
        #expect(selection("x", ("x", "\"a ,  b\"")) != selection("x", ("x", "\"a , b\"")))
        let language = "accept-language"
        #expect(
            selection(language, (language, "DE;q=1, en;q=0.5")) == selection(language, (language, "en;q=0.5,de;q=1")))
        #expect(selection(language, (language, "de, en")) != selection(language, (language, "en, de")))
        #expect(selection("", ("a", "b")).isEmpty && selection("*").isEmpty && selection("a b").isEmpty)
    }
}

/// Commands that read a trace.
@Suite("Traces without a URL for the cache") struct RefusedTraceTests {
    @Test("are an error with the remedy, in place of a table of zeros", arguments: ["mrc", "advise", "replay"])
    func refused(command: String) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/t.csv"
        try write("k,n\na,100\nb,200\na,100\n", to: path)
        let options = command == "replay" ? [["--no-bodies"], []] : [[]]
        for options in options {
            let run = try ChildRun("cachegauge", [command] + options + ["--fields=url=k,size=n", path])
            #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("\"a\" is none"), "\(run.errors)")
            #expect(run.errors.contains("--fields key=NAME"))
            let keyed = try ChildRun("cachegauge", [command] + options + ["--fields=key=k,size=n", path])
            #expect(keyed.status == 0, "\(keyed.errors)")
        }
    }

    @Test("advise on a trace of one object that needs twenty times its size says which capacity it needs")
    func few() throws {
        let scratch = try ScratchDirectory()
        try write("url,size\n/a,5000\n/a,5000\n", to: scratch.path + "/t.csv")
        let run = try ChildRun("cachegauge", ["advise", scratch.path + "/t.csv"])
        #expect(run.status == 0 && run.output.contains("128 KiB gets 100.0 %"), "\(run.output)\(run.errors)")
    }

    @Test("what advise did not try it does not speak of: an entry that only a larger cache keeps")
    func untried() throws {
        let scratch = try ScratchDirectory()
        let small = (0..<99).map { "/\($0),2000\n" }.joined()
        let large = String(repeating: "/large,1000000\n", count: 50)
        try write("url,size\n" + small + small + large, to: scratch.path + "/t.csv")
        let run = try ChildRun("cachegauge", ["advise", scratch.path + "/t.csv"])
        #expect(run.output.contains("of what any size up to 4 MiB can get"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("to 4 MiB nothing is gained; more was not tried."))
        #expect(run.output.contains("1 response of") && run.output.contains("The largest takes 19.0"))
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
