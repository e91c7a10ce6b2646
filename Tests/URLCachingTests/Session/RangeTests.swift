import LoopbackOrigin
import Testing
import TestSupport
import URLCaching
import VirtualOrigin

/// A stored body answers requests for a part of it (RFC 9110, section 14).
@Suite(.timeLimit(.minutes(60))) struct RangeTests {
    @Test(
        "a part of a stored body is those bytes, told by Content-Range",
        arguments: [("2-4", "cde"), ("0-0", "a"), ("7-", "hij"), ("-3", "hij"), ("0-99", "abcdefghij")])
    func part(range: String, expected: String) async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply([("Cache-Control", "max-age=60"), ("ETag", "\"v\"")], text: "abcdefghij")
        }
        #expect(try await bench.get().body == "abcdefghij")
        let part = try await bench.get("/a", ["Range": "bytes=\(range)"])
        #expect(part.status == 206 && part.body == expected)
        let first = "abcdefghij".firstRange(of: expected)?.lowerBound.utf16Offset(in: "abcdefghij") ?? -1
        #expect(part["Content-Range"] == "bytes \(first)-\(first + expected.count - 1)/10")
        #expect(part["Content-Length"] == "\(expected.count)")
        #expect(bench.origin.count() == 1)
    }

    @Test("a part of a stored body can be read part by part", arguments: [("2-4", "cde"), ("-1", "j")])
    func streamedPart(range: String, expected: String) async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply([("Cache-Control", "max-age=60")], text: "abcdefghij") }
        _ = try await bench.get()
        let (parts, response) = try await bench.session.bytes(for: bench.request("/a", ["Range": "bytes=\(range)"]))
        var read: [String] = []
        for try await part in parts { read.append(String(decoding: part, as: UTF8.self)) }
        #expect(read == [expected] && (response as? HTTPURLResponse)?.statusCode == 206)
        #expect(bench.origin.count() == 1)
    }

    @Test(
        "a part is kept on disk for another process, and in memory alone where the cache is a subclass",
        arguments: [true, false])
    func partOnDisk(isSubclass: Bool) async throws {
        let directory = try ScratchDirectory()
        func cache() -> ResponseCache {
            isSubclass
                ? Encrypting(memoryCapacity: 1 << 20, diskCapacity: 100 << 20, diskPath: directory.path)
                : ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 100 << 20, diskPath: directory.path)
        }
        let resource = OriginResource(
            body: [UInt8](repeating: 7, count: 1_000_000),
            [("Accept-Ranges", "bytes"), ("Cache-Control", "max-age=1000000")], entityTag: "\"1\"")
        let origin: LoopbackOrigin
        let clock = VirtualClock(seconds: SessionBench.start)
        do {
            let bench = try SessionBench(cache: cache(), clock: clock)
            origin = bench.origin
            bench.serve(resource)
            // Memory keeps less than the disk.
            for first in [isSubclass ? 970_000 : 700_000, 980_000] {
                let part = try await bench.get("/a", ["Range": "bytes=\(first)-"])
                #expect(part.status == 206 && origin.count() == 1)
            }
        }
        // The end of the last fetch may hold the first cache for a moment longer.
        var reopened = cache()
        while reopened.diskProblem != nil {
            await Task.yield()
            reopened = cache()
        }
        let later = try SessionBench(cache: reopened, clock: clock, origin: origin)
        #expect(try await later.get("/a", ["Range": "bytes=980000-"]).status == 206)
        #expect(origin.count() == (isSubclass ? 2 : 1))
    }

    /// Stands for one that encrypts: what it does not see must not be on the disk.
    ///
    /// `@unchecked Sendable`: it adds no property to `ResponseCache`, which says why it may be shared.
    private final class Encrypting: ResponseCache, @unchecked Sendable {}

    @Test("a body that was decoded answers no range, also after a 304 that says Accept-Ranges: bytes")
    func confirmedDecodedBody() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"v\""), ("Accept-Ranges", "bytes")]
            if request.isConditional { return OriginReply(status: 304, fields) }
            return OriginReply(fields + [("Content-Encoding", "gzip")], body: gzip(Array("abcdefghij".utf8)))
        }
        #expect(try await bench.get().body == "abcdefghij")
        bench.at(100)
        let confirmed = try await bench.get()
        #expect(confirmed.body == "abcdefghij" && confirmed["Accept-Ranges"] == "none")
        _ = try await bench.get("/a", ["Range": "bytes=0-3"])
        #expect(bench.origin.count() == 3 && bench.origin.requests.last?["Range"] == "bytes=0-3")
    }
}
