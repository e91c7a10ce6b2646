import LoopbackOrigin
import Platform
import Synchronization
import URLCaching

/// A body far above any tier, whose reader is slower than the origin.
enum SlowReader {
    private static let copy = 1 << 20

    /// Prints the bytes that were read, the growth of memory, and the most bytes that the origin was ahead.
    static func run(megabytes: Int, carrier: CachingSession.Configuration.Carrier) async throws {
        let (allIsSent, finishSending) = AsyncStream<Void>.makeStream()
        let sentCopies = Atomic(0)
        let origin = try LoopbackOrigin { request in
            var reply = OriginReply([("Cache-Control", "max-age=60")], body: [UInt8](repeating: 0x61, count: copy))
            guard request.path == "/large" else { return reply }
            reply.copies = megabytes
            reply.onCopySent = { sentCopies.store($0, ordering: .relaxed) }
            reply.onSent = { finishSending.finish() }
            return reply
        }
        var configuration = CachingSession.Configuration()
        configuration.carrier = carrier
        let session = CachingSession(
            configuration: configuration,
            cache: ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))
        _ = try await session.data(from: origin.url("/small"))
        let before = peakBytes()
        var parts = try await session.bytes(for: URLRequest(url: origin.url("/large"))).0.makeAsyncIterator()
        var count = try await parts.next()?.count ?? 0
        var lead = 0
        if case .urlSession = carrier {
            // Nothing holds the origin back: all of it comes, and waits.
            for await _ in allIsSent {}
        } else {
            // Other requests meanwhile give the origin the time to run ahead, if it can.
            for _ in 0..<50 {
                _ = try await session.data(from: origin.url("/small"))
                lead = max(lead, sentCopies.load(ordering: .relaxed) * copy - count)
            }
        }
        while let part = try await parts.next() {
            count += part.count
            lead = max(lead, sentCopies.load(ordering: .relaxed) * copy - count)
        }
        say("\(count) bytes read, \(peakBytes() - before) bytes of memory, the origin \(lead) ahead")
        origin.stop()
    }

    private static func peakBytes() -> Int { Int(resourceUsage().ru_maxrss) * Int(maximumResidentUnit) }
}
