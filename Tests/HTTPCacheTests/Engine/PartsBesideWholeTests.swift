import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// A stored response and stored parts of the same URL (C11; RFC 9111, sections 3.4 and 4).
@Suite struct PartsBesideWholeTests {
    private static let whole = "0123456789"
    private let bench: Bench

    init() throws {
        bench = try Bench()
        serve("\"1\"")
        _ = try bench.get()
    }

    private static let reload: HTTPFields = ["Range": "bytes=0-4", "Cache-Control": "max-age=0"]

    @Test("newer parts answer in place of a fresh whole, and ranges that they lack go to the origin")
    func newerPart() throws {
        bench.at(5)
        serve("\"2\"", "abcdefghijkl")
        #expect(try bench.get(Self.reload).body == "abcde")
        bench.at(6)
        let seen = try bench.get(["Range": "bytes=1-3"])
        #expect(seen.body == "bcd" && seen.fields["ETag"] == "\"2\"" && seen.source == .memoryHit)
        #expect(try bench.get(["Range": "bytes=4-7"]).body == "efgh")
        #expect(bench.requestCount == 3)
        // No connection is allowed, and the whole is still fresh.
        let cached: HTTPFields = ["Range": "bytes=9-9", "Cache-Control": "only-if-cached"]
        #expect(try bench.get(cached).body == "9")
        #expect(try bench.get().body == Self.whole && bench.requestCount == 3)
    }

    @Test("what came of a reload that broke off answers in place of the whole before it") func brokenReload() throws {
        bench.at(5)
        bench.origin.reply { _ in
            let fields: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"2\"", "Content-Length": "12"]
            return .init(HTTPResponse(headerFields: fields), chunks: [Array("abcde".utf8)], breaksOff: true)
        }
        #expect(throws: EngineError.self) { try bench.get(policy: .reloadIgnoringLocalCacheData) }
        #expect(try bench.get(["Range": "bytes=0-4"]).body == "abcde" && bench.requestCount == 2)
    }

    @Test("parts that are older by Date answer where the whole is not fresh", arguments: [5, 60])
    func olderPart(seconds: Int64) throws {
        bench.at(4)
        serve(
            "\"2\"", "abcdefghijkl",
            ["Date": .init(HTTPDate.format(Bench.start - 100)), "Cache-Control": "max-age=600"])
        _ = try bench.get(Self.reload)
        bench.at(seconds)
        #expect(try bench.get(["Range": "bytes=1-3"]).body == (seconds < 60 ? "123" : "bcd"))
        #expect(bench.requestCount == 2)
    }

    @Test("fresh parts answer beside a whole that is stale, which stays") func staleWhole() throws {
        bench.at(60)
        serve("\"2\"", "abcdefghijkl")
        for _ in 0..<3 { #expect(try bench.get(["Range": "bytes=0-4"]).body == "abcde") }
        #expect(bench.requestCount == 2)
        #expect(try bench.get(policy: .returnCacheDataDontLoad).body == Self.whole)
    }

    @Test("a part of a stale whole renews it", arguments: [false, true]) func renewed(breaksOff: Bool) throws {
        bench.at(61)
        serve("\"1\"", Self.whole, ["X": "new", "Cache-Control": "max-age=60"], breaksOff: breaksOff)
        if breaksOff {
            #expect(throws: EngineError.self) { try bench.get(policy: .reloadIgnoringLocalCacheData) }
        } else {
            #expect(try bench.get(["Range": "bytes=2-4"]).body == "234")
        }
        bench.at(120)
        #expect(try bench.get(["Range": "bytes=7-8"]).body == "78")
        let seen = try bench.get()
        #expect(seen.body == Self.whole && seen.fields["X"] == "new" && seen.fields["Age"] == "59")
        #expect(bench.requestCount == 2 && bench.store.tiers.memory.count == 1)
    }

    @Test("a part of a whole that is fresh, or would stay stale, writes nothing", arguments: [10, 61])
    func notRenewed(seconds: Int64) throws {
        bench.at(seconds)
        serve("\"1\"", Self.whole, ["Cache-Control": seconds > 60 ? "no-cache" : "max-age=60"])
        #expect(try bench.get(Self.reload).status == 206)
        #expect(bench.store.lookup(HTTPRequest(url: Bench.url))?.facts.receivedAt == Bench.start)
        #expect(bench.store.tiers.memory.count == 1)
    }

    @Test(
        "a part with the whole's tag and other bytes or another length renews nothing",
        arguments: ["012", "0x23456789"])
    func contradiction(body: String) throws {
        bench.at(61)
        serve("\"1\"", body)
        _ = try bench.get(["Range": "bytes=0-1"])
        #expect(try bench.get(["Range": "bytes=0-1"]).body == String(body.prefix(2)))
        #expect(bench.requestCount == 2 && bench.store.tiers.memory.count == 2)
        #expect(bench.store.lookup(HTTPRequest(url: Bench.url))?.facts.receivedAt == Bench.start)
    }

    private func serve(
        _ tag: String, _ body: String = whole, _ fields: HTTPFields = ["Cache-Control": "max-age=60"],
        breaksOff: Bool = false
    ) {
        bench.serveRanges(tag, body, fields, breaksOff: breaksOff)
    }
}

/// Stored parts where no response is stored.
@Suite struct PartsAloneTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    @Test("parts have a heuristic lifetime, as the whole would") func heuristic() throws {
        let modified = HTTPDate.format(Bench.start - 1000)
        bench.serveRanges("\"1\"", "0123456789", ["Last-Modified": .init(modified)])
        for seconds in [0, 99, 100] as [Int64] {
            bench.at(seconds)
            #expect(try bench.get(["Range": "bytes=0-4"]).body == "01234")
        }
        #expect(bench.requestCount == 2)
    }

    @Test(
        "the policies that take any stored response take stored parts, whatever their age",
        arguments: [RequestPolicy.returnCacheDataElseLoad, .returnCacheDataDontLoad])
    func policies(policy: RequestPolicy) throws {
        bench.serveRanges("\"1\"", "0123456789", ["Cache-Control": "max-age=60"])
        _ = try bench.get(["Range": "bytes=0-4"])
        #expect(try bench.get(["Range": "bytes=1-2"], policy: policy).source == .memoryHit)
        bench.at(1_000_000)
        let seen = try bench.get(["Range": "bytes=1-2"], policy: policy)
        #expect(seen.status == 206 && seen.body == "12" && seen.fields["Age"] == "1000000")
        #expect(seen.source == (policy == .returnCacheDataDontLoad ? .offline : .stale))
        #expect(bench.requestCount == 1)
        let outside = bench.start(["Range": "bytes=1-5"], policy: policy)
        #expect((outside.error == nil) == (policy == .returnCacheDataElseLoad))
    }

    @Test(
        "a HEAD that tells of another representation removes the parts (RFC 9111, 4.3.5)",
        arguments: [
            (["ETag": "\"2\""], false), (["ETag": "\"1\"", "Content-Length": "11"], false),
            (["ETag": "\"1\"", "Content-Length": "10"], true), ([:], true),
        ] as [(HTTPFields, Bool)])
    func head(fields: HTTPFields, stay: Bool) throws {
        bench.serveRanges("\"1\"", "0123456789", ["Cache-Control": "max-age=60"])
        _ = try bench.get(["Range": "bytes=0-4"])
        bench.reply(fields, body: "")
        _ = try bench.get(method: "HEAD")
        #expect(bench.store.tiers.memory.count == (stay ? 1 : 0))
    }

    @Test("a HEAD sent before the parts came leaves them") func earlierHead() throws {
        bench.origin.hold()
        let head = bench.start(method: "HEAD")
        bench.at(5)
        bench.serveRanges("\"1\"", "0123456789", ["Cache-Control": "max-age=60"])
        _ = bench.start(["Range": "bytes=0-4"])
        bench.origin.releaseLatest()
        bench.executor.drain()
        bench.reply(["ETag": "\"0\""], body: "")
        bench.origin.release()
        bench.executor.drain()
        #expect(head.value?.status == 200 && bench.store.tiers.memory.count == 1)
    }
}

extension Bench {
    /// The origin answers the whole, and single ranges of it.
    fileprivate func serveRanges(_ tag: String, _ body: String, _ fields: HTTPFields, breaksOff: Bool = false) {
        let bytes = Array(body.utf8)
        origin.reply { request in
            var fields = fields
            fields["ETag"] = tag
            var positions = 0..<bytes.count
            switch request.headerFields["Range"].flatMap({ ByteRange.parse($0) }) {
            case .from(let first)?: positions = Int(first)..<bytes.count
            case .closed(let first, let last)?: positions = Int(first)..<min(Int(last) + 1, bytes.count)
            default:
                fields["Content-Length"] = "\(bytes.count)"
                let sent = breaksOff ? Array(bytes.prefix(4)) : bytes
                return .init(HTTPResponse(headerFields: fields), chunks: [sent], breaksOff: breaksOff)
            }
            fields["Content-Range"] = "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(bytes.count)"
            return .init(HTTPResponse(status: 206, headerFields: fields), chunks: [Array(bytes[positions])])
        }
    }
}
