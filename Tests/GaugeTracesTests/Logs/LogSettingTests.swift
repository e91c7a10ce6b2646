import Testing

@testable import GaugeTraces

/// Lines as they stand in the settings of servers.
@Suite("Formats in servers' settings") struct LogSettingTests {
    static let nginx = """
        log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                          '$status $body_bytes_sent "$http_referer" '
                          '"$http_user_agent" "$http_x_forwarded_for"';
        """
    static let clf = #"10.0.0.1 - - [26/Nov/2026:10:00:00 +0000] "GET /a?x=1 HTTP/1.1" 200 9 "-" "A B" "-""#
    static let json = #"{"at":"2026-11-26T10:00:00+00:00","verb":"GET","what":"/a?x=1","code":200,"sent":9}"#
    static let template =
        #"{"at":"$time_iso8601","verb":"$request_method","what":"$request_uri","#
        + #""code":$status,"sent":${body_bytes_sent}}"#

    @Test(
        "a format is taken out of the line that nginx or Apache has, and describes the log",
        arguments: [
            (nginx, clf), (nginx.replacing("\n", with: "\r\n"), clf), ("  " + nginx + " access_log a.log main;", clf),
            (nginx.replacing("main", with: "main escape=default"), clf),
            (#"log_format a "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent";"#, clf),
            (#"'$remote_addr - - [$time_local] "$request" ' '$status $body_bytes_sent'"#, clf),
            (#"LogFormat "%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" combined"#, clf),
            ("\tlogformat \"%h %l %u %t \\\"%r\\\" %>s %b \\\n\\\"%{Referer}i\\\"\" x", clf),
            (#"CustomLog "logs/a.log" "%h %l %u %t \"%r\" %>s %b""#, clf),
            (#"%h %l %u %t "%r" %>s %b"#, clf), ("log_format j escape=json '\(template)';", json), (template, json),
            ("log_format j escape=json '\(template.prefix(40))'\n  '\(template.dropFirst(40))';", json),
        ])
    func settings(format: String, line: String) throws {
        let layout = try TraceLayout(logFormat: format)
        var reader = try TraceReader(
            TraceInput(name: "t", bytes: Array((line + "\n").utf8)), layout: layout, skipping: .nothing)
        let request = try #require(try reader.next())
        #expect(request.url == "http://origin.invalid/a?x=1" && request.size == 9 && request.time == 1_795_687_200)
        #expect(request.exchange == HTTPExchange(method: "GET", status: 200))
    }

    @Test(
        "a line without a format in it is refused", arguments: ["log_format main;", "LogFormat combined", "log_format"])
    func nothing(text: String) { #expect(throws: (any Error).self) { try TraceLayout(logFormat: text) } }
}
