/// What operations on a few keys may answer together, when several threads make them.
package struct CacheHistory {
    /// An operation and its answer.
    package enum Event: Hashable, Sendable {
        case store(key: Int, version: Int)
        case lookup(key: Int, found: Int?)
        case remove(key: Int)
        /// Removes the versions above a number.
        case removeAbove(version: Int)

        func changes(_ key: Int) -> Bool {
            switch self {
            case .store(key, _), .remove(key), .removeAbove: true
            default: false
            }
        }
    }

    /// An event, and when it was called and returned, by one count of all calls and returns.
    package struct Call: Sendable {
        package var event: Event
        package var called: Int
        package var returned: Int

        package init(_ event: Event, called: Int, returned: Int) {
            self.event = event
            self.called = called
            self.returned = returned
        }
    }

    private let calls: [Call]
    private let start: [Int?]

    /// - Parameters:
    ///   - start: the version of each key before the first call.
    ///   - calls: at most 64. A lookup that misses beside a change of its key is left out: a cache may miss early.
    package init(start: [Int?], calls: [Call]) {
        self.start = start
        self.calls = calls.filter { call in
            guard case .lookup(let key, nil) = call.event else { return true }
            return !calls.contains {
                $0.event.changes(key) && $0.called < call.returned && call.called < $0.returned
            }
        }
    }

    /// Whether there is one order of all calls that explains every answer, and in which no call comes before another
    /// that returned before it was called (Wing and Gong, "Testing and verifying concurrent objects", 1993).
    package var isLinearizable: Bool {
        var seen: Set<Situation> = []
        return canFinish(Situation(done: 0, versions: start), &seen)
    }

    private struct Situation: Hashable {
        /// A bit for each call that has taken effect.
        var done: UInt64
        var versions: [Int?]
    }

    private func canFinish(_ now: Situation, _ seen: inout Set<Situation>) -> Bool {
        let open = calls.indices.filter { now.done >> UInt64($0) & 1 == 0 }
        guard !open.isEmpty else { return true }
        guard seen.insert(now).inserted else { return false }
        let firstReturn = open.map { calls[$0].returned }.min() ?? 0
        return open.contains { number in
            guard calls[number].called < firstReturn, var next = apply(calls[number].event, to: now) else {
                return false
            }
            next.done |= 1 << UInt64(number)
            return canFinish(next, &seen)
        }
    }

    private func apply(_ event: Event, to now: Situation) -> Situation? {
        var next = now
        switch event {
        case .store(let key, let version): next.versions[key] = version
        case .lookup(let key, let found): if now.versions[key] != found { return nil }
        case .remove(let key): next.versions[key] = nil
        case .removeAbove(let version): next.versions = now.versions.map { ($0 ?? -1) > version ? nil : $0 }
        }
        return next
    }
}
