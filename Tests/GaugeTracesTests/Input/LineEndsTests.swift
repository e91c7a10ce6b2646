import Testing

@testable import GaugeTraces

/// Files whose lines end with something else than LF.
@Suite("Ends of lines") struct LineEndsTests {
    static let texts: [(format: TraceFormat, lines: [String])] = [
        (.combined, (0..<3).map { "h - - [26/Nov/2026:10:00:0\($0) +0000] \"GET /\($0) HTTP/1.1\" 200 5 \"-\" \"-\"" }),
        (.squid, (0..<3).map { "179568720\($0).000 5 c TCP_MISS/200 9 GET http://a.example/\($0) - D/- t" }),
        (.jsonLog, (0..<3).map { "{\"ts\":\($0),\"method\":\"GET\",\"uri\":\"/\($0)\",\"status\":200,\"size\":5}" }),
        (.textLog, (0..<3).map { "at=info method=GET path=\"/\($0)\" host=a.example status=200 bytes=5" }),
        (.w3c, ["#Fields: cs-method cs-uri-stem sc-status"] + (0..<3).map { "GET /\($0) 200" }),
        (.csv, ["key,size"] + (0..<3).map { "\($0),5" }), (.libcachesimCSV, ["1,2,3", "4,5,6"]),
        (.libcachesimCSV, ["time,id,size", "1,2,3"]), (.webcachesim, ["1 2 3", "4 5 6"]), (.ids, ["1", "2"]),
    ]

    @Test("a file whose lines end with NUL or CR is not read as one request", arguments: texts.indices)
    func others(index: Int) {
        let (format, lines) = Self.texts[index]
        for end in ["\0", "\r"] {
            let text = lines.map { $0 + end }.joined()
            for bytes in [Array(text.utf8), Array((text + "\n").utf8)] {
                let layout: TraceLayout? = format == .textLog ? .logfmt : nil
                let message = message(bytes, format, layout)
                #expect(message.contains("do not end with LF"), "\(format): \(message)")
            }
        }
    }

    private func message(_ bytes: [UInt8], _ format: TraceFormat, _ layout: TraceLayout?) -> String {
        do {
            let input = TraceInput(name: "t", bytes: bytes)
            var reader = try TraceReader(
                input, format: layout == nil ? format : nil, layout: layout, skipping: .nothing)
            var count = 0
            while try reader.next() != nil { count += 1 }
            return "read \(count)"
        } catch {
            return "\(error)"
        }
    }

    @Test("LF and CR LF are ends, CRs before them too, and NULs before a line of a log are a hole") func ends() throws {
        let (format, lines) = Self.texts[0]
        for end in ["\n", "\r\n", "\r\r\n", "\n\0\0"] {
            let text = lines.map { $0 + end }.joined()
            #expect(try TraceReading.all(Array(text.utf8), format, skipping: .noise).requests.count == 3, "\(end)")
        }
    }

    @Test("of a log on all processors, only the lines with a NUL inside are faults", arguments: ["\n", "\r\n"])
    func parallel(end: String) throws {
        let line = Self.texts[0].lines[0]
        let lines = (0..<20_000).map { $0 % 5_000 == 7 ? "\(line)\0\(line)\(end)" : line + end }.joined()
        let (requests, reader) = try TraceReading.all(Array(lines.utf8), nil, skipping: .noise)
        #expect(requests.count == 19_996 && reader.skipped == 4 && reader.firstSkipped?.place == .line(8))
    }
}
