import Platform
import Synchronization

/// What a session has in common with URLSession: its delegate, the queue, and the tasks.
final class URLSessionSide: Sendable {
    /// The session was made by one of URLSession's initialisers: handlers are called on the queue.
    let usesQueue: Bool
    /// It is `CachingSession.shared`. To compare with that would make it, and open its cache.
    let isShared: Bool
    /// It has a delegate of URLSession's kind.
    let hasDelegate: Bool
    private let hasOwnDelegate: Bool
    let problems: [SettingProblem]

    private let isInvalid = Atomic<Bool>(false)
    private let state: Locked<State>

    private struct State {
        var delegate: (any URLSessionDelegate)?
        var ownDelegate: (any CachingSessionDelegate)?
        var queue: OperationQueue?
        var description: String?
        var tasks: [Int: WeakTask] = [:]
        /// Tasks that stand for requests without one, and refreshes; they are in no list.
        var standing: Set<Int> = []
        var standIn: WeakSession = WeakSession()
        /// Called when the last task is over, after an invalidation.
        var onEmpty: (@Sendable () -> Void)?

        var isEmpty: Bool { tasks.isEmpty && standing.isEmpty }
    }

    /// A running task keeps itself.
    private struct WeakTask { weak var task: URLSessionTask? }

    private struct WeakSession { weak var session: URLSession? }

    init(
        delegate: (any URLSessionDelegate)? = nil, own: (any CachingSessionDelegate)? = nil,
        queue: OperationQueue? = nil, usesQueue: Bool = false, isShared: Bool = false, problems: [SettingProblem] = []
    ) {
        self.usesQueue = usesQueue
        self.isShared = isShared
        hasDelegate = delegate != nil
        hasOwnDelegate = own != nil
        self.problems = problems
        state = Locked(State(delegate: delegate, ownDelegate: own, queue: queue))
    }

    var delegate: (any URLSessionDelegate)? { hasDelegate ? state.withLock { $0.delegate } : nil }

    /// The delegate of this package's kind.
    var ownDelegate: (any CachingSessionDelegate)? { hasOwnDelegate ? state.withLock { $0.ownDelegate } : nil }

    /// Serial, unless the application gave another one.
    var queue: OperationQueue {
        state.withLock { state in
            if let queue = state.queue { return queue }
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            state.queue = queue
            return queue
        }
    }

    var description: String? {
        get { state.withLock { $0.description } }
        set { state.withLock { $0.description = newValue } }
    }

    /// Calls a handler, on the queue if the session was made like a URLSession.
    func call(_ handler: @escaping @Sendable () -> Void) async {
        guard usesQueue else { return handler() }
        await onQueue(handler)
    }

    /// Returns when `work` has run on the queue.
    func onQueue(_ work: @escaping @Sendable () -> Void) async {
        let queue = queue
        await withCheckedContinuation { continuation in
            queue.addOperation {
                work()
                continuation.resume()
            }
        }
    }

    /// The URLSession that stands in for the session, made now if there is none.
    func standIn(_ make: () -> URLSession) -> URLSession {
        if let session = state.withLock({ $0.standIn.session }) { return session }
        let new = make()
        return state.withLock { state in
            if let session = state.standIn.session { return session }
            state.standIn.session = new
            return new
        }
    }

    // MARK: Tasks

    func note(_ task: URLSessionTask, _ core: TaskCore) {
        core.progress.cancellationHandler = { [weak task] in task?.cancel() }
        state.withLock { $0.tasks[core.identifier] = WeakTask(task: task) }
    }

    /// A request without a task is under way until `forget`, which its core's release calls, and a refresh until its
    /// `TaskEvents` is released.
    func noteStanding(_ identifier: Int) { state.withLock { _ = $0.standing.insert(identifier) } }

    func forget(_ identifier: Int) {
        let onEmpty: (@Sendable () -> Void)? = state.withLock { state in
            state.tasks[identifier] = nil
            state.standing.remove(identifier)
            return state.isEmpty ? state.onEmpty.take() : nil
        }
        onEmpty?()
    }

    /// The tasks that are not over, in the order they were made.
    var tasks: [URLSessionTask] {
        let tasks = state.withLock { state in state.tasks.sorted { $0.key < $1.key }.map(\.value) }
        return tasks.compactMap(\.task).filter { $0.state != .completed }
    }

    // MARK: The end

    var isInvalidated: Bool { isInvalid.load(ordering: .acquiring) }

    /// Takes no more tasks.
    ///
    /// - Parameter onEmpty: called once, when the last task is over. A second invalidation does not call it.
    func invalidate(_ onEmpty: @escaping @Sendable () -> Void) {
        guard !isInvalid.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let isEmpty = state.withLock { state in
            if state.isEmpty { return true }
            state.onEmpty = onEmpty
            return false
        }
        if isEmpty { onEmpty() }
    }

    /// Lets go of the delegate, as URLSession does after its last message.
    func releaseDelegate() { _ = state.withLock { ($0.delegate.take(), $0.ownDelegate.take()) } }
}
