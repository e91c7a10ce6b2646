// Invariants of the pointers: `mutex` points to one initialised mutex from `init` to `deinit`, and never moves. `value`
// points to one initialised value from `init` to `deinit`, and is used under `lock` alone.

import CSupport

/// A mutual exclusion lock: a `pthread_mutex_t` at a fixed heap address, alone on its cache lines so that two locks made
/// one after the other do not slow each other down.
///
/// The toolchain's `Synchronization.Mutex` is reported by ThreadSanitizer for correct programs; this one is understood.
/// Uncontended, a lock and its unlock cost about 10 ns together. Not recursive: locking twice from one thread deadlocks.
///
/// `@unchecked Sendable`: the only stored property is the address of a mutex, which is made to be shared; it is written
/// in `init` and `deinit` alone, when no other thread can hold the value.
public struct Lock: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes an unlocked lock.
    public init() {
        mutex = .allocateAlone()
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocateAlone()
    }

    /// Waits until the lock is free, and takes it.
    @inlinable
    public borrowing func lock() { pthread_mutex_lock(mutex) }

    /// Waits until the lock is free, and takes it: spins at first, and parks the thread only if that was in vain.
    ///
    /// Waking a parked thread takes 30 to 100 µs, so this is the better way to wait for holders that need a few
    /// microseconds.
    @inlinable
    public borrowing func lockSpinning() {
        if pthread_mutex_trylock(mutex) != 0 { spin() }
    }

    @usableFromInline
    @inline(never)
    borrowing func spin() {
        let mutex = mutex
        let isTaken = Self.spin(pause: { cs_spin_pause(Int32($0)) }, until: { pthread_mutex_trylock(mutex) == 0 })
        if !isTaken { pthread_mutex_lock(mutex) }
    }

    /// Tries 150 times, which takes about 30 µs, with longer and longer pauses: so many spinning threads leave the mutex's
    /// cache line to its holder.
    ///
    /// - Parameter pause: gets the number of pauses of the processor before the next try.
    /// - Returns: whether a try succeeded.
    @inline(__always)
    static func spin(pause: (_ count: Int) -> Void, until tried: () -> Bool) -> Bool {
        for round in 1...150 {
            pause(min(round, 8))
            if tried() { return true }
        }
        return false
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: `true` when the caller now holds the lock.
    @inlinable
    public borrowing func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    /// Gives the lock back. Only the thread that took it may.
    @inlinable
    public borrowing func unlock() { pthread_mutex_unlock(mutex) }

    /// Frees a lock that a thread of the parent may have held at the fork; no other thread may use it yet.
    package borrowing func resetInChild() { pthread_mutex_init(mutex, nil) }

    /// Runs `body` while holding the lock.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// A value that is reached only while holding its lock, in the manner of `Synchronization.Mutex`.
///
/// The toolchain's `Mutex` is reported by ThreadSanitizer for correct programs and is slow when contended; see `Lock`.
/// Reaching the value costs a lock and an unlock, about 10 ns together when no other thread holds it. Not recursive.
/// Public, since the compiler inlines nothing of a lower level of access into another module.
///
/// `@unchecked Sendable`: both stored properties are constants. The value behind the address is read and written only
/// while `lock` is held, and in `init` and `deinit`, when no other thread can hold `self`; `sending` keeps references
/// to its parts from staying behind on either side.
public struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline package let lock = Lock()
    @usableFromInline package let value: UnsafeMutablePointer<Value>

    /// Puts `value` behind a new, unlocked lock.
    public init(_ value: consuming sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Waits until the lock is free, and runs `body` on the value while holding it.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let value = value
        lock.lock()
        defer { lock.unlock() }
        return try body(&value.pointee)
    }
}
