import Testing

@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Report of requests that no cache answers") struct UncachedReportTests {
    private var report: UncachedReport {
        var uncached = UncachedRequests()
        let name = "http://a.example/\u{1B}[31m"
        for _ in 0..<3 { uncached.note(.noStore, TraceRequest(id: 1, url: name), bytes: 1 << 20) }
        uncached.note(.status(500), TraceRequest(id: 2), bytes: 10)
        return UncachedReport(uncached, of: 8)
    }

    @Test("each reason has its share of the requests, and each URL its last reason; control characters do not get out")
    func text() {
        let lines = report.text(width: .max).split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(
            lines == [
                "not cached requests bytes", "3 37.5 % 3 MiB no-store", "1 12.5 % 10 B status-500",
                "costliest URLs requests bytes", "3 3 MiB no-store \"http://a.example/?[31m\"",
                "1 10 B status-500 \"object 2\"",
            ])
        #expect(UncachedReport(UncachedRequests(), of: 8).text(width: .max).isEmpty)
    }

    @Test("a long URL is cut to the width, but for its first 10 characters") func width() {
        var uncached = UncachedRequests()
        uncached.note(
            .noStore, TraceRequest(id: 1, url: "http://a.example/" + String(repeating: "x", count: 99)), bytes: 1)
        for (width, longest) in [(.max, 164), (80, 80), (40, 72)] as [(Int, Int)] {
            let lines = UncachedReport(uncached, of: 1).text(width: width).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= longest }, "\(lines)")
        }
    }

    @Test("JSON has the same") func json() {
        #expect(
            report.json
                == .object([
                    "reasons": .object([
                        "no-store": .object(["requests": .whole(3), "bytes": .whole(3 << 20)]),
                        "status-500": .object(["requests": .whole(1), "bytes": .whole(10)]),
                    ]),
                    "costliest": .list([
                        .object([
                            "requests": .whole(3), "bytes": .whole(3 << 20),
                            "url": .text("http://a.example/\u{1B}[31m"),
                            "reason": .text("no-store"),
                        ]),
                        .object([
                            "requests": .whole(1), "bytes": .whole(10), "url": .text("object 2"),
                            "reason": .text("status-500"),
                        ]),
                    ]),
                ]))
    }
}
