// Invariants of the pointers: `mutex` points to one initialised mutex from `init` to `deinit`, and never moves. `value`
// points to one initialised value from `init` to `deinit`, and is used only under `lock`.

import CSupport

/// A mutual exclusion lock: a `pthread_mutex_t` at a fixed heap address, alone on its cache lines. Two locks made in a
/// row therefore do not slow each other down.
///
/// ThreadSanitizer reports the toolchain's `Synchronization.Mutex` in correct programs, but understands this one.
/// Without contention, a lock and its unlock cost about 10 ns together. Not recursive: locking twice from one thread
/// deadlocks.
///
/// `@unchecked Sendable`: the only stored property is the address of a mutex, which is made to be shared. It is written
/// only in `init` and `deinit`, when no other thread can hold the value.
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

    /// Waits until the lock is free, and takes it. It spins first, and parks the thread only if that does not help.
    ///
    /// Waking a parked thread takes 30 to 100 µs, so use this where holders need a few microseconds.
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

    /// Tries 150 times in about 30 µs, with longer and longer pauses: many spinning threads then leave the mutex's
    /// cache line to its holder.
    ///
    /// - Parameter pause: gets the number of processor pauses before the next try.
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
    /// - Returns: whether the caller now holds it.
    @inlinable
    public borrowing func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    /// Gives the lock back. Only the thread that took it may do so.
    @inlinable
    public borrowing func unlock() { pthread_mutex_unlock(mutex) }

    /// Frees a lock that another thread of the parent may have held at the fork. No other thread may use it yet.
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

/// A value you reach only while holding its lock, like `Synchronization.Mutex`.
///
/// See `Lock` for why not the toolchain's `Mutex`, which is also slow when contended. Locking and unlocking cost about
/// 10 ns together when no other thread holds the lock. Not recursive. Public, because the compiler inlines nothing less
/// than public into another module.
///
/// `@unchecked Sendable`: both stored properties are constants. The value behind the address is used only under `lock`,
/// and in `init` and `deinit`, when no other thread can hold `self`. `sending` keeps references to its parts from
/// staying behind on either side.
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

    /// Runs `body` on the value while holding the lock.
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
