import GaugeSupport
import Testing

@testable import GaugeTraces

/// Sizes, times and lifetimes as exports of other programs state them, or leave them out.
@Suite("Stated and missing values") struct StatedSizeTests {
    private static func read(_ text: String) -> String {
        do throws(LineFault) {
            return try StatedSize.bytes(Array(text.utf8)[...]).map { "\($0)" } ?? "none"
        } catch {
            return error.reason()
        }
    }

    @Test(
        "a whole number in any form is a size",
        arguments: [
            ("0", 0), ("1000", 1_000), ("1000.0", 1_000), ("1000.", 1_000), ("5e3", 5_000), ("2.000e+05", 200_000),
            ("1.5E3", 1_500), ("000123", 123), ("9223372036854775807", .max), ("0.0", 0),
        ])
    func numbers(text: String, bytes: Int) { #expect(Self.read(text) == "\(bytes)") }

    @Test(
        "an empty field, a dash, -1 and a word for nothing state no size",
        arguments: ["", "-", "-1", "NaN", "null", "NULL", "None", "\\N"])
    func missing(text: String) { #expect(Self.read(text) == "none") }

    @Test(
        "anything else is the fault of the line",
        arguments: [
            "200 kB", "200,000", "1.5", "-5", "inf", "infinity", "0x10", "1e400", "9223372036854775808", "1e", ".5",
            "nil", "--", "1e-3", "+5", " 5", "nulls", "1000000000000000000000000000000000000000000",
        ])
    func faults(text: String) { #expect(Self.read(text) == "the size \(QuotedText.of(text)) is not a number of bytes") }

    private static let columns = "timestamp,method,path,status,bytes\n"

    private static func lines(_ sizes: [String], _ line: (Int, String) -> String) -> String {
        sizes.enumerated().map { line($0, $1) + "\n" }.joined()
    }

    @Test("a data frame's sizes are read in logs of every kind, and what is no number is told") func logs() throws {
        let kinds: [(Int, String) -> String] = [
            { #"{"ts":\#(1_774_741_800 + $0),"method":"GET","path":"/a","status":200,"bytes":\#($1)}"# },
            { "time=2026-03-28T10:00:0\($0)Z method=GET path=/a status=200 bytes=\($1)" },
        ]
        for kind in kinds {
            let requests = try TraceReading.all(Self.lines(["1000.0", "2e5", "30"], kind), nil)
            #expect(requests.map(\.size) == [1_000, 200_000, 30])
            let message = TraceReading.message(Array(Self.lines(["1.5", "2.5"], kind).utf8), nil)
            #expect(message.contains("the size \"1.5\" is not a number of bytes"), "\(message)")
        }
        let table = Self.lines(["1000.0", "", "\"200,000\""]) { "2026-03-28 10:00:0\($0),GET,/a,200,\($1)" }
        let (requests, reader) = try TraceReading.all(Array((Self.columns + table).utf8), nil, skipping: .damage)
        #expect(requests.map(\.size) == [1_000, nil] && reader.skipped == 1)
        let message = TraceReading.message(Array((Self.columns + table).utf8), nil)
        #expect(message == "t: line 4: the size \"200,000\" is not a number of bytes")
    }

    @Test("of several sizes one that is a number counts") func several() throws {
        let line = #"{"ts":1,"method":"GET","path":"/a","status":200,"body_bytes_sent":"?","bytes":7}"#
        #expect(try TraceReading.all(line + "\n", nil).map(\.size) == [7])
    }

    @Test("one more column does not decide whether a table is read", arguments: ["", ",other"])
    func oneMoreColumn(more: String) throws {
        let rest = more.isEmpty ? "" : ",x"
        func requests(_ header: String, _ rows: String...) throws -> [TraceRequest] {
            try TraceReading.all("\(header)\(more)\n" + rows.map { "\($0)\(rest)\n" }.joined(), nil)
        }
        let sizes = try requests("url,status,size", "/a,200,", "/a,200,-", "/a,200,10.0")
        #expect(sizes.map(\.size) == [nil, nil, 10])
        let lifetimes = try requests("url,status,size,lifetime", "/a,200,100,", "/a,200,100,-", "/a,200,100,60")
        #expect(lifetimes.map { $0.exchange?.hasFields } == [false, false, true])
        #expect(lifetimes.allSatisfy { $0.exchange?.status == 200 })
        let times = try requests("time,method,url,status,size", "28.03.2026 10:00:01,GET,/a,200,1")
        #expect(times.map(\.time) == [1_774_692_001])
    }

    @Test(
        "a data frame's statuses and lifetimes are read; a cell without a value is as none of the column",
        arguments: ["", ",other"])
    func exchanges(more: String) throws {
        let rows = ["GET,200.0,1e2", "HEAD,404,5", "NaN,,", "-,NaN,-", ",null,None"].map {
            "/a,\($0)\(more.isEmpty ? "" : ",x")\n"
        }
        let requests = try TraceReading.all("url,method,status,lifetime\(more)\n\(rows.joined())", nil)
        #expect(requests.map { $0.exchange?.method } == ["GET", "HEAD", "GET", "GET", "GET"])
        #expect(requests.map { $0.exchange?.status } == [200, 404, 200, 200, 200])
        #expect(requests.map { $0.exchange?.hasFields } == [true, true, false, false, false])
        for status in ["200.5", "20.0", "2e2", "200.0.0", ".0", "000.0"] {
            let message = TraceReading.message(
                Array("url,status\(more)\n/a,\(status)\(more.isEmpty ? "" : ",x")\n".utf8), nil)
            #expect(message.contains("the status \"\(status)\" does not have three digits"), "\(message)")
        }
        let log = #"{"ts":1774741800,"method":"GET","path":"/a","status":200.0,"bytes":7}"#
        #expect(try TraceReading.all(log + "\n", nil).map { $0.exchange?.status } == [200])
    }

    @Test("a request of a table without a time is at that of the one before") func times() throws {
        let requests = try TraceReading.all("url,time\n/a,5\n/a,\n/a,null\n/a,9\n", nil)
        #expect(requests.map(\.time) == [5, nil, nil, 9])
    }

    @Test("a column that --fields names and the header lacks is refused, with what there is") func absentColumn() throws
    {
        func message(_ fields: String) throws -> String {
            let input = TraceInput(name: "t", bytes: Array("a,b,c\n/x,5,1\n".utf8))
            do {
                let layout = TraceLayout(fields: try LogFields(fields))
                var reader = try TraceReader(input, layout: layout)
                return "\(try reader.next()?.size ?? -1)"
            } catch {
                return "\(error)"
            }
        }
        #expect(try message("url=a,size=b") == "5" && message("url=A,size=B") == "5")
        let refused = try message("url=a,size=nosuch")
        #expect(refused.contains(#"no column is named "nosuch", as --fields says"#), "\(refused)")
        #expect(refused.hasSuffix(#"there are "a", "b", "c""#))
    }

    @Test("a log of Python's http.server has its times, and no sizes") func python() throws {
        let text = Self.lines(["200 -", "304 -", "200 7"]) {
            "127.0.0.1 - - [28/Mar/2026 10:00:0\($0)] \"GET /a HTTP/1.1\" \($1)"
        }
        let requests = try TraceReading.all(text, nil)
        #expect(requests.map(\.time) == [1_774_692_000, 1_774_692_001, 1_774_692_002])
        #expect(requests.map(\.size) == [nil, nil, 7])
    }
}
