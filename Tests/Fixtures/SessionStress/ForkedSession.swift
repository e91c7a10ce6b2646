import ForkedChildren
import LoopbackOrigin
import Platform
import URLCaching

/// A session in a forked child, in which the threads that work for the session do not exist.
enum ForkedSession {
    static func run() async throws {
        let origin = try LoopbackOrigin { _ in OriginReply([("Cache-Control", "max-age=60")], text: "hello") }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = CachingSession(cache: cache)
        let stored = URLRequest(url: origin.url("/stored"))
        for _ in 0..<2 { _ = try await session.data(for: stored) }
        _ = cache.cachedResponse(for: stored)
        // A lock that a thread of the parent holds stays locked in the child.
        while session.underWay != (requests: 0, exchanges: 0) { await Task.yield() }
        let status = ForkedChild.run {
            let hit = outcome { try await session.data(for: stored).0 }
            let miss = outcome { try await session.data(for: URLRequest(url: origin.url("/other"))).0 }
            let reload = outcome {
                try await session.data(
                    for: URLRequest(url: origin.url("/stored"), cachePolicy: .reloadIgnoringLocalCacheData)
                ).0
            }
            say("child: \(hit), \(miss), \(reload), \(cache.cachedResponse(for: stored)?.data.count ?? 0) bytes")
            return 0
        }
        say("child ended with \(status)")
        let (data, _) = try await session.data(for: URLRequest(url: origin.url("/other")))
        say("parent: \(String(decoding: data, as: UTF8.self)), \(origin.count()) requests")
    }

    private static func outcome(_ work: @escaping @Sendable () async throws -> Data) -> String {
        let result = Text()
        let executor = CallingThread()
        Task(executorPreference: executor) {
            do {
                result.text = String(decoding: try await work(), as: UTF8.self)
            } catch {
                let isRefusal = (error as? URLError)?.code == .cannotLoadFromNetwork
                result.text = isRefusal && "\(error)".contains("make a session") ? "refused" : "\(error)"
            }
        }
        executor.run()
        return result.text
    }

    /// `@unchecked Sendable`: used by the one thread of the child alone.
    private final class Text: @unchecked Sendable { var text = "no answer" }

    /// Runs tasks on the thread that calls `run`.
    ///
    /// `@unchecked Sendable`: used by the one thread of the child alone.
    private final class CallingThread: TaskExecutor, @unchecked Sendable {
        private var ready: [UnownedJob] = []

        func enqueue(_ job: consuming ExecutorJob) { ready.append(UnownedJob(job)) }

        func run() { while let job = ready.popLast() { job.runSynchronously(on: asUnownedTaskExecutor()) } }
    }
}
