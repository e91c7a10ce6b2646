// Invariant of the pointers: the pointer to the closure is used by the C function during its call alone.

import CSupport

/// The part of a worker that is watched by tools that count instructions.
@usableFromInline
package enum MeasuredRegion {
    /// Runs `body` inside a function that is never inlined, `cs_measured_region`.
    package static func run(_ body: () -> Void) {
        cs_start_counting()
        withoutActuallyEscaping(body) { body in
            var body = body
            // The pointer is used only during the call, by the function passed with it.
            withUnsafeMutablePointer(to: &body) {
                cs_measured_region({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, $0)
            }
        }
    }

    /// The allocations during the pauses of the last region.
    package static var pausedAllocations: AllocationTotals {
        AllocationTotals(count: cs_paused_allocation_count(), bytes: cs_paused_allocated_bytes())
    }

    /// The time of the pauses of the last region, nanoseconds.
    package static var pausedNanoseconds: UInt64 { cs_paused_nanoseconds() }

    /// Until `resume`, instructions belong to the harness and are not counted: making a key, checking an answer. Pairs
    /// may be nested. Outside the region a call costs a nanosecond.
    @usableFromInline package static func pause() { cs_pause_measuring() }

    /// Ends a pause.
    @usableFromInline package static func resume() { cs_resume_measuring() }
}

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
