import HTTPSemantics
import Platform
import Synchronization

/// The fetches under way.
final class SharedFetches: Sendable {
    private struct State {
        /// The fetches that other requests may join.
        var shared: [[UInt8]: SharedFetch] = [:]
        /// The fetches whose answers may be stored, by the URL's own key.
        var byKey: [[UInt8]: [SharedFetch]] = [:]
        var startedCount: UInt64 = 0

        mutating func markOutdated(_ fetch: SharedFetch) {
            fetch.markOutdated()
            if let key = fetch.sharedKey, shared[key] === fetch { shared[key] = nil }
        }
    }

    private let state = Locked(State())
    private let finished = Atomic<UInt64>(0)

    /// The number of shared fetches that have finished, to be read before the store is looked into; see `join`. Without
    /// it, a request that looked into the store just before a fetch ended would fetch the same response again.
    var finishedCount: UInt64 { finished.load(ordering: .acquiring) }

    /// How a request came to a fetch.
    enum Joining {
        /// It waits for one that another request began.
        case joined(FetchWaiter)
        /// It waits for a new one, whose work has to be started.
        case began(FetchWaiter)
        /// A fetch has finished meanwhile, so that the store may have the answer.
        case lookAgain
    }

    /// Joins the fetch of that key, or begins one.
    ///
    /// - Parameters:
    ///   - key: the URL's own key.
    ///   - sharedKey: the key by which others may join; `nil` for a fetch that is not shared.
    ///   - finishedCount: read before the store was looked into; `nil` to begin in any case.
    func join(
        _ lookedUp: LookedUpRequest, validates: Bool, key: [UInt8]?, sharedKey: [UInt8]?, finishedCount: UInt64?
    ) -> Joining {
        state.withLock { state in
            if let sharedKey, let fetch = state.shared[sharedKey], let waiter = fetch.addWaiter(isOwner: false) {
                return .joined(waiter)
            }
            if sharedKey != nil, let finishedCount, finishedCount != self.finishedCount { return .lookAgain }
            state.startedCount += 1
            let fetch = SharedFetch(
                lookedUp, validates: validates, key: key, sharedKey: sharedKey, number: state.startedCount)
            guard let waiter = fetch.addWaiter(isOwner: true) else { return .lookAgain }
            if let sharedKey { state.shared[sharedKey] = fetch }
            if let key { state.byKey[key, default: []].append(fetch) }
            return .began(waiter)
        }
    }

    /// Takes out a fetch that is over and whose answer is stored.
    func remove(_ fetch: SharedFetch) {
        state.withLock { state in
            if let key = fetch.sharedKey {
                // If every waiter had left, another fetch may have taken its place.
                if state.shared[key] === fetch { state.shared[key] = nil }
                finished.wrappingAdd(1, ordering: .acquiringAndReleasing)
            }
            guard let key = fetch.key, let place = state.byKey.index(forKey: key) else { return }
            state.byKey.values[place].removeAll { $0 === fetch }
            if state.byKey.values[place].isEmpty { state.byKey.remove(at: place) }
        }
    }

    /// The answers of the fetches under way for a URL may no longer be stored, nor the fetches be joined.
    func markOutdated(_ key: [UInt8]) {
        state.withLock { state in
            for fetch in state.byKey[key] ?? [] { state.markOutdated(fetch) }
        }
    }

    /// The answers of all fetches under way may no longer be stored, nor the fetches be joined.
    func markAllOutdated() {
        state.withLock { state in
            for fetch in state.byKey.values.joined() { state.markOutdated(fetch) }
        }
    }

    /// The answer of `fetch` has arrived: answers of earlier fetches that would take its place come too late.
    ///
    /// - Parameter match: the requests that it answers; `nil` for all.
    func markOutdated(before fetch: SharedFetch, in match: VaryMatch? = nil) {
        state.withLock { state in
            guard let key = fetch.key else { return }
            for other in state.byKey[key] ?? []
            where other.number < fetch.number && match?.contains(other.request.request) ?? true {
                state.markOutdated(other)
            }
        }
    }
}
