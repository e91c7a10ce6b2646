import Foundation
import GaugeTraces
import Platform
import Synchronization

/// Several threads store, look up and remove the same few keys of a subject. A history records which version each key
/// had when: every answer must be a version that was current at some moment of its call.
///
/// The machine decides the order of the operations; the plan decides each thread's operations.
///
/// `@unchecked Sendable`: the history, the tick and the fault are accessed only under the lock; the subject declares by
/// its capabilities that several threads may use it; of the trial the threads read only what never changes.
package final class ConcurrentTrial: @unchecked Sendable {
    private let subject: any CacheSubject
    private let trial: Trial
    private let requests: [SubjectRequest]
    private let threads: Int
    private let operations: Int
    private let plan: @Sendable (_ thread: Int, _ number: Int) -> ModelStep?
    private let isInStep: Bool
    private let pauses: UInt64?
    private let arrivals = Atomic(0)
    private let isStopped = Atomic(false)
    private let lock = Lock()
    private var history = VersionHistory()
    private var tick: UInt64 = 0
    private var versions: [UInt64]
    /// A moment in the future, seconds since 1970.
    private let later: Double
    private var openCalls: [Int: UInt64] = [:]
    private var fault: (any Error)?
    /// The key whose operation showed the fault.
    private(set) var blamed: Int?
    private var waited: UInt64 = 0

    static let pausing = "pause a thread at random moments of its calls, while the others go on"

    package convenience init(
        _ trial: Trial, threads: Int, keys: Int = 3, operations: Int = 1_500, pauses: UInt64? = nil
    ) throws {
        trial.note(
            "\(threads) threads: store, look up and remove \(keys) keys, \(operations) operations each, some on the whole cache"
        )
        if pauses != nil { trial.note(Self.pausing) }
        let whole = Self.whole(trial)
        try self.init(trial, (0..<keys).map(Trial.many), threads: threads, operations: operations, pauses: pauses) {
            thread, number in
            var random = SplitMix64(seed: UInt64(thread) << 32 | UInt64(number))
            let key = Int(random.next() % UInt64(keys))
            switch random.next() % 10 {
            case 0..<3: return .store(key: key, bytes: 200 + Int(random.next() % 3_000))
            case 3: return .remove(key: key)
            case 4 where !whole.isEmpty: return whole[Int(random.next() % UInt64(whole.count))]
            default: return .lookUp(key: key)
            }
        }
    }

    /// Operations on the whole cache that the subject supports.
    private static func whole(_ trial: Trial) -> [ModelStep] {
        let (memory, disk) = (trial.memory, trial.disk)
        let choices: [(SubjectCapabilities, [ModelStep])] = [
            (.removalOfAll, [.removeAll]), (.removalSince, [.removeLater]), (.capacity, [.readUsage]),
            (.resize, [.resize(memory: memory, disk: disk), .resize(memory: memory / 2, disk: disk / 2)]),
        ]
        return choices.filter { trial.capabilities.contains($0.0) }.flatMap(\.1)
    }

    /// - Parameters:
    ///   - operations: how many each thread carries out.
    ///   - isInStep: whether the threads begin operations of the same number together.
    ///   - pauses: the seed of the moments at which threads are paused amid operations; `nil` for no pauses.
    ///   - plan: a thread's step with a number, if it has one; settling and opening again are none.
    package init(
        _ trial: Trial, _ requests: [SubjectRequest], threads: Int, operations: Int,
        isInStep: Bool = false, pauses: UInt64? = nil,
        plan: @escaping @Sendable (_ thread: Int, _ number: Int) -> ModelStep?
    ) throws {
        subject = try trial.driven()
        (self.trial, self.requests, self.threads, self.operations) = (trial, requests, threads, operations)
        (self.isInStep, self.pauses, self.plan) = (isInStep, pauses, plan)
        versions = Array(repeating: 0, count: requests.count)
        later = trial.now() + 3_600
    }

    /// Stores all keys once, before threads use them.
    package func fill(bytes: Int) throws {
        for key in requests.indices { carryOut(.store(key: key, bytes: bytes), 0) }
        if let fault = lock.withLock({ fault }) { throw fault }
    }

    /// Runs the threads to their end, or for some seconds, in which waiting for a processor doesn't count (see
    /// `SearchTime`).
    ///
    /// - Returns: how long the thread that waited longest for a processor did so, nanoseconds.
    /// - Throws: the first fault that a thread found.
    @discardableResult
    package func run(seconds: Double = 3_600) throws -> UInt64 {
        let done = DispatchSemaphore(value: 0)
        let before = ThreadPause.count
        for thread in 0..<threads {
            Thread { [self] in
                let pause = pauses.map { ThreadPause(seed: $0 &+ UInt64(thread)) }
                // All threads must be awake before any begins.
                awaitOthers(1)
                let (time, waited) = (SearchTime(seconds: seconds), SearchTime.waited())
                for number in 0..<operations {
                    guard !isStopped.load(ordering: .acquiring), number % 8 != 0 || !time.isOver else { break }
                    if isInStep { awaitOthers(number + 2) }
                    // In step, each of the others ends one operation.
                    let goal = isInStep ? before + (number + 1) * threads - 1 : ThreadPause.count + 1 + number % 8
                    if let step = plan(thread, number) { carryOut(step, thread, pause, until: goal) }
                    ThreadPause.countOne()
                }
                if isInStep { isStopped.store(true, ordering: .releasing) }
                lock.withLock { self.waited = max(self.waited, SearchTime.waited() - waited) }
                done.signal()
            }.start()
        }
        for _ in 0..<threads { done.wait() }
        if let fault = lock.withLock({ fault }) { throw fault }
        return lock.withLock { waited }
    }

    /// Waits until all threads have come here, or one has stopped.
    private func awaitOthers(_ round: Int) {
        arrivals.add(1, ordering: .acquiringAndReleasing)
        while arrivals.load(ordering: .acquiring) < round * threads, !isStopped.load(ordering: .acquiring) {
            sched_yield()
        }
    }

    private func carryOut(_ step: ModelStep, _ thread: Int, _ pause: ThreadPause? = nil, until goal: Int = 0) {
        func call<Result>(_ kind: Int, _ body: () throws -> Result) rethrows -> Result {
            guard let pause else { return try body() }
            return try pause.during(kind, until: goal, body)
        }
        do {
            switch step {
            case .store(let key, let count), .kill(let key, let count):
                let request = requests[key]
                let (version, ticket) = begin(thread, key..<key + 1, removing: false)
                let buffer = PayloadBuffer(capacity: count)
                try withExtendedLifetime(buffer) {
                    let body = buffer.body(key: Trial.id(request), version: version, count: count)
                    try call(0) { _ = try subject.store(request, body) }
                }
                end(thread, key..<key + 1, ticket)
            case .remove(let key):
                let ticket = begin(thread, key..<key + 1, removing: true).ticket
                try call(1) { try subject.removeEntry(requests[key]) }
                end(thread, key..<key + 1, ticket)
            case .removeAll:
                let ticket = begin(thread, requests.indices, removing: true).ticket
                try call(6) { try subject.removeAll() }
                end(thread, requests.indices, ticket)
            case .lookUp(let key):
                let first = open(thread)
                let body = try call(2) { try subject.body(of: requests[key]) }
                try judge(thread, key, body, from: first)
            case .removeLater: try call(3) { try subject.removeAll(since: later) }
            case .resize(let memory, let disk):
                try call(4) { try subject.resize(memory: trial.limit(memory), disk: disk) }
            case .readUsage: _ = call(5) { subject.usage }
            case .settle, .reopen: break
            }
        } catch {
            lock.withLock { if fault == nil { (fault, blamed) = (error, step.key) } }
            isStopped.store(true, ordering: .releasing)
        }
    }

    private func next() -> UInt64 {
        tick += 1
        return tick
    }

    private func open(_ thread: Int) -> UInt64 {
        lock.withLock {
            openCalls[thread] = next()
            return tick
        }
    }

    /// Notes the begin of a removal of keys, or of a store of one.
    private func begin(_ thread: Int, _ keys: Range<Int>, removing: Bool) -> (version: UInt64, ticket: UInt64) {
        lock.withLock {
            openCalls[thread] = next()
            var version = VersionHistory.nothing
            history.forget(before: openCalls.values.min() ?? 0)
            for key in keys {
                if !removing {
                    versions[key] += 1
                    version = versions[key]
                }
                history.begin(UInt64(key), version: version, at: tick)
            }
            return (version, tick)
        }
    }

    private func end(_ thread: Int, _ keys: Range<Int>, _ ticket: UInt64) {
        lock.withLock {
            let tick = next()
            for key in keys { history.end(UInt64(key), began: ticket, at: tick) }
            openCalls[thread] = nil
        }
    }

    private func judge(_ thread: Int, _ key: Int, _ body: [UInt8]?, from first: UInt64) throws {
        let last = lock.withLock { next() }
        defer { lock.withLock { openCalls[thread] = nil } }
        guard let body else { return }
        let identity = body.withUnsafeBytes { Payload.identity(of: $0) }
        guard let identity else { throw PromiseBroken("answered with damaged bytes, \(body.count) of them") }
        guard identity.key == Trial.id(requests[key]) else {
            throw PromiseBroken("answered \(requests[key].url) with another key's body")
        }
        let isCurrent = lock.withLock {
            history.mayAnswer(UInt64(key), version: identity.version, from: first, until: last)
        }
        guard !isCurrent else { return }
        let current = lock.withLock { history.versions(of: UInt64(key), at: first) }
        throw PromiseBroken(
            "answered \(requests[key].url) with version \(identity.version); "
                + "current then: \(current.isEmpty ? "none" : current.map(String.init).joined(separator: " or "))")
    }
}
