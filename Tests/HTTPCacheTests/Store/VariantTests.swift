import CacheTiers
import DiskSimulation
import HTTPCache
import HTTPSemantics
import TestSupport
import Testing

/// RFC 9111, section 4.1.
@Suite struct VariantTests {
    let store: ResponseStore
    let english = HTTPRequest(url: "https://example.com/a", headerFields: ["Accept-Language": "en"])
    let german = HTTPRequest(url: "https://example.com/a", headerFields: ["accept-language": "de"])
    let silent = HTTPRequest(url: "https://example.com/a")

    init() throws { store = try makeStore() }

    @Test("variants of one URL are told apart by what Vary names, and absence is a value") func variantsAreToldApart() {
        put("hello", vary: "Accept-Language", for: english)
        put("hallo", vary: "accept-language", for: german)
        #expect(body(english) == "hello")
        #expect(body(german) == "hallo")
        #expect(store.lookup(silent) == nil)
        put("…", vary: "Accept-Language", for: silent)
        #expect(body(silent) == "…")
        #expect(body(english) == "hello")
    }

    @Test("a response that varies on everything answers nobody, and neither does what it superseded") func varyStar() {
        put("hello", vary: nil, for: english)
        let outcome = put("anything", vary: "Accept, *", for: english)
        guard case .neverAnswers = outcome else {
            Issue.record("stored as \(outcome)")
            return
        }
        #expect(store.lookup(english) == nil)
    }

    @Test("variants by an older list of names do not come back when that list does") func changedListsSupersede() {
        put("old", vary: "Accept-Language", for: german)
        put("new", vary: "Accept-Language, Accept-Encoding", for: german)
        #expect(body(german) == "new")
        put("english", vary: "Accept-Language", for: english)
        #expect(body(english) == "english")
        #expect(store.lookup(german) == nil)
    }

    @Test("a response that does not vary takes the place of all variants") func plainResponseSupersedesVariants() {
        put("hello", vary: "Accept-Language", for: english)
        put("plain", vary: nil, for: german)
        #expect(body(english) == "plain")
        put("hallo", vary: "Accept-Language", for: german)
        #expect(store.lookup(english) == nil)
    }

    @Test("removing a URL removes all its variants") func removalReachesVariants() throws {
        put("hello", vary: "Accept-Language", for: english)
        put("hallo", vary: "Accept-Language", for: german)
        #expect(try store.remove(silent))
        #expect(store.lookup(english) == nil)
        #expect(store.lookup(german) == nil)
        #expect(store.tiers.memory.count == 0)
        put("hi", vary: "Accept-Language", for: english)
        #expect(body(english) == "hi")
        #expect(store.lookup(german) == nil, "what is left of it")
    }

    @Test(
        "all variants of a removed URL go, whatever tiers they may be in",
        arguments: [StoragePolicy.allowed, .allowedInMemoryOnly], [StoragePolicy.allowed, .allowedInMemoryOnly])
    func removalOfMixed(first: StoragePolicy, second: StoragePolicy) throws {
        let directory = try ScratchDirectory()
        let (store, response) = try byLanguage(in: directory)
        store.put("hello", response, for: english, policy: first)
        store.put("hallo", response, for: german, policy: second)
        store.put("…", response, for: silent, policy: first)
        #expect(store.lookup(english) != nil && store.lookup(german) != nil && store.lookup(silent) != nil)
        #expect(try store.remove(silent))
        #expect(store.tiers.memory.count == 0 && store.tiers.disk?.count == 0)
    }

    @Test("an index on disk names no variant that may be in memory only", arguments: [false, true])
    func namedOnDisk(isFirst: Bool) throws {
        let storage = MemoryStorage()
        let store = try self.store(on: storage)
        var response = fresh
        response.headerFields["Vary"] = "Cookie"
        let secret = HTTPRequest(url: "https://example.com/a", headerFields: ["Cookie": "session=4711"])
        if isFirst { store.put("mine", response, for: secret, policy: .allowedInMemoryOnly) }
        store.put("hello", response, for: silent)
        if !isFirst { store.put("mine", response, for: secret, policy: .allowedInMemoryOnly) }
        store.put("hello", response, for: silent)
        #expect(store.lookup(secret) != nil && store.lookup(silent)?.tier == .memory)
        #expect(String(decoding: storage.bytes, as: UTF8.self).contains("hello"))
        #expect(!String(decoding: storage.bytes, as: UTF8.self).contains("4711"))
    }

    private func store(on storage: MemoryStorage) throws -> ResponseStore {
        let disk = try DiskTier(storage, capacity: 4 << 20, seed: KeySeed(1, 2), nonceSeed: 3)
        let memory = try MemoryTier(capacity: 1 << 20)
        return ResponseStore(tiers: TwoTierCache(memory: memory, disk: disk, hasher: KeyHasher(seed: KeySeed(1, 2))))
    }

    @Test("removing a URL with variants reads no more beside many others than beside few")
    func removalReadsLittle() throws {
        func reads(beside count: Int) throws -> Int {
            let storage = MemoryStorage()
            let store = try self.store(on: storage)
            var response = fresh
            response.headerFields["Vary"] = "Accept-Language"
            for request in [english, german] { store.put("hello", response, for: request) }
            for number in 0..<count { store.put("other", for: HTTPRequest(url: "https://example.com/\(number)")) }
            let before = storage.readCount
            #expect(try store.remove(silent))
            #expect(store.lookup(english) == nil && store.lookup(german) == nil)
            return storage.readCount - before
        }
        #expect(try reads(beside: 300) == reads(beside: 3))
    }

    @Test(
        "variants go with the URL where removed entries are erased, also those that a later response has hidden",
        arguments: [false, true])
    func erasedVariants(areHidden: Bool) throws {
        for erases in [false, true] {
            store.tiers.erasesRemoved = erases
            put("hello", vary: "Accept-Language", for: english)
            if areHidden { put("plain", vary: nil, for: english) }
            #expect(try store.remove(english))
            #expect(store.tiers.memory.count == (areHidden && !erases ? 1 : 0))
            store.tiers.memory.removeAll()
        }
    }

    @Test("what was stored since a date is removed with the index that was stored then") func removalSince() throws {
        put("hello", vary: "Accept-Language", for: english)
        try store.tiers.removeAll(since: 999_999_999)
        #expect(store.tiers.memory.count == 0)
    }

    /// A store with 1 MiB on disk, and a response that varies by language.
    private func byLanguage(
        memory: Int = 1 << 20, in directory: ScratchDirectory
    ) throws -> (ResponseStore, HTTPResponse) {
        let disk = try DiskTier(directory: directory.path, capacity: 1 << 20)
        let tiers = TwoTierCache(
            memory: try MemoryTier(capacity: memory), disk: disk,
            hasher: KeyHasher(seed: KeySeed(disk.hashSeed.first, disk.hashSeed.second)))
        var response = fresh
        response.headerFields["Vary"] = "Accept-Language"
        return (ResponseStore(tiers: tiers), response)
    }

    @Test("a variant that may be on disk is found there, though the one stored before it may be in memory only")
    func indexReachesTheDisk() throws {
        let directory = try ScratchDirectory()
        let (store, response) = try byLanguage(in: directory)
        store.put("hello", response, for: english, policy: .allowedInMemoryOnly)
        store.put("hallo", response, for: german)
        store.tiers.memory.removeAll()
        #expect(store.lookup(german)?.tier == .disk)
        #expect(store.lookup(english) == nil)
    }

    @Test("a variant is found on disk, though the disk has overwritten the index that memory still has")
    func indexReturnsToTheDisk() throws {
        let directory = try ScratchDirectory()
        let (store, response) = try byLanguage(memory: 64 << 20, in: directory)
        store.put("hello", response, for: english)
        for number in 0..<60 {
            let request = HTTPRequest(url: "https://example.com/\(number)")
            store.put(String(repeating: "x", count: 40_000), for: request)
        }
        store.put("hallo", response, for: german)
        store.tiers.memory.removeAll()
        #expect(store.lookup(german)?.tier == .disk)
    }

    @Test("an index that is stored again is as old as its first variant, and goes with none that is newer")
    func dateOfIndex() throws {
        let directory = try ScratchDirectory()
        let (store, response) = try byLanguage(in: directory)
        store.put("hello", response, for: english, policy: .allowedInMemoryOnly, storedAt: 1)
        store.put("hallo", response, for: german, storedAt: 10)
        try store.tiers.removeAll(since: 5)
        #expect(store.lookup(english) != nil && store.lookup(german) == nil)
    }

    @Test("a variant that may be in fewer tiers than another does not take the place of the other") func policies() {
        var response = fresh
        response.headerFields["Vary"] = "Accept-Language"
        store.put("hallo", response, for: german)
        store.put("hello", response, for: english, policy: .allowedInMemoryOnly)
        #expect(body(german) == "hallo" && body(english) == "hello")
        store.put("hello!", response, for: english)
        store.put("hallo", response, for: german, policy: .allowedInMemoryOnly)
        #expect(body(german) == "hallo" && body(english) == "hello!")
        store.put("none", response, for: english, policy: .notAllowed)
        #expect(body(german) == "hallo" && store.lookup(english) == nil)
    }

    @Test("of variants that may be in memory only, nothing reaches the disk") func memoryOnly() throws {
        let directory = try ScratchDirectory()
        let (store, response) = try byLanguage(in: directory)
        for request in [english, german] { store.put("hello", response, for: request, policy: .allowedInMemoryOnly) }
        #expect(store.tiers.disk?.count == 0 && store.tiers.memory.count == 3)
        #expect(store.lookup(german)?.tier == .memory)
    }

    @discardableResult
    private func put(_ body: String, vary: String?, for request: HTTPRequest) -> StoreOutcome {
        var response = fresh
        response.headerFields["Vary"] = vary
        return store.put(body, response, for: request)
    }

    private func body(_ request: HTTPRequest) -> String? {
        store.lookup(request)?.withBody { String(decoding: $0, as: UTF8.self) }
    }
}
