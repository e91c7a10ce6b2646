import Platform

/// Writes waiting records and indexes when the process exits, since programs rarely release caches that they keep in globals.
final class StagesAtExit: Sendable {
    static let shared = StagesAtExit()

    private let logs = ForkSafe<[ObjectIdentifier: SharedLog]>([:])

    private init() {
        _ = atexit { StagesAtExit.shared.write() }
    }

    /// Writes what `log` has in memory at exit, unless it is removed before; keeps it alive until then.
    func add(_ log: SharedLog) {
        logs.withLock { $0[ObjectIdentifier(log)] = log }
    }

    func remove(_ log: SharedLog) {
        logs.withLock { $0[ObjectIdentifier(log)] = nil }
    }

    private func write() {
        // In a forked child, a log of the parent writes nothing.
        for log in logs.withLock({ Array($0.values) }) { log.writeAll() }
    }
}
