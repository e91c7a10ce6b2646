import Platform

/// Writes what waits in memory when the process exits: programs seldom release the caches that they keep in globals.
///
/// `@unchecked Sendable`: `writers` is used under `lock` alone.
final class StagesAtExit: @unchecked Sendable {
    static let shared = StagesAtExit()

    private let lock = Lock()
    private var writers: [ObjectIdentifier: @Sendable () -> Void] = [:]
    private let forkGeneration = currentForkGeneration()

    private init() {
        _ = atexit { StagesAtExit.shared.write() }
    }

    /// Has the stage of a log written at exit, unless it is removed before; until then the log is kept.
    ///
    /// Not weakly: an object that was ever referred to weakly takes 20 ns more to retain and release, for ever.
    func add<Storage: DiskStorage>(_ log: DiskLog<Storage>) {
        lock.withLock { writers[ObjectIdentifier(log)] = { log.writeStage() } }
    }

    func remove<Storage: DiskStorage>(_ log: DiskLog<Storage>) {
        guard currentForkGeneration() == forkGeneration else { return }
        lock.withLock { writers[ObjectIdentifier(log)] = nil }
    }

    private func write() {
        // A forked child has nothing to write, and may have inherited a locked lock.
        guard currentForkGeneration() == forkGeneration else { return }
        for write in lock.withLock({ Array(writers.values) }) { write() }
    }
}
