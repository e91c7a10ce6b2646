import Synchronization

/// Wakes the one task that waits, or the next one that will. One task at a time may wait.
///
/// Without a lock: `state` holds the whole state, and each change of it is one atomic operation.
package final class AutoResetEvent: Sendable {
    private static let unset: UInt = 0
    private static let set: UInt = 1

    /// `unset`, `set`, or the continuation of the task that waits, which is an address.
    private let state = Atomic<UInt>(unset)

    /// Not set.
    package init() {}

    /// Wakes.
    package func set() {
        while true {
            let old = state.load(ordering: .relaxed)
            let new = old == Self.unset || old == Self.set ? Self.set : Self.unset
            guard state.weakCompareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
            else { continue }
            if new == Self.unset { unsafeBitCast(old, to: UnsafeContinuation<Void, Never>.self).resume() }
            return
        }
    }

    /// Returns once the event has been set since the last return, or the task is cancelled.
    package nonisolated(nonsending) func wait() async {
        if replace(Self.set, by: Self.unset) { return }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                guard !replace(Self.unset, by: unsafeBitCast(continuation, to: UInt.self)) else { return }
                // It was set meanwhile.
                state.store(Self.unset, ordering: .releasing)
                continuation.resume()
            }
        } onCancel: {
            set()
        }
    }

    private func replace(_ old: UInt, by new: UInt) -> Bool {
        state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
}
