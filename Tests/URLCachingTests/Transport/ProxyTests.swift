import LoopbackOrigin
import TestSupport
import Testing

@testable import URLCaching

/// Proxies that the environment names, each request of a child process, which has an environment to itself, and those
/// of a configuration.
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

    @Test("https_proxy is asked for a tunnel, and one that it refuses is an error, not an answer") func https() throws {
        let proxy = try LoopbackOrigin { _ in OriginReply(status: 403, text: "no tunnel") }
        let output = try fetch("https://news.invalid/a", ["https_proxy": proxy.base])
        #expect(output.hasPrefix("error -1"))
        #expect(proxy.requests.map(\.method) == ["CONNECT"] && proxy.requests.first?.path == "news.invalid:443")
        #expect(try fetch("http://127.0.0.1:1/", ["https_proxy": proxy.base]).hasPrefix("error"))
        #expect(proxy.count() == 1, "http is not its business")
    }

    private func session(_ proxies: [AnyHashable: Any]) -> CachingSession {
        let configuration = URLSessionConfiguration.patient
        configuration.connectionProxyDictionary = proxies
        return CachingSession(configuration: configuration)
    }

    #if canImport(FoundationNetworking)
    @Test("the proxies of a configuration are used, and its exceptions asked directly")
    func ofConfiguration() async throws {
        let proxy = try LoopbackOrigin { OriginReply(text: "by proxy to \($0.path)") }
        let origin = try LoopbackOrigin { OriginReply(text: "directly to \($0.path)") }
        var proxies: [AnyHashable: Any] = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": Int(proxy.port)]
        let session = session(proxies)
        #expect(session.settingProblems.isEmpty)
        let far = try #require(URL(string: "http://news.invalid/a"))
        #expect(Got(try await session.data(from: far)).body == "by proxy to http://news.invalid/a")
        proxies["ExceptionsList"] = ["*.local", "127.0.0.1"]
        #expect(Got(try await self.session(proxies).data(from: origin.url("/a"))).body == "directly to /a")
        proxies["HTTPEnable"] = 0
        #expect(Got(try await self.session(proxies).data(from: origin.url("/b"))).body == "directly to /b")
        #expect(proxy.count() == 1 && origin.count() == 2)
    }

    @Test("https goes by its own proxy, through a tunnel") func tunnelOfConfiguration() async throws {
        let proxy = try LoopbackOrigin { _ in OriginReply(status: 403, text: "no tunnel") }
        let session = session(["HTTPSEnable": true, "HTTPSProxy": "127.0.0.1", "HTTPSPort": "\(proxy.port)"])
        let far = try #require(URL(string: "https://news.invalid/a"))
        #expect(await thrown { _ = try await session.data(from: far) } != nil)
        #expect(proxy.requests.map(\.method) == ["CONNECT"] && proxy.requests.first?.path == "news.invalid:443")
    }

    @Test(
        "proxies are settings of a session's own configuration as well, and reported where URLSession would carry them")
    func ofOwnConfiguration() async throws {
        let proxy = try LoopbackOrigin { OriginReply(text: "by proxy to \($0.path)") }
        var configuration = CachingSession.Configuration.patient.with {
            $0.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": Int(proxy.port)]
        }
        let session = CachingSession(configuration: configuration, cache: nil)
        let far = try #require(URL(string: "http://news.invalid/a"))
        #expect(Got(try await session.data(from: far)).body == "by proxy to http://news.invalid/a")
        #expect(session.settingProblems.isEmpty)
        configuration.carrier = .urlSession
        let problems = CachingSession(configuration: configuration, cache: nil).settingProblems
        #expect(problems.map(\.setting) == ["connectionProxyDictionary"])
    }

    @Test("a proxy that is none is reported, and its requests fail instead of going out directly")
    func unusable() async throws {
        let origin = try LoopbackOrigin { _ in OriginReply(text: "directly") }
        for proxies in [
            ["HTTPEnable": 1, "HTTPProxy": ""], ["HTTPEnable": 1], ["HTTPEnable": 1, "HTTPProxy": "a/b"],
            ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": 70_000],
        ] as [[AnyHashable: Any]] {
            let session = session(proxies)
            #expect(session.settingProblems.map(\.setting) == ["connectionProxyDictionary[HTTPProxy]"])
            #expect(await thrown { _ = try await session.data(from: origin.url("/a")) } != nil)
        }
        #expect(origin.count() == 0)
    }
    #endif

    @Test("a dictionary is read by Apple's names, and what is not understood is told") func dictionary() {
        let all = ProxyDictionary([
            "HTTPEnable": 1, "HTTPProxy": "::1", "HTTPSEnable": 1, "HTTPSProxy": "secure.test", "HTTPSPort": 8443,
            "ExceptionsList": ["*.local", "a.test", "*"],
        ])
        #expect(all.settings.http == "http://[::1]:80" && all.settings.https == "http://secure.test:8443")
        #expect(all.settings.exceptions == ["local", "a.test", "*"] && all.problems.isEmpty)
        let socks = ProxyDictionary(["SOCKSEnable": 1, "SOCKSProxy": "s.test", "FTPEnable": 0])
        #expect(socks.settings.http == "socks5h://s.test:1080" && socks.settings.https == socks.settings.http)
        #expect(socks.problems.isEmpty)
        let odd = ProxyDictionary([
            "ProxyAutoConfigEnable": 1, "HTTPSProxy": "a.test", "ExceptionsList": ["a*b", "169.254, b"],
        ])
        #expect(odd.settings.http == nil && odd.settings.https == nil && odd.settings.exceptions.isEmpty)
        #expect(odd.problems.count == 4)
        #expect(ProxyDictionary([:]).problems.isEmpty && ProxyDictionary([:]).settings.http == nil)
    }
}
