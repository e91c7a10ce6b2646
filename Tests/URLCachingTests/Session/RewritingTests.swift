import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// What `Configuration.rewrite` is shown of a request's body, and what becomes of it.
@Suite(.timeLimit(.minutes(60))) struct RewritingTests {
    enum Edit: CaseIterable, Sendable {
        case nothing, field, replace, remove
    }

    @Test(
        "a request that is rewritten to another host names the first in Host, unless it does so itself",
        arguments: [
            ("http://a.example/x", nil, "a.example"), ("http://a.example:81/x", nil, "a.example:81"),
            ("http://[::1]:81/x", nil, "[::1]:81"), ("http://[::1]/x", nil, "[::1]"),
            ("http://a.example/x", "own.example", "own.example"), ("http://b.example/x", nil, nil),
        ] as [(String, String?, String?)])
    func host(url: String, own: String?, expected: String?) async throws {
        let origin = VirtualOrigin { _ in .init(HTTPResponse()) }
        let bench = try SessionBench(transport: origin) { configuration in
            configuration.rewrite = { request in
                var request = request
                request.url = URL(string: "http://b.example/y")
                if let own { request.setValue(own, forHTTPHeaderField: "Host") }
                return request
            }
        }
        _ = try await bench.session.data(from: #require(URL(string: url)))
        #expect(origin.requests.map(\.url) == ["http://b.example/y"])
        #expect(origin.requests.map { $0.headerFields["Host"] } == [expected])
    }

    @Test("rewriting is shown the body, and leaves, replaces or removes it", arguments: Edit.allCases)
    func body(_ edit: Edit) async throws {
        let shown = Locked<[Data?]>([])
        let bench = try SessionBench { configuration in
            configuration.rewrite = { request in
                var request = request
                shown.withLock { [body = request.httpBody] in $0.append(body) }
                switch edit {
                case .nothing: break
                case .field: request.setValue("1", forHTTPHeaderField: "X-Edited")
                case .replace: request.httpBody = Data("other".utf8)
                case .remove: request.httpBody = nil
                }
                return request
            }
        }
        bench.origin.reply { OriginReply([("X-Was-Edited", $0["X-Edited"] ?? "0")], body: $0.body) }
        var request = bench.request(method: "POST")
        request.httpBody = Data("text".utf8)
        let got = try await bench.get(request)
        #expect(shown.withLock { $0 } == [Data("text".utf8)])
        #expect(got.body == (edit == .replace ? "other" : edit == .remove ? "" : "text"))
        #expect(got["X-Was-Edited"] == (edit == .field ? "1" : "0"))
    }
}
