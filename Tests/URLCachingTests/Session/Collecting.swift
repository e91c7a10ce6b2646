import Platform
import URLCaching

/// A delegate that collects what it is told.
///
/// `@unchecked Sendable`: the log is touched under the lock alone.
final class Collecting: CachingSessionDelegate, @unchecked Sendable {
    private let lock = Lock()
    private var entries: [String] = []
    private var data = Data()
    private let next: (any CachingSessionDelegate)?
    private let (ends, end) = AsyncStream<Void>.makeStream()

    init(next: (any CachingSessionDelegate)? = nil) { self.next = next }

    var log: [String] { lock.withLock { entries } }

    /// Waits for the end of the task.
    func body() async -> String {
        for await _ in ends {}
        return String(decoding: lock.withLock { data }, as: UTF8.self)
    }

    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? {
        guard let next else { return proposed }
        return await next.session(session, willCacheResponse: proposed, for: request)
    }

    func session(_ session: CachingSession, task: CachingTask, didReceive response: HTTPURLResponse) async {
        lock.withLock { entries.append("\(response.statusCode)") }
    }

    func session(_ session: CachingSession, task: CachingTask, didReceive data: Data) async {
        lock.withLock {
            if self.data.isEmpty { entries.append("data") }
            self.data += data
        }
    }

    func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async {
        lock.withLock { entries.append(error.map { "\($0.code.rawValue)" } ?? "end") }
        end.finish()
    }
}
