import CSupport

/// The counters that this executable has when it links AllocationCounter, which is all that is needed.
@usableFromInline
package enum ExecutableCounters {
    /// Reads the allocations of the process; `nil` where they are not counted.
    package static let allocations: (@Sendable () -> AllocationTotals)? =
        cs_counts_allocations()
        ? { @Sendable in AllocationTotals(count: cs_allocation_count(), bytes: cs_allocated_bytes()) } : nil

    /// System calls made under a lock so far; `nil` where they are not counted.
    package static var callsUnderLock: UInt64? { cs_counts_allocations() ? cs_calls_under_lock() : nil }
}
