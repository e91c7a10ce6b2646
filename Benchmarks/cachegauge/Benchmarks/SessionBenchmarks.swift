import GaugeKit
import GaugeTraces
import HTTPCache
import Synchronization
import URLCaching

/// The session that applications use instead of URLSession: an async call takes a URLRequest and returns data and
/// response.
enum SessionBenchmarks {
    static let all: [Benchmark] = [hit, hitAged, hitRecorded] + tasks

    /// Fresh memory hits among 1,000 responses of 3 KiB, for requests made before the measurement, while the clock
    /// stands still: the session hands out a response again that it has made for the same age.
    static let hit = hits("hit")
    /// The same a second later each time, so that every hit makes a response with another `Age`, as in an application
    /// that asks for an entry less than once a second.
    static let hitAged = hits("hit-aged", isAged: true)
    /// The first row with a recorder of requests: the difference is what recording costs.
    static let hitRecorded = hits("hit-recorded", recorder: RequestRecorder())

    /// Fresh memory hits by one, two and 64 tasks at once.
    private static let tasks = SubjectBenchmarks.taskCounts.map { count in
        var work = SubjectCase(
            "session", "hits/\(count)-task\(count == 1 ? "" : "s")", tier: .memory, bodyCount: 3 << 10, entries: 1_000,
            suites: [], subject: "tiered")
        work.memoryCapacity = 16 << 20
        return SubjectBenchmarks.asyncTasks(SessionSubject.self, work, tasks: count, isZipf: false)
    }

    private static func hits(_ name: String, isAged: Bool = false, recorder: RequestRecorder? = nil) -> Benchmark {
        Benchmark(BenchmarkName("session", name, "tiered")) { context in
            let mix = try SessionMix(seed: context.seed, isAged: isAged, recorder: recorder)
            return PreparedBenchmark(
                .batched { operations in
                    let bytes = mix.bodyBytes(operations)
                    if bytes != operations &* SessionMix.bodyCount {
                        context.answers.wrong(
                            key: "\(operations) requests whose answers are stored",
                            expected: "\(operations &* SessionMix.bodyCount) bytes", got: "\(bytes) bytes")
                    }
                    blackHole(bytes)
                    // Stay below the limit, after which requests cost less.
                    if let recorder, recorder.requestCount > 1 << 20 { recorder.removeAll() }
                }, outcome: .memoryHit)
        }
    }
}

/// 1,000 stored responses, and 16,384 requests for them in random order.
private final class SessionMix {
    static let bodyCount = 3 << 10
    private static let entries: UInt64 = 1_000

    private let session: CachingSession
    private let requests: [URLRequest]
    private let executor = CallingThread()
    private let clock = SetClock()
    private let isAged: Bool
    private var position = 0

    init(seed: UInt64, isAged: Bool, recorder: RequestRecorder?) throws {
        self.isAged = isAged
        let cache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
        session = CachingSession(
            configuration: .init(recorder: recorder), cache: cache, transport: NoTransport(), clock: clock)
        let names = RequestURLs(seed: seed)
        let stored = try (0..<Self.entries).map { try RequestAndResponse(url: names.url(for: $0)) }
        let body = Data(repeating: 0x61, count: Self.bodyCount)
        for entry in stored {
            cache.storeCachedResponse(CachedURLResponse(response: entry.response, data: body), for: entry.request)
        }
        var random = Xoshiro256(seed: seed, "session")
        requests = (0..<16_384).map { _ in stored[Int(random.next(below: Self.entries))].request }
        // An entry's first hit decodes its header; later ones find it decoded.
        blackHole(bodyBytes(requests.count))
    }

    /// Performs `operations` requests one after the other; returns the total length of the bodies.
    func bodyBytes(_ operations: Int) -> Int {
        let (session, requests, start, clock) = (session, requests, position, isAged ? clock : nil)
        position = (position + operations) & (requests.count - 1)
        let total = try? executor.run {
            var bytes = 0
            for index in 0..<operations {
                clock?.advance()
                let request = requests[(start &+ index) & (requests.count - 1)]
                bytes &+= ((try? await session.data(for: request))?.0.count ?? 0)
            }
            return bytes
        }
        return total ?? 0
    }
}

/// Stands still until a call advances it by a second. After an hour it is back at its first second, so that no response
/// becomes stale, and 3,600 hits later an entry seldom has an age that it was last asked at.
private final class SetClock: CacheClock {
    private let start = SystemClock().now.seconds
    private let second = Atomic<Int64>(0)

    var now: CacheTime { CacheTime(seconds: start + second.load(ordering: .relaxed)) }

    func advance() { second.store((second.load(ordering: .relaxed) + 1) % 3_600, ordering: .relaxed) }
}

/// A hit needs no transport.
private struct NoTransport: Transport {
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        throw GaugeError("a hit went to the origin")
    }
}
