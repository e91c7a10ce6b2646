import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import VirtualOrigin

@testable import URLCaching

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

    @Test(
        "over TLS a request that is rewritten to another host is sent there, under the first one's name",
        arguments: [
            ("https://b.example/y", "https://a.example/y", "b.example:443"),
            ("https://user:pass@b.example:81/y", "https://user:pass@a.example/y", "b.example:81"),
            ("https://user@[::1]?y", "https://user@a.example?y", "[::1]:443"),
            ("https://a.example/y", "https://a.example/y", nil), ("http://u@b.example/y", "http://u@b.example/y", nil),
        ] as [(String, String, String?)])
    func server(url: String, expected: String, server: String?) throws {
        var outgoing = OutgoingRequest(HTTPRequest(url: url, headerFields: ["Host": "a.example"]))
        let asked = URLRequest(url: try #require(URL(string: "https://user:pass@A.example/x")))
        #expect(outgoing.takeServer(askedFor: asked) == server)
        #expect(outgoing.request.url == expected)
    }

    @Test("a request is sent although others end during each rewriting") func othersMeanwhile() async throws {
        let box = Locked<CachingSession?>(nil)
        let calls = Locked(0)
        let other = Locked<URL?>(nil)
        let bench = try SessionBench { configuration in
            configuration.rewrite = { request in
                guard request.url?.path == "/a" else { return request }
                // Otherwise a mistake would go on for ever.
                calls.withLock { $0 += 1 }
                guard calls.withLock({ $0 }) < 20 else { return request }
                if let session = box.withLock({ $0 }), let url = other.withLock({ $0 }) {
                    _ = try? await session.data(from: url)
                }
                return request
            }
        }
        bench.origin.reply { _ in OriginReply([("Cache-Control", "no-store")], text: "page") }
        box.withLock { $0 = bench.session }
        other.withLock { [url = bench.origin.url("/b")] in $0 = url }
        #expect(try await bench.get().body == "page")
        #expect(calls.withLock { $0 } <= 2)
        box.withLock { $0 = nil }
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
