import Testing

@testable import GaugeSupport
@testable import GaugeTraces

/// Logs as collectors, command lines and programs export them: the same three requests in each.
@Suite("Exported logs") struct LogExportTests {
    struct Export: CustomTestStringConvertible, Sendable {
        let name: String
        let format: TraceFormat
        var before = ""
        var between = "\n"
        var after = "\n"
        var hasTime = true
        var hasSize = true
        var host = "a.example"
        /// An entry, with `{s}` for the second, `{p}` for the path with its query, `{c}` for the status, `{b}` for the
        /// size.
        let entry: String

        var testDescription: String { name }

        var text: String {
            before
                + LogExportTests.requests.map { request in
                    entry.replacing("{s}", with: "\(request.second)").replacing("{p}", with: request.path)
                        .replacing("{c}", with: "\(request.status)").replacing("{b}", with: "\(request.size)")
                }.joined(separator: between) + after
        }
    }

    fileprivate static let requests = [
        (second: 0, path: "/a?x=1", status: 200, size: 1000), (second: 1, path: "/b", status: 404, size: 20),
        (second: 2, path: "/a?x=1", status: 200, size: 1000),
    ]

    private static let clf = #"192.0.2.1 - - [26/Nov/2026:10:00:0{s} +0000] \"GET {p} HTTP/1.1\" {c} {b} \"-\" \"x\""#
    private static let google =
        #"{"httpRequest": {"requestMethod": "GET", "requestUrl": "http://a.example{p}", "status": {c}, "responseSize": "{b}"}, "#
        + #""timestamp": "2026-11-26T10:00:0{s}Z"}"#
    private static let azure =
        #"{"time": "2026-11-26T10:00:0{s}Z", "properties": {"httpMethod": "GET", "requestUri": "{p}", "host": "a.example", "#
        + #""httpStatus": {c}, "sentBytes": {b}}}"#

    static let exports: [Export] = [
        Export(
            name: "a list over many lines", format: .jsonLog, before: "[\n  ", between: ",\n  ", after: "\n]\n",
            entry: google.replacing(", ", with: ",\n    ")),
        Export(name: "a list of lines", format: .jsonLog, before: "[\n", between: ",\n", after: "\n]\n", entry: google),
        Export(name: "a list on one line", format: .jsonLog, before: "[", between: ",", after: "]", entry: google),
        Export(
            name: "Azure's records", format: .jsonLog, before: #"{"records": ["#, between: ", ", after: #"], "n": 3}"#,
            entry: azure),
        Export(
            name: "a line of records for each entry", format: .jsonLog, entry: #"{"records": ["# + azure + "]}"),
        Export(name: "objects over several lines", format: .jsonLog, entry: google.replacing(", ", with: ",\n")),
        Export(
            name: "dotted names", format: .jsonLog,
            entry:
                #"{"@timestamp":"2026-11-26T10:00:0{s}Z","http.request.method":"GET","http.response.status_code":{c},"http.response.body.bytes":{b},"http.request.bytes":7,"url.domain":"a.example","url.original":"{p}"}"#
        ),
        Export(
            name: "pino-http", format: .jsonLog,
            entry:
                #"{"level":30,"time":179568720{s}000,"hostname":"ip-10-0-0-1","req":{"method":"GET","url":"{p}","headers":{"host":"a.example"}},"res":{"statusCode":{c},"headers":{"content-length":"{b}"}}}"#
        ),
        Export(
            name: "Kong", format: .jsonLog,
            entry:
                #"{"latencies":{"request":1},"started_at":179568720{s}000,"request":{"method":"GET","uri":"{p}","size":"9","headers":{"host":"a.example"}},"response":{"status":{c},"size":"{b}"}}"#
        ),
        Export(
            name: "Akamai", format: .jsonLog,
            entry:
                #"{"reqTimeSec":"179568720{s}.5","statusCode":"{c}","reqHost":"a.example","reqMethod":"GET","reqPath":"{p}","rspContentLen":"{b}","totalBytes":"99","queryStr":"-"}"#
        ),
        Export(
            name: "CloudFront's JSON", format: .jsonLog,
            entry:
                #"{"date":"2026-11-26","time":"10:00:0{s}","cs-method":"GET","cs(Host)":"d1.net","cs-uri-stem":"{p}","sc-status":"{c}","x-host-header":"a.example","sc-bytes":"{b}"}"#
        ),
        Export(
            name: "Vercel", format: .jsonLog,
            entry:
                #"{"proxy":{"timestamp":179568720{s}000,"method":"GET","host":"a.example","path":"{p}","statusCode":{c},"responseByteSize":{b}},"host":"x.vercel.app","path":"/"}"#
        ),
        Export(
            name: "a line in a message", format: .combined, host: "origin.invalid",
            entry: #"{"@timestamp":"2026-11-26T10:00:00Z","host":{"name":"web"},"message":""# + clf + #""}"#),
        Export(
            name: "the journal", format: .combined, host: "origin.invalid",
            entry: #"{"_PID":"17","MESSAGE":""# + clf + #""}"#),
        Export(
            name: "Heroku's router", format: .textLog, hasTime: true,
            entry:
                #"2026-11-26T10:00:0{s}+00:00 app[heroku/router]: at=info method=GET path="{p}" host=a.example fwd="192.0.2.1" service=18ms status={c} bytes={b} protocol=http"#
        ),
        Export(
            name: "words", format: .textLog,
            entry:
                #"time="2026-11-26T10:00:0{s}Z" level=info msg="GET of \"x\"" RequestMethod=GET RequestHost=a.example RequestPath={p} DownstreamStatus={c} DownstreamContentSize={b}"#
        ),
        Export(
            name: "uvicorn", format: .textLog, hasTime: false, hasSize: false, host: "origin.invalid",
            entry: #"INFO:     192.0.2.1:56 - "GET {p} HTTP/1.1" {c} OK"#),
        Export(
            name: "Gin", format: .textLog, hasSize: false, host: "origin.invalid",
            entry: #"[GIN] 2026/11/26 - 10:00:0{s} | {c} |  1.2ms |  192.0.2.1 | GET      "{p}""#),
        Export(
            name: "Zeek", format: .w3c,
            before:
                "#separator \\x09\n#fields\tts\tid.resp_p\tmethod\thost\turi\tuser_agent\tresponse_body_len\tstatus_code\n",
            after: "\n#close\t2026-11-26\n",
            entry: "179568720{s}.5\t80\tGET\ta.example\t{p}\tA B\t{b}\t{c}"),
        Export(
            name: "Blue Coat", format: .w3c,
            before:
                "#Fields: date time c-ip sc-status sc-bytes cs-method cs-uri-scheme cs-host cs-uri-path cs(User-Agent)\n",
            entry: #"2026-11-26 10:00:0{s} 192.0.2.1 {c} {b} GET http a.example {p} "A B""#),
        Export(
            name: "a host in quotes", format: .combined,
            entry:
                #""a.example" 192.0.2.1 - - [26/Nov/2026:10:00:0{s} +0000] "GET {p} HTTP/1.1" {c} {b} "-" "x""#),
        Export(
            name: "CSV with semicolons", format: .csv, before: "time;url;method;status;size\n",
            entry: "2026-11-26 10:00:0{s};http://a.example{p};GET;{c};{b}"),
        Export(
            name: "CSV with tabs", format: .csv, before: "time\turl\tstatus\tsize\n",
            entry: "2026-11-26T10:00:0{s}Z\thttp://a.example{p}\t{c}\t{b}"),
        Export(
            name: "CSV with spaces", format: .csv, before: "time, url, status, size\n",
            entry: "2026-11-26 10:00:0{s}, http://a.example{p}, {c}, {b}"),
        Export(
            name: "CSV with other columns", format: .csv, before: "timestamp,client_ip,url,method,status,bytes,agent\n",
            entry: #"2026-11-26T10:00:0{s}Z,192.0.2.1,"http://a.example{p}",GET,{c},{b},"A, B""#),
        Export(
            name: "CSV with date and time", format: .csv, before: "date,time,host,request,status,bytes\n",
            entry: "26.11.2026,10:00:0{s},a.example,GET {p} HTTP/1.1,{c},{b}"),
    ]

    @Test("three requests are read from every export, with their URLs, statuses, sizes and times", arguments: exports)
    func read(export: Export) throws {
        let (requests, reader) = try TraceReading.all(Array(export.text.utf8), nil)
        #expect(reader.format == export.format)
        #expect(requests.map(\.url) == Self.requests.map { "http://\(export.host)\($0.path)" })
        #expect(requests.map { $0.exchange?.status } == Self.requests.map(\.status))
        #expect(requests.map(\.size) == Self.requests.map { export.hasSize ? $0.size : nil })
        let times = requests.compactMap { $0.time.map { Int($0) } }
        #expect(times == (export.hasTime ? Self.requests.map { 1_795_687_200 + $0.second } : []))
    }

    @Test("a document reads the same in pieces, and with its format named", arguments: exports.prefix(6))
    func pieces(export: Export) throws {
        let bytes = Array(export.text.utf8)
        let whole = try TraceReading.all(bytes, nil).requests
        #expect(try TraceReading.all(bytes, .jsonLog).requests == whole)
        for count in [1, 7, 100] { #expect(try TraceReading.all(bytes, nil, pieces: count).requests == whole) }
    }

    @Test("a document that ends in the middle is damaged at its end, and its entries before that are read")
    func cut() throws {
        let bytes = Array(Self.exports[1].text.utf8).dropLast(40)
        let (requests, reader) = try TraceReading.all(Array(bytes), nil, skipping: .damage)
        #expect(requests.count == 2 && reader.skipped == 1)
        #expect(throws: TraceError.self) { try TraceReading.all(Array(bytes), nil, skipping: .noise) }
    }

    @Test("lines of which the first is damaged are no document") func damagedFirstLine() throws {
        let line = Self.exports[6].text.split(separator: "\n")[0]
        let (requests, reader) = try TraceReading.all(Array("{\"a\":\n\(line)\n".utf8), nil, skipping: .noise)
        #expect(reader.format == .jsonLog && requests.count == 1 && reader.skipped == 1)
    }

    @Test(
        "names that the user gives are found in the columns of a CSV, in words and in lists of objects",
        arguments: [
            (TraceFormat.csv, "When;Target;Code\n2026-11-26 10:00:00;/a;200\n"),
            (.textLog, "When=2026-11-26T10:00:00Z Target=/a Code=200\n"),
            (.jsonLog, #"[{"when":"2026-11-26 10:00:00","target":"/a","code":200}]"#),
            (.jsonLog, #"{"when":"2026-11-26 10:00:00","target":"/a","code":200}"# + "\n"),
        ])
    func named(format: TraceFormat, text: String) throws {
        let layout = TraceLayout(fields: try LogFields("time=when,url=target,status=code"))
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)), layout: layout, skipping: .nothing)
        let request = try reader.next()
        #expect(reader.format == format && request?.url == "http://origin.invalid/a")
        #expect(request?.time == 1_795_687_200 && request?.exchange?.status == 200)
        #expect(try reader.next() == nil)
    }

    @Test(
        "formats whose members stand side by side, or whose times have spaces, are read",
        arguments: [
            (
                "$remote_addr|$time_iso8601|$request_method|$scheme://$host$request_uri|$status|$bytes_sent",
                "192.0.2.1|2026-11-26T10:00:00+00:00|GET|http://a.example/a?x=1|200|9"
            ),
            (
                "$time_local $host $request_method $uri$is_args$args $status",
                "26/Nov/2026:10:00:00 +0000 a.example GET /a?x=1 200"
            ),
            (
                #"%{Host}i %h [%{%d/%b/%Y:%T}t.%{msec_frac}t %{%z}t] "%m %U%q %H" %>s %B"#,
                #"a.example 192.0.2.1 [26/Nov/2026:10:00:00.000 +0000] "GET /a?x=1 HTTP/1.1" 200 9"#
            ),
            (
                #"%{%Y-%m-%d %H:%M:%S}t %h %{Host}i "%r" %>s %B"#,
                #"2026-11-26 10:00:00 192.0.2.1 a.example "GET /a?x=1 HTTP/1.1" 200 9"#
            ),
            (
                #"%d\t%t\t%h\t%m\t%v\t%U\t%s\t%R\t%u\t%q"#,
                "2026-11-26\t10:00:00\t192.0.2.1\tGET\ta.example\t/a\t200\t-\tA B\tx=1"
            ),
            (
                #"~h{, } %^[%d:%t %^] "%r" %s %b"#,
                #"192.0.2.1, 10.0.0.1 - - [26/Nov/2026:10:00:00 +0000] "GET http://a.example/a?x=1 HTTP/1.1" 200 9"#
            ),
        ])
    func formats(format: String, line: String) throws {
        let layout = try TraceLayout(logFormat: format)
        let bytes = Array((line + "\n").utf8)
        var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), layout: layout, skipping: .nothing)
        let request = try #require(try reader.next())
        #expect(request.url == "http://a.example/a?x=1" && request.time == 1_795_687_200)
        #expect(request.exchange == HTTPExchange(method: "GET", status: 200))
    }
}
