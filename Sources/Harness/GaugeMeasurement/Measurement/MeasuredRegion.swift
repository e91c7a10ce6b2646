// Invariant of the pointers: the C function uses the pointer to the closure only during its call.

import CSupport

/// The part of a worker that instruction counters watch.
@usableFromInline
package enum MeasuredRegion {
    /// Runs `body` inside `cs_measured_region`, a function that is never inlined.
    package static func run(_ body: () -> Void) {
        cs_start_counting()
        withoutActuallyEscaping(body) { body in
            var body = body
            // Only the function passed with it uses the pointer, during the call.
            withUnsafeMutablePointer(to: &body) {
                cs_measured_region({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, $0)
            }
        }
    }

    package static var pausedAllocations: AllocationTotals {
        AllocationTotals(count: cs_paused_allocation_count(), bytes: cs_paused_allocated_bytes())
    }

    /// The time of the pauses of the last region, nanoseconds.
    package static var pausedNanoseconds: UInt64 { cs_paused_nanoseconds() }

    /// Until `resume`, instructions belong to the harness and aren't counted: making a key, checking an answer. Pairs
    /// may be nested. Outside the region a call costs a nanosecond.
    @usableFromInline package static func pause() { cs_pause_measuring() }

    @usableFromInline package static func resume() { cs_resume_measuring() }
}

/// Uses `value`, so that the optimiser can't remove the work that computed it. Adds no instructions.
@inlinable @inline(__always)
public func blackHole(_ value: Int) { cs_keep_word(UInt64(truncatingIfNeeded: value)) }

/// Uses `value`, so that the optimiser can't remove the work that computed it. Adds no instructions.
@inlinable @inline(__always)
public func blackHole(_ value: UInt64) { cs_keep_word(value) }

/// Uses `value` and everything that it refers to, so that the optimiser can't remove the work that computed them.
///
/// Costs the stores that put `value` into memory, and makes the optimiser forget what it knows about memory. In a loop,
/// fold the results into one word and pass that once at the end.
@inlinable @inline(__always)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {
    withUnsafePointer(to: value) { cs_keep_memory($0) }
}

/// Returns `value` with its content hidden from the optimiser: for inputs that would otherwise be constants, and work
/// that would otherwise be moved out of a loop. Adds no instructions.
@inlinable @inline(__always)
public func opaque(_ value: Int) -> Int { Int(truncatingIfNeeded: cs_opaque_word(UInt64(truncatingIfNeeded: value))) }

/// Returns `value` with its content hidden from the optimiser. Adds no instructions.
@inlinable @inline(__always)
public func opaque(_ value: UInt64) -> UInt64 { cs_opaque_word(value) }
