import GaugeMeasurement
import GaugeSupport
import GaugeTraces
import Platform

/// Several threads store, look up and remove the same few keys of a subject. A history records which version each key
/// had at which time: every answer has to be a version that was current at some moment of its call.
///
/// The machine decides the order of the operations; the operations of each thread follow from its number.
///
/// `@unchecked Sendable`: the history, the tick and the fault are accessed only under the lock; the subject declares by
/// its capabilities that several threads may use it.
package final class ConcurrentTrial: @unchecked Sendable {
    private let subject: any DrivenSubject
    private let requests: [SubjectRequest]
    private let threads: Int
    private let operations: Int
    private let lock = Lock()
    private var history = VersionHistory()
    private var tick: UInt64 = 0
    private var versions: [UInt64]
    private var openCalls: [Int: UInt64] = [:]
    private var fault: (any Error)?

    package init(_ subject: any DrivenSubject, _ trial: Trial, threads: Int, keys: Int = 3, operations: Int = 1_500) {
        self.subject = subject
        self.threads = threads
        self.operations = operations
        requests = (0..<keys).map(Trial.many)
        versions = Array(repeating: 0, count: keys)
        trial.tell("\(threads) threads: store, look up and remove \(keys) keys, \(operations) operations each")
    }

    /// Runs the threads to their end.
    ///
    /// - Throws: the first fault that a thread found.
    package func run() throws {
        let team = ThreadTeam(threads: threads) { [self] thread, operations in
            for number in 0..<operations where !isOver { step(thread, number) }
        }
        _ = team.run(operations: operations)
        if let fault = lock.withLock({ fault }) { throw fault }
    }

    private var isOver: Bool { lock.withLock { fault != nil } }

    private func step(_ thread: Int, _ number: Int) {
        var random = SplitMix64(seed: UInt64(thread) << 32 | UInt64(number))
        let key = Int(random.next() % UInt64(requests.count))
        let request = requests[key]
        do {
            switch random.next() % 10 {
            case 0..<3:
                let (version, ticket) = begin(thread, key, removing: false)
                let count = 200 + Int(random.next() % 3_000)
                let buffer = PayloadBuffer(capacity: count)
                try withExtendedLifetime(buffer) {
                    try subject.store(
                        request, buffer.body(key: Trial.id(request), version: version, count: count))
                }
                end(thread, key, ticket)
            case 3:
                let ticket = begin(thread, key, removing: true).ticket
                try subject.remove(request)
                end(thread, key, ticket)
            default:
                let first = open(thread)
                let body = try subject.lookUp(request)
                try judge(thread, key, body, from: first)
            }
        } catch {
            lock.withLock { if fault == nil { fault = error } }
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

    private func begin(_ thread: Int, _ key: Int, removing: Bool) -> (version: UInt64, ticket: UInt64) {
        lock.withLock {
            openCalls[thread] = next()
            if !removing { versions[key] += 1 }
            let version = removing ? VersionHistory.nothing : versions[key]
            history.forget(before: openCalls.values.min() ?? 0)
            history.begin(UInt64(key), version: version, at: tick)
            return (version, tick)
        }
    }

    private func end(_ thread: Int, _ key: Int, _ ticket: UInt64) {
        lock.withLock {
            history.end(UInt64(key), began: ticket, at: next())
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
