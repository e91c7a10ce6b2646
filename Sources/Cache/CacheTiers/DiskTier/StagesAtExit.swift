import Platform

/// Writes waiting records when the process exits, since programs rarely release caches that they keep in globals.
final class StagesAtExit: Sendable {
    static let shared = StagesAtExit()

    private let logs = Locked<[ObjectIdentifier: SharedLog]>([:])
    private let forkGeneration = currentForkGeneration()

    private init() {
        _ = atexit { StagesAtExit.shared.write() }
    }

    /// Writes the waiting records of `log` at exit, unless it is removed before; keeps it alive until then.
    func add(_ log: SharedLog) {
        logs.withLock { $0[ObjectIdentifier(log)] = log }
    }

    func remove(_ log: SharedLog) {
        guard currentForkGeneration() == forkGeneration else { return }
        logs.withLock { $0[ObjectIdentifier(log)] = nil }
    }

    private func write() {
        // A forked child has nothing to write, and may have inherited a locked lock.
        guard currentForkGeneration() == forkGeneration else { return }
        for log in logs.withLock({ Array($0.values) }) { log.writeWaiting() }
    }
}
