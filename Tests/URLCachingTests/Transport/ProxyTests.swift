import LoopbackOrigin
import TestSupport
import Testing

/// Proxies that the environment names. Each request is of a child process, which has an environment to itself.
@Suite(.timeLimit(.minutes(60))) struct ProxyTests {
    private static let none = [
        "http_proxy": "", "https_proxy": "", "HTTPS_PROXY": "", "all_proxy": "", "ALL_PROXY": "", "no_proxy": "",
        "NO_PROXY": "",
    ]

    private func fetch(_ url: String, _ environment: [String: String]) throws -> String {
        try ChildRun("SessionStress", ["fetch", url], environment: Self.none.merging(environment) { $1 }).output
    }

    @Test("http_proxy gets requests with their whole URL, except for the hosts that no_proxy names")
    func http() throws {
        let proxy = try LoopbackOrigin { OriginReply(text: "by proxy to \($0.path)") }
        let origin = try LoopbackOrigin { OriginReply(text: "directly to \($0.path)") }
        let environment = ["http_proxy": proxy.base]
        #expect(try fetch("http://news.invalid/a?b=1", environment) == "200 by proxy to http://news.invalid/a?b=1\n")
        #expect(proxy.requests.last?["Host"] == "news.invalid")
        #expect(try fetch(origin.base + "/a", environment) == "200 by proxy to \(origin.base)/a\n")
        for excepted in ["127.0.0.1", "localhost,127.0.0.1", "*"] {
            let environment = ["http_proxy": proxy.base, "no_proxy": excepted]
            #expect(try fetch(origin.base + "/a", environment) == "200 directly to /a\n")
        }
        #expect(proxy.count() == 2 && origin.count() == 3)
    }

    @Test("https_proxy is asked for a tunnel, and one that it refuses is an error, not an answer")
    func https() throws {
        let proxy = try LoopbackOrigin { _ in OriginReply(status: 403, text: "no tunnel") }
        let output = try fetch("https://news.invalid/a", ["https_proxy": proxy.base])
        #expect(output.hasPrefix("error -1"))
        #expect(proxy.requests.map(\.method) == ["CONNECT"] && proxy.requests.first?.path == "news.invalid:443")
        #expect(try fetch("http://127.0.0.1:1/", ["https_proxy": proxy.base]).hasPrefix("error"))
        #expect(proxy.count() == 1, "http is not its business")
    }
}
