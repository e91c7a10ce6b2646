import Synchronization

/// Wakes the one task that waits, or the next one that will. Only one task at a time may wait.
///
/// It needs no lock: `state` is the whole state, and each change is one atomic operation.
package final class AutoResetEvent: Sendable {
    private static let unset: UInt = 0
    private static let set: UInt = 1

    /// `unset`, `set`, or the waiting task's continuation, which is an address.
    private let state = Atomic<UInt>(unset)

    package init() {}

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
                // It was set in the meantime.
                let old = state.exchange(Self.unset, ordering: .acquiringAndReleasing)
                assert(old == Self.set, "two tasks wait for one event")
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
