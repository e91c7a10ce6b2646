import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// Stored parts with a strong validator (C11; RFC 9111, sections 3.3 and 3.4), well-formed: every 206 has the bytes
/// that it announces.
@Suite struct PartsFlowTests {
    private static let whole = "0123456789"
    private let bench: Bench

    init() throws {
        bench = try Bench()
        serve("\"a\"")
    }

    @Test("a range inside a stored part is answered from it while it is fresh", arguments: [true, false])
    func rangeInside(isFresh: Bool) throws {
        #expect(try bench.get(["Range": "bytes=2-7"]).body == "234567")
        bench.at(isFresh ? 59 : 60)
        let seen = try bench.get(["Range": "bytes=3-5"])
        #expect(seen.status == 206 && seen.body == "345" && seen.fields["Content-Range"] == "bytes 3-5/10")
        #expect(seen.fields["ETag"] == "\"a\"" && seen.fields["Age"] == (isFresh ? "59" : nil))
        #expect(bench.requestCount == (isFresh ? 1 : 2))
    }

    @Test("a part that came without Date gets the time when it came, and each newer one its own") func date() throws {
        _ = try bench.get(["Range": "bytes=2-7"])
        #expect(try bench.get(["Range": "bytes=3-5"]).fields["Date"] == HTTPDate.format(Bench.start))
        bench.at(20)
        _ = try bench.get(["Range": "bytes=7-8"])
        let seen = try bench.get(["Range": "bytes=3-8"])
        #expect(seen.fields["Date"] == HTTPDate.format(Bench.start + 20) && seen.fields["Age"] == "0")
        #expect(bench.requestCount == 2)
    }

    @Test(
        "a range that is not inside a stored part goes to the origin",
        arguments: ["bytes=0-3", "bytes=6-8", "bytes=8-", "bytes=-3", "bytes=2-3,5-6", "items=2-3"])
    func rangeOutside(range: String) throws {
        _ = try bench.get(["Range": "bytes=2-7"])
        _ = try bench.get(["Range": range])
        #expect(bench.requestCount == 2)
    }

    @Test("If-Range with another validator gets the whole, and no-cache and a reload go to the origin")
    func conditions() throws {
        _ = try bench.get(["Range": "bytes=2-7"])
        #expect(try bench.get(["Range": "bytes=3-5", "If-Range": "\"a\""]).body == "345")
        #expect(bench.requestCount == 1)
        #expect(try bench.get(["Range": "bytes=3-5", "Cache-Control": "no-cache"]).status == 206)
        #expect(try bench.get(["Range": "bytes=3-5"], policy: .reloadIgnoringLocalCacheData).status == 206)
        #expect(bench.requestCount == 3)
        #expect(try bench.get(["Range": "bytes=3-5", "If-Range": "\"b\""]).status == 200)
        #expect(bench.requestCount == 4)
    }

    @Test(
        "the whole is completed by asking for what is missing, and then stored",
        arguments: [
            ("bytes=0-5", "bytes=6-9"), ("bytes=4-", "bytes=0-3"), ("bytes=0-8", "bytes=9-9"),
            ("bytes=-1", "bytes=0-8"),
        ])
    func completed(known: String, missing: String) throws {
        _ = try bench.get(["Range": known])
        let seen = try bench.get()
        #expect(seen.status == 200 && seen.body == Self.whole && seen.fields["Content-Length"] == "10")
        #expect(seen.fields["Content-Range"] == nil)
        let request = bench.origin.requests.last
        #expect(request?.headerFields["Range"] == missing && request?.headerFields["If-Range"] == "\"a\"")
        #expect(request?.headerFields["Accept-Encoding"] == "identity")
        #expect(try bench.get().body == Self.whole && bench.requestCount == 2 && bench.isStored())
    }

    @Test(
        "a reload uses no stored part",
        arguments: [RequestPolicy.reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData])
    func reloaded(policy: RequestPolicy) throws {
        _ = try bench.get(["Range": "bytes=0-5"])
        #expect(try bench.get(policy: policy).body == Self.whole)
        let request = bench.origin.requests.last
        #expect(request?.headerFields["Range"] == nil && request?.headerFields["If-Range"] == nil)
    }

    @Test("a coding that the application asks for stays in the request for what is missing") func codings() throws {
        _ = try bench.get(["Range": "bytes=0-5"])
        #expect(try bench.get(["Accept-Encoding": "br"]).body == Self.whole)
        #expect(bench.origin.requests.last?.headerFields["Accept-Encoding"] == "br")
    }

    @Test("two parts with a gap are completed by the gap") func gap() throws {
        _ = try bench.get(["Range": "bytes=0-2"])
        _ = try bench.get(["Range": "bytes=7-9"])
        #expect(try bench.get().body == Self.whole)
        #expect(bench.origin.requests.last?.headerFields["Range"] == "bytes=3-6")
    }

    @Test("of a representation that has changed the whole comes anew") func changed() throws {
        _ = try bench.get(["Range": "bytes=0-5"])
        serve("\"b\"", "abcdefghij")
        let seen = try bench.get()
        #expect(seen.status == 200 && seen.body == "abcdefghij" && bench.requestCount == 2)
    }

    @Test("a 206 of another representation, or with other bytes, is not combined, and the whole is asked for")
    func unfitting() throws {
        for fields in [
            ["Content-Range": "bytes 6-9/10", "ETag": "\"b\""], ["Content-Range": "bytes 6-9/11", "ETag": "\"a\""],
            ["Content-Range": "bytes 7-9/10", "ETag": "\"a\""], ["ETag": "\"a\""],
        ] as [HTTPFields] {
            let bench = try Bench()
            serve("\"a\"", bench)
            _ = try bench.get(["Range": "bytes=0-5"])
            bench.origin.reply { request in
                var fields = fields
                fields["Cache-Control"] = "max-age=60"
                return request.headerFields["Range"] == nil
                    ? .init(HTTPResponse(headerFields: fields), chunks: [Array("whole".utf8)])
                    : .init(HTTPResponse(status: 206, headerFields: fields), chunks: [Array("6789".utf8)])
            }
            let seen = try bench.get()
            #expect(seen.status == 200 && (seen.body == "whole"), "\(fields)")
        }
    }

    @Test("parts without a strong validator answer nothing", arguments: ["W/\"a\"", ""])
    func weak(tag: String) throws {
        serve(tag)
        _ = try bench.get(["Range": "bytes=2-7"])
        _ = try bench.get(["Range": "bytes=3-5"])
        #expect(try bench.get().body == Self.whole)
        #expect(bench.requestCount == 3 && bench.origin.requests.last?.headerFields["Range"] == nil)
    }

    @Test("parts of an older representation do not answer once a newer one came, also when that is stored no more")
    func superseded() throws {
        _ = try bench.get(["Range": "bytes=2-7"])
        serve("\"b\"", "abcdefghij")
        _ = try bench.get(policy: .reloadIgnoringLocalCacheData)
        let tiers = bench.store.tiers
        _ = try Array(Bench.url.utf8).withUnsafeBytes { try tiers.remove($0, hash: tiers.hasher.hash($0), .now) }
        #expect(!bench.isStored())
        #expect(try bench.get(["Range": "bytes=3-5"]).body == "def")
        #expect(bench.requestCount == 3)
    }

    @Test("a removal takes the parts along") func removed() throws {
        _ = try bench.get(["Range": "bytes=2-7"])
        try bench.store.remove(HTTPRequest(url: Bench.url))
        _ = try bench.get(["Range": "bytes=3-5"])
        #expect(bench.requestCount == 2)
    }

    @Test("a rest that breaks off fails, and what came of it is asked for no more") func brokenOff() throws {
        _ = try bench.get(["Range": "bytes=0-3"])
        bench.origin.reply { _ in
            let fields: HTTPFields = [
                "ETag": "\"a\"", "Cache-Control": "max-age=60", "Content-Range": "bytes 4-9/10", "Content-Length": "6",
            ]
            return .init(HTTPResponse(status: 206, headerFields: fields), chunks: [Array("45".utf8)], breaksOff: true)
        }
        #expect(throws: EngineError.self) { try bench.get() }
        serve("\"a\"")
        #expect(try bench.get().body == Self.whole)
        #expect(bench.origin.requests.last?.headerFields["Range"] == "bytes=6-9" && bench.requestCount == 3)
    }

    @Test("an answer for a variant completes nothing for another") func variants() throws {
        bench.origin.reply { request in
            let language = request.headerFields["Accept-Language"] ?? ""
            let bytes = Array((language == "de" ? "abcdefghij" : Self.whole).utf8)
            var fields: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"a\"", "Vary": "Accept-Language"]
            guard let bounds = request.headerFields["Range"].flatMap({ Self.bounds($0, 10) }) else {
                return .init(HTTPResponse(headerFields: fields), chunks: [bytes])
            }
            fields["Content-Range"] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/10"
            return .init(HTTPResponse(status: 206, headerFields: fields), chunks: [Array(bytes[bounds])])
        }
        _ = try bench.get(["Range": "bytes=0-5", "Accept-Language": "de"])
        #expect(try bench.get(["Range": "bytes=1-2", "Accept-Language": "en"]).body == "12")
        _ = try bench.get(["Range": "bytes=0-5", "Accept-Language": "de"])
        #expect(try bench.get(["Accept-Language": "en"]).body == Self.whole)
        #expect(bench.origin.requests.last?.headerFields["Range"] == nil)
    }

    @Test("the application's own time to live counts for parts, too") func timeToLive() throws {
        let bench = try Bench { $0.timeToLive = 10 }
        serve("\"a\"", bench)
        _ = try bench.get(["Range": "bytes=2-7"])
        bench.at(9)
        _ = try bench.get(["Range": "bytes=3-5"])
        #expect(bench.requestCount == 1)
        bench.at(10)
        _ = try bench.get(["Range": "bytes=3-5"])
        #expect(bench.requestCount == 2)
    }

    private func serve(_ tag: String, _ body: String = whole, _ bench: Bench? = nil) {
        let bytes = Array(body.utf8)
        (bench ?? self.bench).origin.reply { request in
            var fields: HTTPFields = ["Cache-Control": "max-age=60"]
            if !tag.isEmpty { fields["ETag"] = tag }
            let ifRange = request.headerFields["If-Range"]
            guard let range = request.headerFields["Range"], ifRange == nil || ifRange == tag,
                let bounds = Self.bounds(range, bytes.count)
            else {
                fields["Content-Length"] = "\(bytes.count)"
                return .init(HTTPResponse(headerFields: fields), chunks: [bytes])
            }
            fields["Content-Range"] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(bytes.count)"
            fields["Content-Length"] = "\(bounds.count)"
            return .init(HTTPResponse(status: 206, headerFields: fields), chunks: [Array(bytes[bounds])])
        }
    }

    private func serve(_ tag: String, _ bench: Bench) { serve(tag, Self.whole, bench) }

    /// Of one range in bytes.
    private static func bounds(_ range: String, _ length: Int) -> Range<Int>? {
        guard range.hasPrefix("bytes="), !range.contains(",") else { return nil }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        switch (ends.first ?? nil, ends.last ?? nil) {
        case (let first?, let last?): return first..<min(last + 1, length)
        case (let first?, nil): return first..<length
        case (nil, let last?): return length - last..<length
        default: return nil
        }
    }
}
