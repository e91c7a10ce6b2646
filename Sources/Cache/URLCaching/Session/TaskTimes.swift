import CurlTransport
import HTTPCache
import Platform

/// When the steps of a request happened, by the system's clock, and where its answer came from.
///
/// In place of `URLSessionTaskMetrics`, which on Linux only Foundation itself can fill. A task has it
/// (`CachingSessionTask.times`), whole when its end is told, and an answer that is awaited (`SessionAnswer.times`).
public struct TaskTimes: Sendable {
    /// The request was begun.
    public internal(set) var start: Date?
    /// The header of the answer came.
    public internal(set) var responseStart: Date?
    /// The request was over.
    public internal(set) var end: Date?
    /// Redirections that were followed.
    public internal(set) var redirectCount = 0
    /// The cache's part: whether it answered, asked the origin about what is stored, or was passed by. `nil` until the
    /// answer comes.
    public internal(set) var source: Answer.Source?
    /// The exchanges with origins, in the order in which they ended: none for a hit, one for a fetch or for the
    /// question whether a stored response is good, one more for each redirection or challenge of the origin's.
    ///
    /// Another request's fetch that this one shared is that request's. Empty where URLSession carries the requests.
    public internal(set) var transactions: [TransactionTimes] = []

    /// From the beginning to the end; `nil` until the request is over.
    public var taskInterval: DateInterval? {
        guard let start, let end else { return nil }
        return DateInterval(start: start, end: max(start, end))
    }
}

/// The times of a request that is awaited.
final class AwaitedTimes: Sendable {
    private let times: Locked<TaskTimes>

    init() {
        var times = TaskTimes()
        times.start = Date()
        self.times = Locked(times)
    }

    func didEnd(_ transaction: TransactionTimes) { times.withLock { $0.transactions.append(transaction) } }

    func didRedirect() { times.withLock { $0.redirectCount += 1 } }

    func didReceive(_ source: Answer.Source) {
        times.withLock { times in
            times.responseStart = Date()
            times.source = source
        }
    }

    /// The request is over.
    func ended() -> TaskTimes {
        times.withLock { times in
            times.end = Date()
            return times
        }
    }
}
