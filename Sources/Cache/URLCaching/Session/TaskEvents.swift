import HTTPCache
import Platform
import Synchronization

/// Tells URLSession's delegates about one task: on the session's queue, one call after the other, the task's own
/// delegate before the session's.
///
/// The order is URLSession's: redirections and challenges, the response, the body, whether to cache it, the end.
final class TaskEvents: CachingSessionDelegate {
    private let session: CachingSession
    private let task: URLSessionTask
    private let core: TaskCore
    /// The task's, which lets go of it at its end; a stale answer may be refreshed after that.
    private let own: (any URLSessionTaskDelegate)?
    /// The session's, which lets go of it once it is invalidated; such a refresh may come after that, too.
    private let ofSession: (any URLSessionDelegate)?
    /// The body is passed on part by part, before the question whether to cache it.
    private let passesBodyOn: Bool
    /// Kept, because it is costly to make; `nil` while there is no delegate.
    private let standIn: URLSession?
    private let isRefreshing = Atomic<Bool>(false)
    /// There is a delegate to ask. URLSession's own rule: it is not asked before a download is cached.
    let asksWhetherToCache: Bool

    init(
        _ session: CachingSession, _ task: URLSessionTask, _ core: TaskCore, passesBodyOn: Bool = false,
        asksWhetherToCache: Bool = true
    ) {
        self.session = session
        self.task = task
        self.core = core
        self.passesBodyOn = passesBodyOn
        own = core.withValues { $0.delegate }
        ofSession = session.foundation.delegate
        standIn = session.foundation.hasDelegate || own != nil ? session.urlSession : nil
        let isAsked = own is any URLSessionDataDelegate || ofSession is any URLSessionDataDelegate
        self.asksWhetherToCache = asksWhetherToCache && isAsked && task is URLSessionDataTask
    }

    deinit { if isRefreshing.load(ordering: .acquiring) { side.forget(~core.identifier) } }

    /// The task has got a stale answer, whose refresh keeps this object, perhaps beyond the task's end. An invalidated
    /// session waits for it, so that the delegate is asked about the new answer, and hears of the invalidation last.
    func didBeginRefresh() {
        guard !isRefreshing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        side.noteStanding(~core.identifier)
    }

    private var side: URLSessionSide { session.foundation }

    private var shownSession: URLSession { standIn ?? session.urlSession }

    private var taskDelegate: (any URLSessionTaskDelegate)? {
        own ?? ofSession as? any URLSessionTaskDelegate
    }

    private var dataDelegate: (any URLSessionDataDelegate)? {
        own as? any URLSessionDataDelegate ?? ofSession as? any URLSessionDataDelegate
    }

    private var downloadDelegate: (any URLSessionDownloadDelegate)? {
        own as? any URLSessionDownloadDelegate
            ?? ofSession as? any URLSessionDownloadDelegate
    }

    /// Asks on the queue, and waits for the answer, unless the task is cancelled.
    private func ask<Answer: Sendable>(
        cancelled: Answer, _ question: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer {
        let answer = OneShot<Answer>()
        side.queue.addOperation { question { answer.provide($0) } }
        return await answer.wait(cancelled: cancelled)
    }

    // MARK: Questions

    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? {
        do {
            return try await consent(to: proposed)
        } catch {
            return nil
        }
    }

    /// Asks whether to cache an answer; `nil` refuses.
    ///
    /// - Throws: if nobody has answered, because the task was cancelled or has failed.
    func consent(to proposed: CachedURLResponse) async throws(CancellationError) -> CachedURLResponse? {
        guard asksWhetherToCache, let delegate = dataDelegate, let task = task as? URLSessionDataTask else {
            return proposed
        }
        let standIn = shownSession
        let answer: Result<CachedURLResponse?, CancellationError> = await ask(
            cancelled: .failure(CancellationError())
        ) { [core] answer in
            // A task that has failed is not asked any more, and nothing is stored without consent. What refreshes a
            // stale answer is not the task's own.
            let hasFailed = core.withValues {
                $0.isCompleted && $0.source != .stale && ($0.isCancelled || $0.error != nil)
            }
            if hasFailed { return answer(.failure(CancellationError())) }
            if core.isTakenOver { return answer(.success(proposed)) }
            delegate.ask(standIn, task, toCache: proposed) { answer(.success($0)) }
        }
        return try answer.get()
    }

    /// Returns once the delegate has the response and so many bytes, for the question whether to cache them comes last.
    func waitUntilPassedOn(_ count: Int, of proposed: CachedURLResponse) async {
        guard passesBodyOn, asksWhetherToCache else { return }
        let status = (proposed.response as? HTTPURLResponse)?.statusCode ?? 0
        // The body of a redirection or challenge is not passed on.
        if !(300..<400 ~= status), status != 401 { await core.waitUntilPassedOn(count) }
    }

    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? {
        guard let delegate = taskDelegate else { return newRequest }
        let (standIn, task) = (shownSession, task)
        return await ask(cancelled: newRequest) { answer in
            delegate.ask(standIn, task, redirection: response, to: newRequest, answer)
        }
    }

    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let standIn = shownSession
        let answer: Answered
        if challenge.isOfConnection, let delegate = ofSession {
            answer = await ask(cancelled: Answered()) { answer in
                delegate.ask(standIn, challenge: challenge) { answer(Answered($0, $1)) }
            }
        } else if let delegate = taskDelegate {
            let task = task
            answer = await ask(cancelled: Answered()) { answer in
                delegate.ask(standIn, task, challenge: challenge) { answer(Answered($0, $1)) }
            }
        } else {
            answer = Answered()
        }
        return (answer.disposition, answer.credential)
    }

    private struct Answered: Sendable {
        var disposition = URLSession.AuthChallengeDisposition.performDefaultHandling
        var credential: URLCredential?

        init() {}

        init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
            self.disposition = disposition
            self.credential = credential
        }
    }

    /// The stream to send; `nil` if the delegate has none.
    func needsBodyStream() async -> InputStreamBody? {
        guard let delegate = taskDelegate else { return nil }
        let (standIn, task) = (shownSession, task)
        return await ask(cancelled: nil) { answer in
            delegate.askForBody(standIn, task) { answer($0.map { InputStreamBody($0) }) }
        }
    }

    func didReceive(_ response: HTTPURLResponse) async -> URLSession.ResponseDisposition {
        guard let delegate = dataDelegate, let task = task as? URLSessionDataTask else { return .allow }
        let standIn = shownSession
        return await ask(cancelled: .cancel) { delegate.ask(standIn, task, response: response, $0) }
    }

    // MARK: News

    func didReceive(_ data: Data) async {
        guard let delegate = dataDelegate, let task = task as? URLSessionDataTask else { return }
        let standIn = shownSession
        await side.onQueue { delegate.tell(standIn, task, data) }
    }

    func didSend(_ byteCount: Int64, of counts: (sent: Int64, expected: Int64)) async {
        guard let delegate = taskDelegate else { return }
        let (standIn, task) = (shownSession, task)
        await side.onQueue { delegate.tellSent(standIn, task, byteCount, counts.sent, counts.expected) }
    }

    func didWrite(_ byteCount: Int64, of counts: (written: Int64, expected: Int64)) async {
        guard let delegate = downloadDelegate, let task = task as? URLSessionDownloadTask else { return }
        let standIn = shownSession
        await side.onQueue { delegate.tellWritten(standIn, task, byteCount, counts.written, counts.expected) }
    }

    func didResume(at offset: Int64, of expected: Int64) async {
        guard let delegate = downloadDelegate, let task = task as? URLSessionDownloadTask else { return }
        let standIn = shownSession
        await side.onQueue { delegate.tellResumed(standIn, task, offset, expected) }
    }

    func didFinishDownloading(to file: URL) async {
        guard let delegate = downloadDelegate, let task = task as? URLSessionDownloadTask else { return }
        let standIn = shownSession
        await side.onQueue { delegate.urlSession(standIn, downloadTask: task, didFinishDownloadingTo: file) }
    }

    func didBecome(_ download: URLSessionDownloadTask) async {
        guard let delegate = dataDelegate, let task = task as? URLSessionDataTask else { return }
        let standIn = shownSession
        await side.onQueue { delegate.tell(standIn, task, becomes: download) }
    }

    func didComplete(_ error: (any Error)?) async {
        guard let delegate = taskDelegate else { return }
        let (standIn, task) = (shownSession, task)
        await side.onQueue { delegate.tellEnd(standIn, task, error) }
    }
}

extension URLAuthenticationChallenge {
    /// Whether it is about the connection, and so goes to the session's delegate. Foundation on Linux sends no such
    /// challenge.
    fileprivate var isOfConnection: Bool {
        #if canImport(Darwin)
        [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate].contains(
            protectionSpace.authenticationMethod)
        #else
        false
        #endif
    }
}
