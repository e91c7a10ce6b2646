import Testing

@testable import GaugeSupport
@testable import GaugeTraces

/// Six requests as logs of many kinds have them: a page twice, another with a query and then its 304, an error, and the
/// page again, at one host or two.
@Suite("Kinds of logs") struct LogKindsTests {
    private struct Request {
        let second: Int
        let path: String
        let status: Int
        let size: Int
    }

    private static let requests = [
        Request(second: 0, path: "/a", status: 200, size: 1000),
        Request(second: 1, path: "/b?x=1", status: 200, size: 2000),
        Request(second: 2, path: "/a", status: 200, size: 1000),
        Request(second: 3, path: "/b?x=1", status: 304, size: 0),
        Request(second: 4, path: "/c", status: 404, size: 150), Request(second: 5, path: "/a", status: 200, size: 1000),
    ]

    struct Kind: CustomTestStringConvertible, Sendable {
        let name: String
        let format: TraceFormat
        var header = ""
        var origin = "https://shop.example"
        /// Bytes of a header that the log counts.
        var head = 0
        /// A line, with `{s}` for the second, `{m}` for the path, `{p}` and `{q}` for its parts, `{c}`, `{b}`.
        let line: String

        var testDescription: String { name }
    }

    private static func lines(_ kind: Kind) -> String {
        kind.header
            + requests.map { request in
                let parts = request.path.split(separator: "?")
                return kind.line.replacing("{s}", with: "\(request.second)").replacing("{m}", with: request.path)
                    .replacing("{p}", with: parts[0]).replacing("{q}", with: parts.count > 1 ? parts[1] : "-")
                    .replacing("{c}", with: "\(request.status)").replacing("{b}", with: "\(request.size + kind.head)")
                    + "\n"
            }.joined()
    }

    private static let clf = #"192.0.2.1 - - [26/Nov/2026:10:00:0{s} +0000] "GET {m} HTTP/1.1" {c} {b} "-" "curl/8""#
    private static let origin = "http://origin.invalid"

    static let kinds: [Kind] = [
        Kind(name: "combined", format: .combined, origin: origin, line: clf),
        Kind(
            name: "lighttpd", format: .combined, origin: "http://shop.example",
            line: #"192.0.2.1 shop.example - [26/Nov/2026:10:00:0{s} +0000] "GET {m} HTTP/1.1" {c} {b} "-" "x""#),
        Kind(
            name: "comonvhost", format: .combined, origin: "http://shop.example",
            line: #"shop.example - - [26/Nov/2026:10:00:0{s} +0000] "GET {m} HTTP/1.1" {c} {b}"#),
        Kind(
            name: "ALB", format: .textLog,
            line:
                #"https 2026-11-26T10:00:0{s}.186641Z app/lb/50dc 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 {c} {c} 120 {b} "GET https://shop.example:443{m} HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2 arn:aws:x "Root=1" "shop.example" "arn" 1"#
        ),
        Kind(
            name: "ELB", format: .textLog, origin: "http://shop.example",
            line:
                #"2026-11-26T10:00:0{s}.186641Z lb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001 0.000057 {c} {c} 0 {b} "GET http://shop.example:80{m} HTTP/1.1" "curl/7.38.0" - -"#
        ),
        Kind(
            name: "S3", format: .textLog, origin: "http://bucket",
            line:
                #"79a5 bucket [26/Nov/2026:10:00:0{s} +0000] 192.0.2.1 - 3E57 REST.GET.OBJECT a "GET {m} HTTP/1.1" {c} - {b} 1000 7 6 "-" "S3Console/0.4" - id SigV4 ECDHE AuthHeader bucket.s3.amazonaws.com TLSV1.2 - -"#
        ),
        Kind(
            name: "CloudFront", format: .w3c,
            header:
                "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs-uri-query x-host-header cs-protocol\n",
            head: 300,
            line:
                "2026-11-26\t10:00:0{s}\tFRA2\t{b}\t192.0.2.1\tGET\td1.cloudfront.net\t{p}\t{c}\t-\t{q}\tshop.example\thttps"
        ),
        Kind(
            name: "IIS", format: .w3c,
            header:
                "#Software: Microsoft Internet Information Services 10.0\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs-host sc-status sc-bytes time-taken\n",
            head: 300, line: "2026-11-26 10:00:0{s} 10.0.0.1 GET {p} {q} 443 192.0.2.1 shop.example {c} {b} 15"),
        Kind(
            name: "Envoy", format: .textLog, origin: "http://shop.example",
            line:
                #"[2026-11-26T10:00:0{s}.310Z] "GET {m} HTTP/2" {c} - 0 {b} 26 25 "192.0.2.1" "curl/8" "cc21" "shop.example" "10.0.2.1:80""#
        ),
        Kind(
            name: "Istio", format: .textLog, origin: "http://shop.example",
            line:
                #"[2026-11-26T10:00:0{s}.310Z] "GET {m} HTTP/1.1" {c} - via_upstream - "-" 0 {b} 26 25 "-" "curl/8" "cc21" "shop.example" "10.0.2.1:80" outbound|80||shop - 10.0.0.1:80 - -"#
        ),
        Kind(
            name: "Istio JSON", format: .jsonLog, origin: "http://shop.example",
            line:
                #"{"authority":"shop.example","bytes_received":0,"bytes_sent":{b},"duration":26,"method":"GET","path":"{m}","protocol":"HTTP/1.1","response_code":{c},"start_time":"2026-11-26T10:00:0{s}.3Z"}"#
        ),
        Kind(
            name: "HAProxy", format: .textLog, origin: "http://shop.example", head: 300,
            line:
                #"Nov 26 10:00:00 lb haproxy[14389]: 192.0.2.1:33317 [26/Nov/2026:10:00:0{s}.655] http-in static/srv1 10/0/30/69/109 {c} {b} - - ---- 1/1/1/1/0 0/0 {shop.example|curl} {} "GET {m} HTTP/1.1""#
        ),
        Kind(
            name: "HAProxy without captures", format: .textLog, origin: origin, head: 300,
            line:
                #"192.0.2.1:33317 [26/Nov/2026:10:00:0{s}.655] http-in static/srv1 10/0/30/69/109 {c} {b} - - ---- 1/1/1/1/0 0/0 "GET {m} HTTP/1.1""#
        ),
        Kind(
            name: "Nginx Proxy Manager", format: .textLog,
            line:
                #"[26/Nov/2026:10:00:0{s} +0000] - {c} {c} - GET https shop.example "{m}" [Client 192.0.2.1] [Length {b}] [Gzip -] [Sent-to 10.0.0.1] "curl/8" "-""#
        ),
        Kind(
            name: "Traefik", format: .jsonLog,
            line:
                #"{"DownstreamContentSize":{b},"DownstreamStatus":{c},"Duration":1,"RequestHost":"shop.example","RequestMethod":"GET","RequestPath":"{m}","RequestScheme":"https","StartUTC":"2026-11-26T10:00:0{s}.5Z","level":"info"}"#
        ),
        Kind(
            name: "Cloudflare", format: .jsonLog, origin: "http://shop.example", head: 400,
            line:
                #"{"ClientRequestHost":"shop.example","ClientRequestMethod":"GET","ClientRequestURI":"{m}","EdgeResponseBytes":{b},"EdgeResponseStatus":{c},"EdgeStartTimestamp":"2026-11-26T10:00:0{s}Z"}"#
        ),
        Kind(
            name: "Fastly", format: .jsonLog, origin: "http://shop.example",
            line:
                #"{"timestamp":"2026-11-26T10:00:0{s}+0000","host":"shop.example","url":"{m}","request_method":"GET","response_status":"{c}","response_body_size":"{b}"}"#
        ),
        Kind(
            name: "Google Cloud", format: .jsonLog, head: 300,
            line:
                #"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://shop.example{m}","requestSize":"120","responseSize":"{b}","status":{c}},"resource":{"type":"http_load_balancer"},"timestamp":"2026-11-26T10:00:0{s}.5Z"}"#
        ),
        Kind(
            name: "Azure Front Door", format: .jsonLog, head: 300,
            line:
                #"{"time":"2026-11-26T10:00:0{s}.5Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GET","requestUri":"https://shop.example:443{m}","httpStatusCode":"{c}","requestBytes":"99","responseBytes":"{b}"}}"#
        ),
        Kind(
            name: "Elastic Common Schema", format: .jsonLog, origin: "http://shop.example",
            line:
                #"{"@timestamp":"2026-11-26T10:00:0{s}Z","http":{"request":{"method":"GET","body":{"bytes":7}},"response":{"status_code":{c},"body":{"bytes":{b}}}},"url":{"original":"{m}","domain":"shop.example"}}"#
        ),
        Kind(
            name: "Docker", format: .combined, origin: origin,
            line:
                #"{"log":"192.0.2.1 - - [26/Nov/2026:10:00:0{s} +0000] \"GET {m} HTTP/1.1\" {c} {b} \"-\" \"x\"\n","stream":"stdout","time":"2026-11-26T10:00:00.1Z"}"#
        ),
        Kind(name: "CRI", format: .combined, origin: origin, line: "2026-11-26T10:00:00.123456789Z stdout F " + clf),
        Kind(name: "Docker Compose", format: .combined, origin: origin, line: "web-1  | " + clf),
        Kind(name: "syslog", format: .combined, origin: origin, line: "Nov 26 10:00:00 web nginx[17]: " + clf),
        Kind(
            name: "syslog by RFC 5424", format: .combined, origin: origin,
            line: "<165>1 2026-11-26T10:00:00Z web nginx 17 - - " + clf),
        Kind(
            name: "Caddy's console", format: .jsonLog, origin: "http://shop.example",
            line:
                "2026/11/26 10:00:00.000\tinfo\thttp.log.access\thandled request\t"
                + #"{"request":{"method":"GET","host":"shop.example","uri":"{m}"},"size":{b},"status":{c},"ts":1795687200.{s}}"#
        ),
        Kind(
            name: "Caddy common", format: .combined, origin: origin,
            line: "2026/11/26 10:00:00.000\tinfo\thttp.log.access\t" + clf),
        Kind(
            name: "Google Cloud Storage", format: .csv,
            header: #""time_micros","c_ip","cs_method","cs_uri","sc_status","cs_bytes","sc_bytes","cs_host""# + "\n",
            origin: "http://shop.example",
            line: #""179568720{s}000000","192.0.2.1","GET","{m}","{c}","0","{b}","shop.example""#),
    ]

    @Test("six requests are read in every kind of log, with their objects, sizes and order", arguments: kinds)
    func read(kind: Kind) throws {
        let (requests, reader) = try TraceReading.all(Array(Self.lines(kind).utf8), nil)
        #expect(reader.format == kind.format)
        #expect(requests.map(\.url) == Self.requests.map { kind.origin + $0.path })
        #expect(requests.map { $0.exchange?.status } == Self.requests.map(\.status))
        #expect(requests.map { $0.size } == Self.requests.map { $0.status == 304 ? nil : $0.size + kind.head })
        let times = requests.compactMap(\.time)
        #expect(times.count == 6 && times == times.sorted() && times[0] >= 1_795_687_200 && times[5] < 1_795_687_206)
    }

    @Test(
        "a format in the specifiers of GoAccess or Apache, or with nginx's variables, reads the lines that it describes",
        arguments: [
            #"%h %^[%d:%t %^] "%r" %s %b "%R" "%u""#, #"%h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i""#,
            #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#,
            "COMBINED",
        ])
    func formats(format: String) throws {
        let layout = try TraceLayout(logFormat: format)
        let text = Self.lines(Kind(name: "", format: .combined, line: Self.clf))
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)), layout: layout, skipping: .nothing)
        var paths: [String?] = []
        while let request = try reader.next() { paths.append(request.url) }
        #expect(paths == Self.requests.map { Self.origin + $0.path })
    }

    @Test("members of a JSON log are found by the names that the user gives, in nested objects too")
    func fields() throws {
        let layout = TraceLayout(
            .jsonLog, fields: try LogFields("method=q.verb,url=q.what,status=r.code,size=r.len,time=at"))
        let text =
            #"{"q":{"verb":"GET","what":"/a"},"r":{"code":200,"len":9},"at":"2026-11-26 10:00:00","status":"ok"}"#
        var reader = try TraceReader(
            TraceInput(name: "t", bytes: Array((text + "\n").utf8)), layout: layout, skipping: .nothing)
        let request = try reader.next()
        #expect(request?.url == "http://origin.invalid/a" && request?.size == 9 && request?.time == 1_795_687_200)
    }

    @Test("GoAccess's format of a JSON log names its members") func template() throws {
        let layout = try TraceLayout(logFormat: #"{"q": {"verb": "%m", "what": "%U"}, "code": "%s", "at": "%x.%^"}"#)
        #expect(layout.format == .jsonLog && layout.fields?.text == "method=q.verb,url=q.what,status=code,time=at")
    }

    @Test(
        "a format that cannot be used is refused with the reason",
        arguments: [
            ("%h %s", "neither a request line (%r) nor a path (%U)"), ("%h %Z", "%Z is no specifier"),
            ("COMBIND", "did you mean"), ("%r %", "ends in %"),
        ])
    func refusedFormats(format: String, reason: String) {
        let message = message { try TraceLayout(logFormat: format) }
        #expect(message.contains(reason), "\(message)")
    }

    private func message(_ body: () throws -> some Any) -> String {
        do {
            _ = try body()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "fields that cannot be used are refused with the reason",
        arguments: [("status=a", "neither url nor key"), ("url", "is not like"), ("url=a,sise=b", "'sise' is nothing")])
    func refusedFields(fields: String, reason: String) {
        let message = message { try LogFields(fields) }
        #expect(message.contains(reason), "\(message)")
    }

    @Test(
        "a file that fits no format is refused with its first line, the format that comes nearest and what is missing",
        arguments: [
            (
                #"192.0.2.1 - - [26/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" ok 12"#,
                ["192.0.2.1 - -", "nearest format is combined", "status"]
            ),
            (#"{"method":"GET","path":"/a","ms":4}"#, ["nearest format is json-log", "no status"]),
            ("hello", ["\"hello\"", "--log-format"]),
        ])
    func nearest(line: String, parts: [String]) {
        let message = TraceReading.message(Array((line + "\n").utf8), nil)
        for part in parts { #expect(message.contains(part), "\(message)") }
    }

    @Test("a log that names its fields anew has those alone") func fieldsNamedAnew() throws {
        let text =
            "#Fields: cs-method cs-uri-stem sc-status\nGET /a 200\n"
            + "#Fields: sc-status cs-uri-stem cs-method\n404 /b HEAD\n"
        let requests = try TraceReading.all(Array(text.utf8), .w3c).requests
        #expect(requests.map { $0.exchange?.status } == [200, 404])
        #expect(requests.map { $0.exchange?.method } == ["GET", "HEAD"])
    }

    @Test("client names are not taken for hosts, and hosts in the first field are") func hostsFirst() throws {
        func urls(_ names: [String]) throws -> Set<String?> {
            let text = names.map { "\($0) - - [26/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5\n" }.joined()
            return Set(try TraceReading.all(text, nil).map(\.url))
        }
        #expect(try urls(["a.example", "b.example", "a.example"]) == ["http://a.example/a", "http://b.example/a"])
        #expect(try urls(["a.example", "192.0.2.1", "a.example"]) == ["http://origin.invalid/a"])
        #expect(try urls(["a.example", "b.example"]) == ["http://origin.invalid/a"])
    }

    @Test("CSV knows statuses, methods, lifetimes and dates") func csv() throws {
        let text =
            "key,time,status,method,lifetime,size\na,2026-11-26T10:00:00Z,200,GET,60,10\na,1795687201,404,GET,0,3\n"
        let requests = try TraceReading.all(text, nil)
        #expect(requests.map(\.time) == [1_795_687_200, 1_795_687_201])
        #expect(requests.map { $0.exchange?.status } == [200, 404] && requests.map(\.size) == [10, 3])
        #expect(
            requests[0].exchange?.responseFields.map { String(decoding: $0.value, as: UTF8.self) } == ["max-age=60"])
        #expect(requests[0].exchange?.sent == 1_795_687_200)
    }

    @Test("a trace that makes no sense in its format is refused") func nonsense() throws {
        let disk = "128166372003061629,hm,0,Read,7014609920,24576,41286\n"
        let message = TraceReading.message(Array(disk.utf8), .libcachesimCSV)
        #expect(message.contains("block trace of Microsoft Research"))
        let zeros = String(repeating: "1,x,0\n", count: 9)
        let (_, reader) = try TraceReading.all(Array(zeros.utf8), .libcachesimCSV)
        #expect(reader.nonsense?.reason.contains("one object of 0 bytes") == true)
        // Keys alone have no sizes, and are read in blocks.
        var keys = try TraceReader(
            TraceInput(name: "t", bytes: [UInt8](repeating: 0, count: 40)), format: .be32, skipping: .nothing)
        var block: [PlainRequest] = []
        block.reserveCapacity(16)
        try keys.read(into: &block)
        #expect(keys.count == 10 && keys.nonsense == nil)
        let sensible = zeros + "1,y,0\n"
        #expect(try TraceReading.all(Array(sensible.utf8), .libcachesimCSV).reader.nonsense == nil)
    }
}
