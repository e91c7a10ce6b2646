import CSupport

/// Uses `value`, so that the work which led to it cannot be removed as dead. Costs no instruction of its own.
@inlinable @inline(__always)
public func blackHole(_ value: Int) { cs_keep_word(UInt64(truncatingIfNeeded: value)) }

/// Uses `value`, so that the work which led to it cannot be removed as dead. Costs no instruction of its own.
@inlinable @inline(__always)
public func blackHole(_ value: UInt64) { cs_keep_word(value) }

/// Uses `value` and everything that it refers to, so that the work which led to them cannot be removed as dead.
///
/// Costs the stores that put `value` into memory, and makes the optimiser forget what it knew about memory: inside a
/// loop fold the results into one word instead, and give that word away once at the end.
@inlinable @inline(__always)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {
    withUnsafePointer(to: value) { cs_keep_memory($0) }
}

/// Gives `value` back such that the optimiser cannot know what it is: for inputs that would otherwise be constants,
/// and for work that would otherwise be moved out of a loop. Costs no instruction of its own.
@inlinable @inline(__always)
public func opaque(_ value: Int) -> Int { Int(truncatingIfNeeded: cs_opaque_word(UInt64(truncatingIfNeeded: value))) }

/// Gives `value` back such that the optimiser cannot know what it is. Costs no instruction of its own.
@inlinable @inline(__always)
public func opaque(_ value: UInt64) -> UInt64 { cs_opaque_word(value) }
