import CSupport

/// Uses `value`, so that the optimiser cannot remove the work that computed it. Adds no instructions.
@inlinable @inline(__always)
public func blackHole(_ value: Int) { cs_keep_word(UInt64(truncatingIfNeeded: value)) }

/// Uses `value`, so that the optimiser cannot remove the work that computed it. Adds no instructions.
@inlinable @inline(__always)
public func blackHole(_ value: UInt64) { cs_keep_word(value) }

/// Uses `value` and everything that it refers to, so that the optimiser cannot remove the work that computed them.
///
/// Costs the stores that put `value` into memory, and makes the optimiser forget its knowledge about memory. Inside a
/// loop, fold the results into one word instead and pass that word once at the end.
@inlinable @inline(__always)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {
    withUnsafePointer(to: value) { cs_keep_memory($0) }
}

/// Returns `value` so that the optimiser cannot know its content: for inputs that would otherwise be constants, and for
/// work that would otherwise be moved out of a loop. Adds no instructions.
@inlinable @inline(__always)
public func opaque(_ value: Int) -> Int { Int(truncatingIfNeeded: cs_opaque_word(UInt64(truncatingIfNeeded: value))) }

/// Returns `value` so that the optimiser cannot know its content. Adds no instructions.
@inlinable @inline(__always)
public func opaque(_ value: UInt64) -> UInt64 { cs_opaque_word(value) }
