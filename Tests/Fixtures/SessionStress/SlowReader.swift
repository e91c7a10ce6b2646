import LoopbackOrigin
import Platform
import URLCaching

/// A body far above any tier, whose reader takes one part and then waits until the origin has sent all of it.
enum SlowReader {
    static func run(megabytes: Int) async throws {
        let (sent, allIsSent) = AsyncStream<Void>.makeStream()
        let origin = try LoopbackOrigin { request in
            var reply = OriginReply([("Cache-Control", "max-age=60")], body: [UInt8](repeating: 0x61, count: 1 << 20))
            guard request.path == "/large" else { return reply }
            reply.copies = megabytes
            reply.onSent = { allIsSent.finish() }
            return reply
        }
        let session = CachingSession(cache: ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))
        _ = try await session.data(from: origin.url("/small"))
        let before = peakBytes()
        var parts = try await session.bytes(for: URLRequest(url: origin.url("/large"))).0.makeAsyncIterator()
        var count = try await parts.next()?.count ?? 0
        for await _ in sent {}
        while let part = try await parts.next() { count += part.count }
        say("\(count) bytes read, \(peakBytes() - before) bytes of memory")
        origin.stop()
    }

    private static func peakBytes() -> Int { Int(resourceUsage().ru_maxrss) * Int(maximumResidentUnit) }
}
