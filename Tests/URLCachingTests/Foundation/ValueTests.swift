import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import VirtualOrigin

@testable import URLCaching

/// What a caller gets is a value: changing it changes nothing for anybody else (A13).
@Suite(.timeLimit(.minutes(60))) struct ValueTests {
    private static let text = "the body as the origin sent it"
    private let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)

    private static func request(_ url: String = "https://example.com/a?version=1") -> URLRequest {
        URLRequest(url: URL(string: url)!)
    }

    private func session() -> CachingSession {
        CachingSession(
            cache: cache, transport: VirtualOrigin { _ in .none }, clock: VirtualClock(seconds: SessionBench.start))
    }

    /// Overwrites each byte, in place where Foundation does so.
    private static func change(_ data: inout Data) {
        for index in data.indices { data[index] = UInt8(ascii: "X") }
    }

    private static func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    @Test(
        "a changed body of a hit changes neither the stored one nor another caller's, however the URL is written",
        arguments: [
            "https://example.com/a?version=1", "https://example.com/a?version=1#part",
            "HTTPS://EXAMPLE.com/a?version=1",
            "https://example.com:443/a?version=1",
        ])
    func hit(url: String) async throws {
        cache.storeCachedResponse(cached(Self.text), for: Self.request())
        let session = session()
        let request = Self.request(url)
        for way in 0..<3 {
            func body() async throws -> Data {
                if way == 0 { return try #require(cache.cachedResponse(for: request)).data }
                if way == 1 { return try await session.data(for: request).0 }
                var whole = Data()
                for try await part in try await session.bytes(for: request).0 {
                    whole = whole.isEmpty ? part : whole + part
                }
                return whole
            }
            let held = try await body()
            var mine = try await body()
            Self.change(&mine)
            #expect(Self.text(held) == Self.text)
            #expect(Self.text(try await body()) == Self.text)
            #expect(Self.text(try #require(cache.cachedResponse(for: Self.request())).data) == Self.text)
        }
    }

    @Test("the same with Vary, with a key hook, and in the object that a lookup returns", arguments: [true, false])
    func variants(byHook: Bool) throws {
        let hook: KeyHook? = if byHook { { _ in "text" } } else { nil }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil, keyHook: hook)
        let request = Self.request()
        cache.storeCachedResponse(cached(Self.text, fields: byHook ? [:] : ["Vary": "Accept"]), for: request)
        let held = try #require(cache.cachedResponse(for: request))
        var mine = try #require(cache.cachedResponse(for: request)).data
        Self.change(&mine)
        #expect(Self.text(held.data) == Self.text)
        #expect(Self.text(try #require(cache.cachedResponse(for: request)).data) == Self.text)
    }

    @Test("callers who hold a body of an evicted entry, or the entry itself, do not see each other's changes")
    func evicted() throws {
        cache.storeCachedResponse(cached(Self.text), for: Self.request())
        let entry = try #require(cache.store.lookup(HTTPRequest(Self.request())))
        let response = try #require(cache.cachedResponse(for: Self.request()))
        var mine = try #require(cache.cachedResponse(for: Self.request())).data
        var other = mine
        cache.removeAllCachedResponses()
        Self.change(&mine)
        #expect(Self.text(response.data) == Self.text && Self.text(other) == Self.text)
        #expect(entry.withBody { String(decoding: $0, as: UTF8.self) } == Self.text)
        withExtendedLifetime(entry) {}
        Self.change(&other)
        #expect(Self.text(response.data) == Self.text)
    }

    @Test("the last holder of a body may change it after the entry has gone, and it stays readable")
    func lastHolder() throws {
        cache.storeCachedResponse(cached(Self.text), for: Self.request())
        var mine = try #require(cache.cachedResponse(for: Self.request())).data
        cache.removeAllCachedResponses()
        #expect(Self.text(mine) == Self.text)
        Self.change(&mine)
        #expect(Self.text(mine) == String(repeating: "X", count: Self.text.utf8.count))
        mine.append(contentsOf: "more".utf8)
        #expect(mine.count == Self.text.utf8.count + 4)
    }

    @Test("a changed range of a body changes nothing, and its indices begin at 0") func range() async throws {
        cache.storeCachedResponse(cached(Self.text, fields: ["ETag": "\"1\""]), for: Self.request())
        let session = session()
        var request = Self.request()
        request.setValue("bytes=4-23", forHTTPHeaderField: "Range")
        let held = try await session.data(for: request).0
        var mine = try await session.data(for: request).0
        #expect(mine.startIndex == 0 && mine.count == 20)
        Self.change(&mine)
        #expect(Self.text(held) == Self.text.dropFirst(4).prefix(20))
        #expect(Self.text(try #require(cache.cachedResponse(for: Self.request())).data) == Self.text)
    }

    @Test("those who waited for one fetch, and the stored response, have bodies of their own")
    func waiters() async throws {
        let bench = try SessionBench()
        defer { bench.origin.stop() }
        for control in ["max-age=600", "max-age=0"] {
            let hold = Hold()
            bench.origin.reply { _ in
                var reply = OriginReply([("Cache-Control", control)], text: Self.text)
                reply.holdHead = hold
                return reply
            }
            let session = bench.session
            let request = bench.request("/\(control)")
            let all = (0..<3).map { _ in Task { try await session.data(for: request).0 } }
            while session.underWay.requests < 3 { await Task.yield() }
            await hold.reached()
            hold.release()
            for one in all {
                var mine = try await one.value
                Self.change(&mine)
            }
            for one in all { #expect(Self.text(try await one.value) == Self.text) }
            #expect(bench.origin.count("/\(control)") == 1)
            #expect(Self.text(try #require(bench.cache?.cachedResponse(for: request)).data) == Self.text)
        }
    }

    @Test("a body that a caller changed is not what a confirmation stores, in memory or on disk")
    func confirmed() async throws {
        let bench = try SessionBench()
        defer { bench.origin.stop() }
        bench.serve(OriginResource(Self.text, [("Cache-Control", "max-age=10")], entityTag: "\"1\""))
        var mine = try await bench.session.data(for: bench.request()).0
        Self.change(&mine)
        var hit = try await bench.session.data(for: bench.request()).0
        Self.change(&hit)
        bench.at(60)
        #expect(try await bench.get().body == Self.text)
        #expect(bench.origin.conditionalCount() == 1)
        #expect(Self.text(try #require(bench.cache?.cachedResponse(for: bench.request())).data) == Self.text)
    }

    @Test("userInfo is a value, too, with what bytes can hold and with what they cannot", arguments: [true, false])
    func userInfo(isPersistent: Bool) throws {
        let list = NSMutableArray(array: ["a"])
        let text = NSMutableString(string: "text")
        var info: [AnyHashable: Any] = ["list": list, "text": text, "data": Data(Self.text.utf8)]
        if !isPersistent { info["object"] = NSObject() }
        cache.storeCachedResponse(cached(Self.text, userInfo: info), for: Self.request())
        list.add("b")
        text.append(" changed")
        func found() throws -> [AnyHashable: Any] { try #require(cache.cachedResponse(for: Self.request())?.userInfo) }
        for _ in 0..<2 {
            let found = try found()
            #expect(found["list"] as? [String] == ["a"])
            #expect("\(try #require(found["text"]))" == "text")
            (found["list"] as? NSMutableArray)?.add("c")
            (found["text"] as? NSMutableString)?.append("!")
            var data = try #require(found["data"] as? Data)
            Self.change(&data)
        }
        #expect(try #require(found()["data"] as? Data) == Data(Self.text.utf8))
    }

    @Test(
        "what may not be stored is not stored, whatever is in its userInfo",
        arguments: ["nothing", "a number", "an object"])
    func notAllowed(kind: String) {
        let info: [AnyHashable: Any]? = kind == "nothing" ? nil : ["k": kind == "a number" ? 1 as Any : NSObject()]
        cache.storeCachedResponse(cached("old"), for: Self.request())
        cache.storeCachedResponse(cached("new", userInfo: info, policy: .notAllowed), for: Self.request())
        #expect(cache.cachedResponse(for: Self.request()) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("a hook that forbids storing is obeyed, whatever it puts into userInfo")
    func notAllowedByHook() async throws {
        let bench = try SessionBench(
            delegate: Editing {
                CachedURLResponse(
                    response: $0.response, data: $0.data, userInfo: ["k": NSObject()], storagePolicy: .notAllowed)
            })
        defer { bench.origin.stop() }
        bench.serve(OriginResource("secret", [("Cache-Control", "max-age=60")]))
        _ = try await bench.get()
        #expect(!bench.isStored())
    }
}
