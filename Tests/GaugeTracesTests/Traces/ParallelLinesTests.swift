import TestSupport
import Testing

@testable import GaugeTraces

/// Logs of more than a chunk.
@Suite("Logs parsed on all processors") struct ParallelLinesTests {
    private static func log(_ count: Int) -> String {
        (0..<count).map { number in
            number % 1_000 == 999
                ? "noise \(number)\n"
                : "192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET /\(number) HTTP/1.1\" 200 \(number) \"-\" \"A/1\"\r\n"
        }.joined()
    }

    @Test(
        "requests come in the order of their lines, and faults with the numbers of theirs",
        arguments: nightly([0, 70_000], else: [70_000]))
    func order(pieces: Int) throws {
        let (count, last) = (
            40_000, "192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET /last HTTP/1.1\" 200 5 \"-\" \"-\""
        )
        let bytes = Array((Self.log(count) + last).utf8)
        #expect(bytes.count > 3 << 20)
        let (requests, reader) = try TraceReading.all(bytes, nil, pieces: pieces, skipping: .noise)
        let paths = (0..<count).filter { $0 % 1_000 != 999 }.map { "http://origin.invalid/\($0)" }
        #expect(requests.map(\.url) == paths + ["http://origin.invalid/last"])
        #expect(reader.skipped == 40 && reader.firstSkipped?.place == .line(1_000))
        #expect(reader.digest?.count == bytes.count)
        let strict = TraceReading.message(bytes, .combined, pieces: pieces)
        #expect(strict.hasPrefix("t: line 1000: "))
    }

    @Test("a trace that has been read, but not passed on to its end, has no digest") func digest() throws {
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(Self.log(10).utf8)))
        for number in 0..<10 {
            #expect(reader.digest == nil || number == 9)
            _ = try reader.next()
        }
        #expect(try reader.next() == nil && reader.digest != nil)
    }
}
