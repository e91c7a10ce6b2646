import Foundation
import GaugeSupport
import TestSupport
import Testing

@testable import GaugeTraces
@testable import cachegauge

/// A successful unsafe request ends what is stored for the URLs that its answer names (RFC 9111, section 4.4).
@Suite("Invalidation in replays") struct InvalidationTests {
    private func invalidated(_ name: String, _ value: String) -> [String] {
        let field = HTTPExchange.Field(name: Array(name.utf8), value: Array(value.utf8))
        let exchange = HTTPExchange(
            method: "POST", status: 201, requestFields: [], responseFields: [field], sent: 0, duration: 0)
        return ReferenceRules().invalidated(by: exchange, url: "https://a.example/x/y?z")
    }

    @Test(
        "the named URLs are resolved, and only those of the same origin count",
        arguments: [
            ("/w", "https://a.example/w"), ("w?1", "https://a.example/x/w?1"), ("../w", "https://a.example/w"),
            ("https://a.example:443/w", "https://a.example:443/w"), ("HTTPS://A.example/w", "HTTPS://A.example/w"),
            ("//b.example/w", nil), ("http://a.example/w", nil), ("https://a.example:8443/w", nil),
            ("", nil),
        ] as [(String, String?)])
    func named(value: String, url: String?) {
        #expect(invalidated("Location", value) == [url].compactMap(\.self))
        #expect(invalidated("content-location", value) == [url].compactMap(\.self))
        #expect(invalidated("Link", value) == [])
    }

    /// A GET, a request to another URL whose answer names the first, and the GET again.
    private func archive(method: String = "POST", status: Int = 201, vary: String? = nil) -> String {
        func entry(_ second: Int, _ method: String, _ path: String, _ status: Int, _ fields: [(String, String)])
            -> String
        {
            let fields = fields.map { "{\"name\":\"\($0.0)\",\"value\":\"\($0.1)\"}" }.joined(separator: ",")
            return """
                {"startedDateTime":"2026-11-21T10:00:0\(second)Z","time":0,
                "request":{"method":"\(method)","url":"https://a.example\(path)","headers":[]},
                "response":{"status":\(status),"headers":[\(fields)],"content":{"size":100}}}
                """
        }
        let fresh = [("Cache-Control", "max-age=60")] + (vary.map { [("Vary", $0)] } ?? [])
        let entries = [
            entry(0, "GET", "/x", 200, fresh), entry(1, method, "/y", status, [("Location", "/x")]),
            entry(2, "GET", "/x", 200, fresh), entry(3, "GET", "/x", 200, fresh),
        ]
        return "{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}"
    }

    private func hits(_ archive: String, _ sample: KeySample? = nil) throws -> [Int] {
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(archive.utf8)))
        var rules = AccessRules(sizes: BodySizes(.constant(70), seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = ReferenceRules()
        var maker = MissRatioCurveMaker(
            unit: .bytes, capacities: [1 << 20], policies: PolicyKind.all, offline: OfflinePolicy.allCases,
            usesDistances: false, sample: sample)
        let first = try #require(try reader.next())
        try maker.read(&reader, first: first, &rules, isStopped: { false })
        return Array(Set(maker.curve().points.map(\.sum.hits)))
    }

    @Test("in a curve the next request for a named URL is a miss, whatever the policy") func curves() throws {
        #expect(try hits(archive()) == [1] && hits(archive(vary: "Accept")) == [1])
        // What is safe, fails, or is a GET ends nothing.
        #expect(try hits(archive(status: 500)) == [2] && hits(archive(method: "GET", status: 302)) == [2])
    }

    @Test("a request that a sample leaves out ends the entries that are in it") func samples() throws {
        func isIn(_ sample: KeySample, _ path: String) -> Bool {
            sample.hash(of: URLIdentity.hash(of: "https://a.example\(path)".utf8)) != nil
        }
        let all = KeySample(seed: 1, rate: 1)
        #expect(try hits(archive(), all) == [1] && hits(archive(status: 500), all) == [2])
        let samples = (1...64 as ClosedRange<UInt64>).map { KeySample(seed: $0, rate: 0.5) }
        let half = try #require(samples.first { isIn($0, "/x") && !isIn($0, "/y") })
        // Each miss in the sample stands for two of the four requests, and the POST, which is foreseen, for itself.
        #expect(try hits(archive(), half) == [0] && hits(archive(status: 500), half) == [1])
    }

    @Test("so it is in a replay, with bodies and without") func replays() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/t.har"
        try archive().write(toFile: path, atomically: true, encoding: .utf8)
        for options in [[], ["--no-bodies"]] {
            let run = try ChildRun("cachegauge", ["replay", "--disk=0"] + options + [path])
            #expect(run.output.contains("memory hits     1  25.0 %"), "\(run.output)\(run.errors)")
        }
    }
}
