// Invariant of the pointers: a value is used while its lock is held. Around a fork the registry's lock is held from
// the first handler to the last.

import CSupport

/// A number that differs between a process and its forked children; costs a load.
@inlinable
package func currentForkGeneration() -> UInt32 { cs_fork_generation() }

/// An object whose locks have to be free, and its state whole, in a forked child, where only the forking thread lives on.
///
/// The calls come on the forking thread, first the one and then one of the others. No implementation may register or
/// unregister an observer, or wait for a thread that does. Sees `fork`, not `posix_spawn`, whose child runs no Swift.
package protocol ForkObserver: AnyObject, Sendable {
    /// Waits until no other thread is changing the object, and keeps all out.
    func prepareToFork()
    /// Lets others in again.
    func resumeInParent()
    /// Lets others in again, in a process in which no other thread is left.
    func resumeInChild()
}

/// The observers that a fork asks.
package enum ForkObservers {
    /// Has the observer asked at every fork until it is removed; it is not retained.
    package static func add(_ observer: any ForkObserver) {
        registry.withLock { $0[ObjectIdentifier(observer)] = Unretained(observer: observer) }
    }

    /// Ends that; to be called first thing in the observer's `deinit`.
    package static func remove(_ observer: any ForkObserver) {
        registry.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(observer)) }
    }

    /// `@unchecked Sendable`: observers are `Sendable`.
    private struct Unretained: @unchecked Sendable {
        unowned(unsafe) let observer: any ForkObserver
    }

    private static let registry: Locked<[ObjectIdentifier: Unretained]> = {
        pthread_atfork(
            {
                registry.lock.lock()
                for entry in registry.value.pointee.values { entry.observer.prepareToFork() }
            },
            {
                for entry in registry.value.pointee.values { entry.observer.resumeInParent() }
                registry.lock.unlock()
            },
            {
                for entry in registry.value.pointee.values { entry.observer.resumeInChild() }
                registry.lock.unlock()
            })
        return Locked([:])
    }()
}

/// A value behind a lock that is free, and a value that is whole, in a forked child, too. Held for moments only, since a
/// fork waits for it.
package final class ForkSafe<Value: Sendable>: ForkObserver {
    private let locked: Locked<Value>

    /// Puts `value` behind a new, unlocked lock.
    package init(_ value: Value) {
        locked = Locked(value)
        ForkObservers.add(self)
    }

    deinit { ForkObservers.remove(self) }

    /// Waits until the lock is free, and runs `body` on the value while holding it.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The address is copied: changing the value through the property would count as a change of the property.
        let value = locked.value
        locked.lock.lock()
        defer { locked.lock.unlock() }
        return try body(&value.pointee)
    }

    package func prepareToFork() { locked.lock.lock() }

    package func resumeInParent() { locked.lock.unlock() }

    package func resumeInChild() { locked.lock.unlock() }
}
