import Foundation

/// What a ``FlawedCache`` does later than its callers expect.
extension FlawedCache {
    /// Leaves work to a timer of the thread that opens the cache. It is done if that thread runs its run loop.
    func tidyOnRunLoop() {
        guard [.trimsOnRunLoop, .writesOnRunLoop, .expiresOnRunLoop].contains(flaw) else { return }
        let timer = Timer(timeInterval: 0.01, repeats: true) { [weak self] timer in
            guard let self else { return timer.invalidate() }
            lock.withLock { tidy() }
        }
        RunLoop.current.add(timer, forMode: .default)
    }

    /// Writes an entry to its file, now or later. The lock is held.
    func write(_ entry: FlawedEntry, _ slot: String) throws {
        switch flaw {
        case .removalBeforeWrite, .writesNewestFirst, .writesOnRunLoop: waiting.append((entry, slot))
        default: try files.write(entry, slot)
        }
    }

    /// Writes what waits. The lock is held.
    func writeWaiting() {
        for (entry, slot) in flaw == .writesNewestFirst ? waiting.reversed() : waiting {
            try? files.write(entry, slot)
        }
        waiting = []
    }
}
