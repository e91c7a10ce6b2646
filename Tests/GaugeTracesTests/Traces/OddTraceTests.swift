import Foundation
import Testing

@testable import GaugeTraces

/// Traces as editors and exporters of other systems write them.
@Suite("Odd traces") struct OddTraceTests {
    private static let texts: [(TraceFormat, String)] = [
        (.combined, "a.example:80 10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /p HTTP/1.1\" 200 5 \"-\" \"-\"\n"),
        (.jsonLog, "{\"time\":1,\"method\":\"GET\",\"uri\":\"/p\",\"host\":\"a.example\",\"status\":200,\"size\":5}\n"),
        (.squid, "1286536309.450 1 10.0.0.1 TCP_MISS/200 5 GET http://a.example/p - DIRECT/10.0.0.2 text/html\n"),
        (.csv, "key,size\n7,5\n"), (.libcachesimCSV, "1,7,5\n"), (.webcachesim, "1 7 5\n"), (.ids, "7\n"),
    ]

    @Test("a byte-order mark is no part of the first request", arguments: texts)
    func byteOrderMark(format: TraceFormat, text: String) throws {
        let plain = try TraceReading.all(text, format)
        #expect(plain.count == 1)
        for pieces in [0, 1] {
            let read = try TraceReading.all([0xEF, 0xBB, 0xBF] + Array(text.utf8), format, pieces: pieces)
            #expect(read.requests == plain)
        }
    }

    @Test("a trace in UTF-16 is refused with the command that converts it", arguments: texts)
    func utf16(format: TraceFormat, text: String) {
        let little: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [little, big] {
            #expect(TraceReading.message(bytes, format).contains("iconv -f UTF-16 -t UTF-8"))
            #expect(TraceReading.message(bytes, nil).contains("iconv -f UTF-16 -t UTF-8"))
        }
    }

    @Test("lines of spaces alone are passed over like empty ones", arguments: texts[3...])
    func spaces(format: TraceFormat, text: String) throws {
        #expect(try TraceReading.all(text + "  \n \t\n", format) == TraceReading.all(text, format))
    }

    @Test("a JSON log is recognised when spaces begin its lines") func indentedJSON() throws {
        let read = try TraceReading.all(Array("  \(Self.texts[1].1)".utf8), nil)
        #expect(read.reader.format == .jsonLog && read.requests.count == 1)
    }

    @Test("ids apart by carriage returns are not read as one id") func carriageReturns() {
        #expect(TraceReading.message(Array("1\r2\r3\r".utf8), .ids).contains("do not end with LF"))
    }

    @Test("an empty trace is said to be empty, and not of an unknown format") func empty() {
        #expect(TraceReading.message([], nil).contains("empty"))
        #expect(TraceReading.message(Array("\u{FEFF}".utf8), nil).contains("empty"))
    }

    @Test("a log without requests is an error that names the first line's fault") func noRequest() throws {
        let read = try TraceReading.all(Array("# a\n# b\n".utf8), .combined, skipping: .noise)
        let message = read.reader.noRequest.description
        #expect(message.contains("line 1") && message.contains("--trace-format"), "\(message)")
    }

    @Test("a trace compressed twice is refused with the command that decompresses it once")
    func compressedTwice() throws {
        // gzip of gzip of "7\n".
        let bytes = Array(Data(base64Encoded: Self.twice) ?? Data())
        guard Compression.gzip.decoder() != nil else { return }
        for format in [TraceFormat.ids, nil] {
            #expect(TraceReading.message(bytes, format).contains("zcat FILE"))
        }
    }

    private static let twice = "H4sIAAAAAAACA5Pv5mAAASZm4+dMDFejuQ2ZgDwAoGWIKhYAAAA="

    @Test("an entry of an archive without a response is skipped and counted", arguments: ["", ",\"response\":null"])
    func noResponse(response: String) throws {
        let entry =
            "{\"startedDateTime\":\"2024-01-01T00:00:00Z\",\"request\":{\"method\":\"GET\",\"url\":\"http://a/\"}"
        let whole = entry + ",\"response\":{\"status\":200}}"
        let text = "{\"log\":{\"entries\":[\(whole),\(entry)\(response)},\(whole)]}}"
        let read = try TraceReading.all(Array(text.utf8), nil, skipping: .noise)
        #expect(read.requests.count == 2 && read.reader.skipped == 1)
    }
}
