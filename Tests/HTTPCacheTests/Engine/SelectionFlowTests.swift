import CacheTiers
import HTTPCache
import HTTPSemantics
import TestSupport
import Testing
import VirtualOrigin

/// The application's own conditions and ranges through the whole engine (C8, C11).
@Suite struct SelectionFlowTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\"", "Content-Type": "text/plain"], body: "0123456789")
        _ = try bench.get()
    }

    @Test("a fresh stored response answers the application's own condition with 304 or itself (C8)")
    func conditions() throws {
        bench.at(5)
        let same = try bench.get(["If-None-Match": "W/\"a\""])
        #expect(same.status == 304 && same.body.isEmpty && same.source == .memoryHit)
        #expect(same.fields["ETag"] == "\"a\"" && same.fields["Age"] == "5" && same.fields["Content-Type"] == nil)
        let other = try bench.get(["If-None-Match": "\"b\""])
        #expect(other.status == 200 && other.body == "0123456789" && other.source == .memoryHit)
        #expect(try bench.get(["If-None-Match": "\"a\""], method: "HEAD").status == 304)
        #expect(bench.requestCount == 1)
        // Once it is stale, the question goes through unchanged.
        bench.at(60)
        bench.reply(["ETag": "\"b\""], status: 304, body: "")
        #expect(try bench.get(["If-None-Match": "\"b\""]).source == .bypass)
        #expect(bench.origin.requests.last?.headerFields == ["If-None-Match": "\"b\""])
    }

    @Test("a fresh stored response answers a single range (C11)") func ranges() throws {
        let part = try bench.get(["Range": "bytes=2-4"])
        #expect(part.status == 206 && part.body == "234" && part.source == .memoryHit)
        #expect(part.fields["Content-Range"] == "bytes 2-4/10" && part.fields["Content-Length"] == "3")
        #expect(try bench.get(["Range": "bytes=-3"]).body == "789")
        #expect(try bench.get(["Range": "bytes=7-", "If-Range": "\"a\""]).body == "789")
        #expect(try bench.get(["Range": "bytes=7-", "If-Range": "\"b\""]).status == 200)
        let outside = try bench.get(["Range": "bytes=10-"])
        #expect(outside.status == 416 && outside.fields["Content-Range"] == "bytes */10" && outside.body.isEmpty)
        #expect(bench.requestCount == 1)
    }

    @Test("several ranges, and ranges of a stale response, go to the origin without a content coding (C11)")
    func forwardedRanges() throws {
        #expect(try bench.get(["Range": "bytes=0-1,4-5"]).source == .bypass)
        #expect(
            bench.origin.requests.last?.headerFields == ["Range": "bytes=0-1,4-5", "Accept-Encoding": "identity"])
        bench.at(60)
        _ = try bench.get(["Range": "bytes=0-1", "Accept-Encoding": "br"])
        #expect(bench.origin.requests.last?.headerFields == ["Range": "bytes=0-1", "Accept-Encoding": "br"])
        #expect(bench.requestCount == 3)
    }

    @Test("a request that is only-if-cached is answered from the store, whatever it asks for")
    func onlyIfCached() throws {
        let cached: HTTPFields = ["Cache-Control": "only-if-cached", "Range": "bytes=0-1,4-5"]
        #expect(try bench.get(cached).body == "0123456789")
        #expect(try bench.get(["Cache-Control": "only-if-cached", "If-None-Match": "*"]).status == 304)
        #expect(bench.requestCount == 1)
    }

    @Test("the application's own time to live counts for conditions and ranges too (E2)") func timeToLive() throws {
        let bench = try Bench { $0.timeToLive = 200 }
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""], body: "0123456789")
        _ = try bench.get()
        bench.at(100)
        #expect(try bench.get(["Range": "bytes=0-1"]).body == "01")
        #expect(bench.requestCount == 1)
    }

    @Test("parts of one representation are combined, and once complete answer requests for the whole (C11)")
    func combiningParts() throws {
        let bench = try Self.ranged("0123456789", tag: "\"a\"")
        for range in ["bytes=6-", "bytes=0-2", "bytes=2-5"] {
            #expect(!bench.isStored())
            #expect(try bench.get(["Range": range]).status == 206)
        }
        bench.origin.reply { _ in .none }
        let whole = try bench.get()
        #expect(whole.status == 200 && whole.body == "0123456789" && whole.source == .memoryHit)
        #expect(whole.fields["Content-Range"] == nil && whole.fields["Content-Length"] == "10")
        #expect(try bench.get(["Range": "bytes=1-8"]).body == "12345678")
        #expect(bench.store.tiers.memory.count == 1, "the parts are gone")
    }

    @Test("parts are removed with what was stored since their time, and not with what came later")
    func partsSince() throws {
        let bench = try Self.ranged("0123456789", tag: "\"a\"")
        _ = try bench.get(["Range": "bytes=0-4"])
        try bench.store.removeAll(since: CacheTime(seconds: Bench.start + 1).microseconds)
        #expect(bench.store.tiers.memory.count == 1)
        try bench.store.removeAll(since: CacheTime(seconds: Bench.start - 1).microseconds)
        #expect(bench.store.tiers.memory.count == 0)
    }

    @Test("a part that was on its way when its URL was removed is not kept") func removedPart() throws {
        let bench = try Self.ranged("0123456789", tag: "\"a\"")
        bench.origin.hold()
        let part = bench.start(["Range": "bytes=0-4"])
        bench.engine.remove(CacheRequest(HTTPRequest(url: Bench.url)))
        bench.origin.release()
        bench.executor.drain()
        #expect(part.value?.body == "01234" && bench.store.tiers.memory.count == 0)
    }

    @Test("a download whose rest is not of the same representation begins again", arguments: [206, 416])
    func restOfAnother(status: Int) throws {
        let bench = try Bench()
        bench.origin.reply { request in
            guard request.headerFields["Range"] == "bytes=4-" else {
                return .init(HTTPResponse(headerFields: ["ETag": "\"b\""]), chunks: [Array("abcdefghij".utf8)])
            }
            let range = status == 206 ? "bytes 4-9/10" : "bytes */3"
            return .init(
                HTTPResponse(status: status, headerFields: ["ETag": "\"b\"", "Content-Range": .init(range)]),
                chunks: [Array("efghij".utf8)])
        }
        let old = HTTPResponse(headerFields: ["ETag": "\"a\"", "Content-Length": "10"])
        let engine = bench.engine
        let resumed = bench.executor.start {
            let partial = PartialBody(byteCount: 4, response: old, receivedAt: Bench.start)
            let resumed = try await engine.resume(CacheRequest(HTTPRequest(url: Bench.url)), after: partial)
            return (resumed.continues, resumed.response.status, try await resumed.answer.body.collect())
        }
        bench.executor.drain()
        #expect(try #require(resumed.value) == (false, 200, Array("abcdefghij".utf8)))
        // What came of the other is not asked for again.
        let asked = bench.origin.requests.map { $0.headerFields["Range"] }
        #expect(asked == ["bytes=4-", status == 206 ? "bytes=0-3" : nil])
        #expect(bench.origin.requests.first?.headerFields["If-Range"] == "\"a\"")
    }

    @Test("a part never answers a request for the whole, nor is it combined with another representation (C11)")
    func otherRepresentation() throws {
        let bench = try Self.ranged("0123456789", tag: "\"a\"")
        _ = try bench.get(["Range": "bytes=0-4"])
        Self.reply(bench, "abcdefghij", tag: "\"b\"")
        _ = try bench.get(["Range": "bytes=5-9"])
        #expect(!bench.isStored())
        _ = try bench.get(["Range": "bytes=0-4"])
        #expect(try bench.get(policy: .returnCacheDataDontLoad).body == "abcdefghij")
    }

    @Test("a part that is longer than it was announced is not kept") func longPart() throws {
        let bench = try Bench()
        bench.reply(
            ["Cache-Control": "max-age=60", "ETag": "\"a\"", "Content-Range": "bytes 0-4/10"], status: 206,
            body: "0123456")
        #expect(try bench.get(["Range": "bytes=0-4"]).body == "0123456")
        #expect(bench.store.tiers.memory.count == 0)
    }

    @Test("a part under a weak validator, or of a coded body, is not kept", arguments: ["W/\"a\"", "gzip"])
    func weakParts(kind: String) throws {
        let bench = try Self.ranged("0123456789", tag: kind == "gzip" ? "\"a\"" : kind, isCoded: kind == "gzip")
        _ = try bench.get(["Range": "bytes=0-4"])
        _ = try bench.get(["Range": "bytes=5-9"])
        #expect(!bench.isStored() && bench.store.tiers.memory.count == 0)
    }

    @Test("parts of two variants are not combined, however long the values of their fields agree")
    func variantsOfParts() throws {
        let bench = try Bench()
        Self.reply(bench, "0123456789", tag: "\"a\"", vary: "Accept")
        let accept = String(repeating: "a", count: 100)
        _ = try bench.get(["Range": "bytes=0-4", "Accept": accept + "1"])
        _ = try bench.get(["Range": "bytes=5-9", "Accept": accept + "2"])
        for end in ["1", "2"] {
            #expect(
                bench.store.lookup(HTTPRequest(url: Bench.url, headerFields: ["Accept": accept + end])) == nil)
        }
        _ = try bench.get(["Range": "bytes=0-4", "Accept": accept + "2"])
        #expect(try bench.get(["Accept": accept + "2"]).source == .memoryHit)
    }

    @Test("parts are removed with their URL, and take no more than 5 % of a tier") func limits() throws {
        let bench = try Self.ranged("0123456789", tag: "\"a\"")
        _ = try bench.get(["Range": "bytes=0-4"])
        #expect(bench.store.tiers.memory.count == 1)
        bench.engine.remove(CacheRequest(HTTPRequest(url: Bench.url)))
        #expect(bench.store.tiers.memory.count == 0)
        let small = try Bench(memoryCapacity: 40 * 100)
        Self.reply(small, String(repeating: "x", count: 250), tag: "\"a\"")
        _ = try small.get(["Range": "bytes=0-4"])
        #expect(small.store.tiers.memory.count == 0)
    }

    @Test("a 206 in answer to a request without Range is passed on and not kept") func unaskedPart() throws {
        let bench = try Bench()
        bench.reply(
            ["Cache-Control": "max-age=60", "ETag": "\"a\"", "Content-Range": "bytes 0-3/4"], status: 206, body: "0123")
        #expect(try bench.get().status == 206)
        #expect(bench.store.tiers.memory.count == 0)
    }

    @Test(
        "the application's hook sees the whole when its last part has come, and may refuse it (E1)", arguments: [0, 1])
    func hook(refuses: Int) throws {
        let bench = try Bench { options in
            options.willStore = { response, _ in
                if response.response.status != 200 || response.body.count != 10 { Issue.record("a part") }
                return refuses == 1 ? nil : response
            }
        }
        Self.reply(bench, "0123456789", tag: "\"a\"")
        _ = try bench.get(["Range": "bytes=0-4"])
        _ = try bench.get(["Range": "bytes=5-9"])
        #expect(bench.isStored() == (refuses == 0))
    }

    @Test("a part is not written to the disk where a hook may yet refuse the whole (E1)", arguments: [false, true])
    func partsOnDisk(hasHook: Bool) throws {
        let directory = try ScratchDirectory()
        let disk = try DiskTier(directory: directory.path, capacity: 1 << 20)
        let bench = try Bench(disk: disk) { options in
            if hasHook { options.willStore = { response, _ in response } }
        }
        Self.reply(bench, "0123456789", tag: "\"a\"")
        _ = try bench.get(["Range": "bytes=0-4"])
        #expect(bench.store.tiers.memory.count == 1 && disk.count == (hasHook ? 0 : 1))
    }

    private static func ranged(_ body: String, tag: String, isCoded: Bool = false) throws -> Bench {
        let bench = try Bench()
        reply(bench, body, tag: tag, isCoded: isCoded)
        return bench
    }

    /// The origin answers single ranges.
    private static func reply(_ bench: Bench, _ body: String, tag: String, isCoded: Bool = false, vary: String? = nil) {
        bench.origin.reply { request in
            var fields: HTTPFields = ["Cache-Control": "max-age=60", "ETag": tag]
            fields["Vary"] = vary
            if isCoded { fields["Content-Encoding"] = "gzip" }
            let bytes = Array(body.utf8)
            let range = request.headerFields["Range"].flatMap { ByteRange.parse($0) }
            let positions: Range<Int>
            switch range {
            case .from(let first)?: positions = Int(first)..<bytes.count
            case .closed(let first, let last)?: positions = Int(first)..<Int(last) + 1
            default: return .init(HTTPResponse(headerFields: fields), chunks: [bytes])
            }
            fields["Content-Range"] = "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(bytes.count)"
            return .init(HTTPResponse(status: 206, headerFields: fields), chunks: [Array(bytes[positions])])
        }
    }
}
