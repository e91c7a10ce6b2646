// Invariant of the pointers: a value is used only under its lock. A fork holds the registry's lock from its first
// handler to its last.

import CSupport

/// A number that differs between a process and its forked children; costs a load.
@inlinable
package func currentForkGeneration() -> UInt32 { cs_fork_generation() }

/// An object whose locks must be free and whose state must be whole in a forked child, where only the forking thread
/// survives.
///
/// The forking thread calls `prepareToFork`, then one of the other two. Don't register or unregister an observer in
/// them, or wait for a thread that does. This covers `fork` but not `posix_spawn`, whose child runs no Swift.
package protocol ForkObserver: AnyObject, Sendable {
    /// Waits until no other thread is changing the object, and keeps them all out.
    func prepareToFork()
    /// Lets them in again.
    func resumeInParent()
    /// The same in the child, where no other thread is left.
    func resumeInChild()
}

package enum ForkObservers {
    /// Calls the observer at every fork until it is removed. Does not retain it.
    package static func add(_ observer: any ForkObserver) {
        registry.withLock { $0[ObjectIdentifier(observer)] = Unretained(observer: observer) }
    }

    /// Stops that. Call it first thing in the observer's `deinit`.
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

/// A value behind a lock. In a forked child, too, the lock is free and the value whole. Hold it only briefly, because a
/// fork waits for it.
package final class ForkSafe<Value: Sendable>: ForkObserver {
    private let locked: Locked<Value>

    package init(_ value: Value) {
        locked = Locked(value)
        ForkObservers.add(self)
    }

    deinit { ForkObservers.remove(self) }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Copies the address: changing the value through the property would count as changing the property.
        let value = locked.value
        locked.lock.lock()
        defer { locked.lock.unlock() }
        return try body(&value.pointee)
    }

    package func prepareToFork() { locked.lock.lock() }

    package func resumeInParent() { locked.lock.unlock() }

    package func resumeInChild() { locked.lock.unlock() }
}

/// A lock that may be held for long, e.g. while files are opened: a fork does not wait for it. In a forked child it is
/// free, and what its holder was making there is lost.
package final class LockFreeInChild: ForkObserver {
    private let lock = Lock()

    package init() { ForkObservers.add(self) }

    deinit { ForkObservers.remove(self) }

    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try lock.withLock(body)
    }

    package func prepareToFork() {}

    package func resumeInParent() {}

    package func resumeInChild() { lock.resetInChild() }
}
