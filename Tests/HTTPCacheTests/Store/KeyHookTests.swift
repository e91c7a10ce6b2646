import CacheTiers
import HTTPSemantics
import Platform
import Testing

@testable import HTTPCache

/// The application's key hook may wait for a lock whose owner removes from the cache.
@Suite struct KeyHookTests {
    private final class Hooked: Sendable {
        let store = Locked<ResponseStore?>(nil)
        let calls = Locked(0)

        /// Takes each lock of the store, and removes nothing.
        func call() throws {
            calls.withLock { $0 += 1 }
            try store.withLock { $0 }?.removeAll(since: .max)
        }
    }

    @Test("a key hook is called without a lock of the store, at each lookup, store, confirmation and removal")
    func withoutLock() throws {
        let hooked = Hooked()
        let store = try makeStore { _ in
            try? hooked.call()
            return "me"
        }
        hooked.store.withLock { $0 = store }
        defer { hooked.store.withLock { $0 = nil } }
        let request = HTTPRequest(url: "https://example.com/a")
        let times = StoringTimes(request: 1_000, response: 1_000, stored: CacheTime(seconds: 1_000))
        store.put("hello", for: request)
        let stored = try #require(store.lookup(request))
        let confirmation = ResponseToStore(fresh, body: Array("hello".utf8), confirms: stored)
        guard case .stored? = store.store(confirmation, for: CacheRequest(request), times: times) else {
            Issue.record("not confirmed")
            return
        }
        store.removeExpired(request)
        #expect(store.lookup(request) == nil)
        let head = HTTPResponse(
            status: 206, headerFields: ["ETag": "\"a\"", "Cache-Control": "max-age=60", "Content-Range": "bytes 0-2/5"])
        let part = try #require(PartialResponse(head, responseTime: 1_000))
        #expect(store.add(part, Array("hel".utf8), for: request, times: times, policy: .allowed) == nil)
        #expect(store.parts(for: request)?.parts.byteCount == 3)
        store.put("hello", for: request)
        #expect(try store.remove(request) && store.lookup(request) == nil)
        #expect(hooked.calls.withLock { $0 } == 10)
    }
}
