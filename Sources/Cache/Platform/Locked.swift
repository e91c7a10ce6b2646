// Invariant of the pointers: `value` points to one initialised value from `init` to `deinit`, and is used under
// `lock` alone.

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
