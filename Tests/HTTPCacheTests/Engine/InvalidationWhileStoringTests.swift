import HTTPCache
import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

/// An application removes a response at the very moment at which the engine stores it.
@Suite struct InvalidationWhileStoringTests {
    private let bench: Bench
    private let storage: InterruptedStorage
    private let engine: CacheEngine

    init() throws {
        bench = try Bench()
        storage = InterruptedStorage(bench.store)
        engine = CacheEngine(
            responses: bench.store, storage: storage, transport: bench.origin, clock: bench.clock,
            options: bench.engine.options)
        bench.replyByEntityTag("\"1\"", ["Cache-Control": "max-age=60"])
    }

    private func get() throws -> Seen {
        let engine = engine
        let started = bench.executor.start {
            try await Seen(engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url))))
        }
        bench.executor.drain()
        return try #require(started.result).get()
    }

    private func removeDuringStores() {
        let engine = engine
        storage.beforeStore.withLock { $0 = { engine.remove(CacheRequest(HTTPRequest(url: Bench.url))) } }
    }

    @Test("a response that was invalidated while it was being stored is answered, and does not stay")
    func storing() throws {
        removeDuringStores()
        let seen = try get()
        #expect(seen.body == "body" && seen.source == .fetched)
        #expect(!bench.isStored())
    }

    @Test("a response that was invalidated while its confirmation was being stored is answered, and does not stay")
    func updating() throws {
        _ = try get()
        #expect(bench.isStored())
        bench.at(61)
        removeDuringStores()
        let seen = try get()
        #expect(seen.body == "body" && seen.source == .revalidated)
        #expect(!bench.isStored())
    }
}

/// A storage that lets something happen in the middle of a store.
private final class InterruptedStorage: ResponseStoring {
    let beforeStore = Locked<(@Sendable () -> Void)?>(nil)
    private let store: ResponseStore

    init(_ store: ResponseStore) { self.store = store }

    func lookup(_ request: CacheRequest) -> StoredResponse? { store.lookup(request) }

    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) -> StoreOutcome? {
        beforeStore.withLock { $0 }?()
        return store.store(response, for: request, times: times)
    }

    func remove(_ request: CacheRequest, _ reason: RemovalReason) { store.remove(request, reason) }
}
