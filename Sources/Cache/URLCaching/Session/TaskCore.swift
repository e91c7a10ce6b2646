import CurlTransport
import HTTPCache
import Platform

/// A task's state, for each of URLSession's classes.
///
/// A task is created suspended; the first `resume` begins it. While it is suspended again, neither the response nor a
/// byte of its body nor the end is passed on, and the origin must wait once the body has filled its window. No time-out
/// ends it. Questions are asked: about redirections, challenges and storing.
final class TaskCore: Sendable {
    let identifier: Int
    let originalRequest: URLRequest
    /// The session had been invalidated before the task was made.
    let isRefused: Bool
    /// In bytes, sent and received.
    let progress = Progress(totalUnitCount: -1)

    private let values: Locked<Values>
    private let goesOn = AutoResetEvent()

    struct Values {
        /// Calls of `suspend` not yet undone by `resume`; a new task has one.
        var suspensions = 1
        /// It has been suspended since it was last looked at.
        fileprivate var wasSuspended = false
        /// By `CacheClock.uptime`; `nil` if it was never suspended again.
        fileprivate var resumedAt: Double?
        var isBegun = false
        var isCancelled = false
        var isCompleted = false
        var request: URLRequest
        var response: HTTPURLResponse?
        var received: Int64 = 0
        /// Bytes of the body that the delegate has got; `nil` before it has the response.
        var passedOn: Int64?
        /// Of fetches that wait for it. There may be two: of what was stale, and of what the task went on to.
        var waiting: [AutoResetEvent] = []
        var sent: Int64 = 0
        var expectedToReceive: Int64 = 0
        var expectedToSend: Int64 = 0
        var clientExpectsToReceive = NSURLSessionTransferSizeUnknown
        var clientExpectsToSend = NSURLSessionTransferSizeUnknown
        /// The body continues what an earlier download received.
        var continues = false
        var source: Answer.Source?
        var error: (any Error)?
        var work: Task<Void, Never>?
        /// What it has become.
        var successor: TaskCore?
        /// Until the task begins.
        var run: Run?
        /// Until the task is over, as `delegate`.
        var session: CachingSession?
        var delegate: (any URLSessionTaskDelegate)?
        var description: String?
        var priority = URLSessionTask.defaultPriority
        var times = TaskTimes()
        /// Called once, with what continues a cancelled download.
        var onResumeData: (@Sendable (Data?) -> Void)?

        fileprivate mutating func takeWasSuspended() -> Bool {
            defer { wasSuspended = false }
            return wasSuspended
        }
    }

    /// Loads, tells about it, and calls `end`.
    typealias Run = @Sendable (URLSessionTask) async -> Void

    /// - Parameter run: kept until the task begins, and by itself while it runs: whoever keeps a finished task keeps
    ///   neither its handler nor what that holds.
    init(_ session: CachingSession, _ request: URLRequest, _ run: @escaping Run) {
        identifier = session.nextTaskIdentifier()
        originalRequest = request
        isRefused = session.foundation.isInvalidated
        values = Locked(Values(request: request, run: run, session: session))
    }

    deinit { end() }

    func withValues<Result: Sendable>(_ body: (inout Values) -> Result) -> Result { values.withLock { body(&$0) } }

    /// The application's own, and so let go of without the lock: its `deinit` may use the task.
    var delegate: (any URLSessionTaskDelegate)? {
        get { values.withLock { $0.delegate } }
        set {
            let old = values.withLock { values in
                defer { values.delegate = newValue }
                return values.delegate
            }
            withExtendedLifetime(old) {}
        }
    }

    var state: URLSessionTask.State {
        values.withLock { values in
            if values.isCompleted { return .completed }
            if values.isCancelled { return .canceling }
            return values.suspensions > 0 ? .suspended : .running
        }
    }

    // MARK: The application's side

    /// Begins the task, which keeps itself until it is over, or continues it.
    func resume(_ task: URLSessionTask) {
        values.withLock { values in
            guard !values.isCancelled, !values.isCompleted else { return }
            guard values.suspensions > 0 else { return }
            values.suspensions -= 1
            guard values.suspensions == 0 else { return }
            guard !values.isBegun else { return values.resumedAt = values.session?.clock.uptime }
            values.isBegun = true
            values.work = begun(values.session, values.run.take(), task)
        }
        goesOn.set()
    }

    func suspend() {
        values.withLock { values in
            guard !values.isCancelled, !values.isCompleted, values.suspensions < Int.max else { return }
            values.suspensions += 1
            values.wasSuspended = true
        }
    }

    /// - Parameter onResumeData: called with what continues a download, or with `nil`.
    func cancel(_ task: URLSessionTask, onResumeData: (@Sendable (Data?) -> Void)? = nil) {
        let (work, isTaken): (Task<Void, Never>?, Bool) = values.withLock { values in
            guard !values.isCompleted else { return (nil, false) }
            let isFirst = !values.isCancelled
            if isFirst {
                values.isCancelled = true
                values.onResumeData = onResumeData
                // A task that was never begun completes as well.
                if !values.isBegun {
                    values.isBegun = true
                    values.work = begun(values.session, values.run.take(), task, isCancelled: true)
                }
            }
            return (values.work, isFirst)
        }
        if !isTaken { onResumeData?(nil) }
        work?.cancel()
    }

    /// - Parameter isCancelled: it only ends; a cancellation from outside may come after its request was sent.
    private func begun(
        _ session: CachingSession?, _ run: Run?, _ task: URLSessionTask, isCancelled: Bool = false
    ) -> Task<Void, Never> {
        Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            await session?.counted { await run?(task) }
        }
    }

    // MARK: The session's side

    /// Continues with another task's answer, e.g. when a data task becomes a download. From now on the work waits while
    /// this task is suspended, no longer the other one.
    func takeOver(_ other: TaskCore) {
        let taken = other.withValues { values in
            values.successor = self
            return values
        }
        values.withLock { values in
            (values.suspensions, values.isBegun, values.work) = (0, true, taken.work)
            (values.request, values.response, values.source) = (taken.request, taken.response, taken.source)
            (values.expectedToReceive, values.delegate, values.times) =
                (taken.expectedToReceive, taken.delegate, taken.times)
        }
    }

    /// It has become another task, and its delegate no longer knows this one.
    var isTakenOver: Bool { values.withLock { $0.successor != nil } }

    /// Returns once the task is not suspended, and whether it was since the last call.
    ///
    /// - Throws: if it was cancelled.
    @discardableResult
    func waitWhileSuspended() async throws -> Bool {
        if let successor = values.withLock({ $0.successor }) { return try await successor.waitWhileSuspended() }
        while true {
            try Task.checkCancellation()
            let (isSuspended, wasSuspended) = values.withLock { values in
                if values.suspensions == 0 { return (false, values.takeWasSuspended()) }
                return (true, true)
            }
            if !isSuspended { return wasSuspended }
            await goesOn.wait()
        }
    }

    /// See `OutgoingRequest.secondsRunning`.
    func secondsRunning(at now: Double) -> Double {
        let (successor, seconds): (TaskCore?, Double) = values.withLock { values in
            (values.successor, values.suspensions > 0 ? 0 : values.resumedAt.map { now - $0 } ?? .infinity)
        }
        return successor?.secondsRunning(at: now) ?? seconds
    }

    func willSend(_ request: URLRequest) {
        values.withLock { values in
            values.request = request
            values.times.redirectCount += 1
        }
    }

    /// An exchange with an origin is over.
    func didEnd(_ transaction: TransactionTimes) {
        values.withLock { values in
            // What a stale answer is refreshed by afterwards is not the task's.
            if !values.isCompleted { values.times.transactions.append(transaction) }
        }
    }

    func willSendBody(_ count: Int64?) {
        // A body that is sent again begins at its first byte.
        values.withLock { ($0.expectedToSend, $0.sent) = (count ?? NSURLSessionTransferSizeUnknown, 0) }
        showProgress()
    }

    /// - Returns: bytes sent so far, and expected in all.
    func didSend(byteCount: Int64) -> (Int64, Int64) {
        let counts = values.withLock { values in
            values.sent += byteCount
            return (values.sent, values.expectedToSend)
        }
        showProgress()
        return counts
    }

    func didReceive(_ loaded: CachingSession.Loaded) {
        values.withLock { values in
            let whole = loaded.whole.flatMap { whole in loaded.response.url.flatMap { HTTPURLResponse(whole, url: $0) }
            }
            let response = whole ?? loaded.response
            values.response = response
            values.continues = whole != nil
            values.source = loaded.source
            values.times.source = loaded.source
            values.expectedToReceive = response.expectedContentLength
            values.times.responseStart = Date()
        }
        showProgress()
    }

    func didReceive(byteCount: Int) {
        values.withLock { $0.received += Int64(byteCount) }
        showProgress()
    }

    /// The delegate has so many more bytes, or with 0 the response.
    func didPassOn(byteCount: Int) {
        let waiting = values.withLock { values in
            values.passedOn = (values.passedOn ?? 0) + Int64(byteCount)
            return values.waiting
        }
        for event in waiting { event.set() }
    }

    /// Returns once the response and this many bytes have been passed on, or the task is over.
    func waitUntilPassedOn(_ count: Int) async {
        let event = AutoResetEvent()
        values.withLock { $0.waiting.append(event) }
        let isMissing = { (values: inout Values) in
            !values.isCompleted && !values.isCancelled && values.passedOn.map { $0 < Int64(count) } ?? true
        }
        while withValues(isMissing), !Task.isCancelled { await event.wait() }
        values.withLock { $0.waiting.removeAll { $0 === event } }
    }

    func complete(_ error: (any Error)?) {
        let (isFirst, waiting) = values.withLock { values in
            let isFirst = !values.isCompleted
            values.isCompleted = true
            values.error = error
            values.times.end = Date()
            return (isFirst, values.waiting)
        }
        for event in waiting { event.set() }
        goesOn.set()
        guard isFirst else { return }
        showProgress()
    }

    /// The last message has been sent: the task leaves its session's list, and lets go of the session and its own
    /// delegate, as URLSession's do.
    func end() {
        let (session, delegate) = values.withLock { ($0.session.take(), $0.delegate.take()) }
        session?.foundation.forget(identifier)
        withExtendedLifetime(delegate) {}
    }

    /// Like URLSession on Linux: the total is unknown until both directions are known, and at the end it is what came.
    private func showProgress() {
        let (done, total): (Int64, Int64) = values.withLock { values in
            let done = values.sent + values.received
            if values.isCompleted { return (done, done) }
            let toSend = max(values.expectedToSend, values.clientExpectsToSend)
            let toReceive = max(values.expectedToReceive, values.clientExpectsToReceive)
            // An origin may announce any length.
            let (sum, isTooLong) = toSend.addingReportingOverflow(toReceive)
            guard toSend >= 0, toReceive >= 0, isTooLong || sum > 0 else { return (done, -1) }
            return (done, isTooLong ? .max : max(done, sum))
        }
        progress.totalUnitCount = total == 0 ? 1 : total
        progress.completedUnitCount = total == 0 ? 1 : done
    }
}
