import Testing

@testable import GaugeTraces

/// Sizes of logs that count headers, and of logs that do not.
@Suite("Sizes that differ by a header's worth") struct SettledSizesTests {
    private static let date = "[10/Oct/2000:13:55:36 +0000]"

    /// Lines of path, status and size.
    private func combined(_ rows: [(String, Int, String)]) -> String {
        rows.map { path, status, size in
            "192.0.2.7 - - \(Self.date) \"GET \(path) HTTP/1.1\" \(status) \(size) \"-\" \"-\"\n"
        }.joined()
    }

    private func sizes(_ text: String, _ format: TraceFormat? = nil, layout: TraceLayout? = nil) throws -> [Int?] {
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)), format: format, layout: layout)
        reader.settleSizes()
        var sizes: [Int?] = []
        while let request = try reader.next() { if request.exchange?.status == 200 { sizes.append(request.size) } }
        return sizes
    }

    private func changes(_ text: String, layout: TraceLayout? = nil) throws -> Int {
        let sizes = try sizes(text, layout: layout)
        return zip(sizes, sizes.dropFirst()).count { $0 != $1 }
    }

    @Test("squid's hits are the stored body, whatever header they have") func squid() throws {
        let rows = [
            ("TCP_MISS", 97_153), ("TCP_MEM_HIT", 97_164), ("TCP_REFRESH_UNMODIFIED", 97_191), ("TCP_MEM_HIT", 97_192),
        ]
        let text = rows.map {
            "1795600803.123     90 192.0.2.1 \($0)/200 \($1) GET http://repo.example/a - HIER_DIRECT/10.0.0.1 a/b\n"
        }.joined()
        #expect(try sizes(text) == [97_153, 97_153, 97_153, 97_153])
    }

    @Test("a change in squid's log that its hits confirm is a change, though it is small") func squidChange() throws {
        let rows =
            [("TCP_MISS", 900), ("TCP_HIT", 911), ("TCP_HIT", 911), ("TCP_REFRESH_MODIFIED", 930)]
            + [("TCP_HIT", 941), ("TCP_HIT", 941)]
        let text = rows.map { "1795600803.123 90 192.0.2.1 \($0)/200 \($1) GET http://a.example/a - D/- a/b\n" }
            .joined()
        #expect(try sizes(text) == [900, 900, 900, 930, 930, 930])
    }

    /// A log with a line that has no body: 180 bytes are those of a header, 0 or `-` those of a body.
    private func log(_ sizes: [Int], noBody: String?) -> String {
        var rows: [(String, Int, String)] = sizes.map { ("/a", 200, "\($0)") }
        if let noBody { rows.append(("/a", 304, noBody)) }
        return combined(rows)
    }

    @Test("where a log counts headers, sizes that come and go are one, and one that stays is a change")
    func flickerAndStay() throws {
        #expect(try changes(log([5_000, 5_001, 5_000, 5_002, 5_000], noBody: "180")) == 0)
        #expect(try changes(log([5_000, 5_000, 5_057], noBody: "180")) == 0)
        #expect(try changes(log([5_000, 5_000, 5_057, 5_057, 5_057], noBody: "180")) == 1)
        #expect(try changes(log([5_000, 5_000, 9_000, 9_000], noBody: "180")) == 1)
        #expect(try changes(log([5_000, 9_000, 5_000], noBody: "180")) == 2)
        // A body made for each request.
        #expect(try changes(log([900, 950, 870, 912, 934, 899], noBody: "180")) == 5)
    }

    @Test("where a log counts bodies, each size is a version, in either direction", arguments: ["0", "-"])
    func bodies(noBody: String) throws {
        #expect(try changes(log([5_000, 5_001, 5_000, 5_002, 5_000], noBody: noBody)) == 4)
        #expect(try changes(log([5_000, 5_000, 5_057], noBody: noBody)) == 1)
    }

    @Test("where the lines do not tell, only what comes and goes is one size") func unknown() throws {
        #expect(try changes(log([5_000, 5_001, 5_000, 5_000], noBody: nil)) == 0)
        #expect(try changes(log([5_000, 5_000, 5_057], noBody: nil)) == 1)
    }

    @Test("the format that the user names says what is counted") func named() throws {
        let text = log([5_000, 5_001, 5_000], noBody: nil)
        #expect(try changes(text, layout: TraceLayout(logFormat: #"%h %l %u %t "%r" %>s %b"#)) == 2)
        #expect(try changes(text, layout: TraceLayout(logFormat: #"%h %l %u %t "%r" %>s %O"#)) == 0)
    }

    @Test("a difference that comes and goes at other objects is a header's at all, across blocks too")
    func learned() throws {
        var rows: [(String, Int, String)] = []
        for object in 0..<5 { rows += [5_000, 4_999, 5_000].map { ("/\(object)", 200, "\($0)") } }
        rows += (0..<40_000).map { ("/many/\($0 % 7)", 200, "100") }
        rows += [("/x", 200, "700"), ("/x", 200, "701"), ("/x", 200, "701"), ("/x", 200, "701")]
        let sizes = try sizes(combined(rows))
        #expect(sizes.suffix(4) == [700, 700, 700, 700] && Set(sizes.prefix(15)) == [5_000])
    }

    @Test("a difference between the first response and those after it, at several objects, is a header's")
    func firstResponses() throws {
        var rows: [(String, Int, String)] = [("/0", 304, "180")]
        for object in 0..<4 { rows += [5_001, 5_000, 5_000, 5_000].map { ("/\(object)", 200, "\($0)") } }
        #expect(Set(try sizes(combined(rows))) == [5_001])
    }

    @Test("an error after the block that holds it is thrown when the requests before it have been passed on")
    func faults() throws {
        let text = log([5_000, 5_001], noBody: "180") + "nonsense\n"
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)), skipping: .nothing)
        reader.settleSizes()
        for _ in 0..<3 { #expect(try reader.next() != nil) }
        #expect(throws: TraceError.self) { try reader.next() }
        #expect(try reader.next() == nil)
    }

    @Test("reports say how many misses rest on a changed size, by how much, and what was settled") func notes() throws {
        var changes = ChangedSizes()
        for new in [101, 102, 5_000] { changes.note(from: 100, to: new) }
        let text = "3 requests are for a changed size, half of them by at most 4 bytes; each is a miss"
        #expect(SizeNotes.changed(changes) == text && SizeNotes.changed(ChangedSizes()) == nil)
        var settled = SettledSizesSummary()
        settled.note(logged: 110, settled: 100)
        settled.note(logged: 100, settled: 100)
        #expect(settled.count == 1 && settled.most == 10)
    }
}
