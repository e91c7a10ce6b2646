import CSupport
import GaugeSupport
import Platform

/// The counters of the system and the allocator for this process since it started. Counters that the platform doesn't
/// have are `nil`, never zero.
@usableFromInline
package struct CounterTotals {
    package var allocations: AllocationTotals?
    package var readCalls: UInt64?
    package var writeCalls: UInt64?
    /// Bytes handed to write calls, without stores into mapped files.
    package var writtenBytes: UInt64?
    /// Bytes that became dirty in the page cache and will be written to storage.
    package var storageBytes: UInt64?
    /// System calls made by a thread that held a lock, if AllocationCounter is linked.
    package var callsUnderLock: UInt64?
    package var pageFaults: UInt64
    package var majorPageFaults: UInt64
    package var involuntarySwitches: UInt64
    /// How often a thread gave the processor up to wait, and so was woken later.
    package var wakeUps: UInt64 = 0

    /// Reads the counters. This takes three system calls, which `readCalls` includes.
    package static func now(allocations: (@Sendable () -> AllocationTotals)?) -> CounterTotals {
        let usage = resourceUsage()
        var totals = CounterTotals(
            pageFaults: UInt64(usage.ru_minflt), majorPageFaults: UInt64(usage.ru_majflt),
            involuntarySwitches: UInt64(usage.ru_nivcsw), wakeUps: UInt64(usage.ru_nvcsw))
        ProcFile.forEachNumber(in: "/proc/self/io") { name, value in
            switch name {
            case "syscr": totals.readCalls = value
            case "syscw": totals.writeCalls = value
            case "wchar": totals.writtenBytes = value
            case "write_bytes": totals.storageBytes = value
            default: break
            }
        }
        totals.callsUnderLock = ExecutableCounters.callsUnderLock
        totals.allocations = allocations?()
        return totals
    }

    /// Bytes that read calls returned to this thread; 0 if not counted.
    @usableFromInline
    package static func readBytes() -> Int {
        var bytes = 0
        ProcFile.forEachNumber(in: "/proc/thread-self/io") { name, value in
            if name == "rchar" { bytes = Int(clamping: value) }
        }
        return bytes
    }
}

package struct CounterChange: Codable, Equatable, Sendable {
    package var allocations: UInt64?
    package var allocatedBytes: UInt64?
    package var readCalls: UInt64?
    package var writeCalls: UInt64?
    package var writtenBytes: UInt64?
    package var storageBytes: UInt64?
    package var callsUnderLock: UInt64?
    package var pageFaults: UInt64 = 0
    package var majorPageFaults: UInt64 = 0
    package var involuntarySwitches: UInt64 = 0
    /// `nil` from a worker that doesn't count them.
    package var wakeUps: UInt64?

    package init() {}

    /// - Parameter readingItself: the cost of reading the counters, which is subtracted.
    package init(from before: CounterTotals, to after: CounterTotals, readingItself: CounterChange? = nil) {
        func change(_ path: (CounterTotals) -> UInt64?, _ own: UInt64?) -> UInt64? {
            guard let first = path(before), let second = path(after) else { return nil }
            let raw = second >= first ? second - first : 0
            return raw - min(raw, own ?? 0)
        }
        allocations = change({ $0.allocations?.count }, readingItself?.allocations)
        allocatedBytes = change({ $0.allocations?.bytes }, readingItself?.allocatedBytes)
        readCalls = change({ $0.readCalls }, readingItself?.readCalls)
        writeCalls = change({ $0.writeCalls }, readingItself?.writeCalls)
        writtenBytes = change({ $0.writtenBytes }, readingItself?.writtenBytes)
        storageBytes = change({ $0.storageBytes }, readingItself?.storageBytes)
        callsUnderLock = change({ $0.callsUnderLock }, readingItself?.callsUnderLock)
        wakeUps = change({ $0.wakeUps }, readingItself?.wakeUps)
        func sum(_ path: (CounterTotals) -> UInt64) -> UInt64 { path(after) - min(path(after), path(before)) }
        pageFaults = sum { $0.pageFaults }
        majorPageFaults = sum { $0.majorPageFaults }
        involuntarySwitches = sum { $0.involuntarySwitches }
    }

    /// Subtracts the wake-ups of the harness's own threads.
    package mutating func leaveOut(wakeUps own: UInt64) { wakeUps = wakeUps.map { $0 - min($0, own) } }

    /// Subtracts what the harness itself allocated.
    package mutating func leaveOut(_ own: AllocationTotals) {
        allocations = allocations.map { $0 - min($0, own.count) }
        allocatedBytes = allocatedBytes.map { $0 - min($0, own.bytes) }
    }

    package static func + (first: CounterChange, second: CounterChange) -> CounterChange {
        CounterChange(first, second, +)
    }

    package init(leastOf first: CounterChange, _ second: CounterChange) {
        self.init(first, second) { min($0, $1) }
    }

    /// - Parameter combine: joins two values of a counter; one without a partner stays as it is.
    private init(_ first: CounterChange, _ second: CounterChange, _ combine: (UInt64, UInt64) -> UInt64) {
        func combined(_ path: (CounterChange) -> UInt64?) -> UInt64? {
            guard let one = path(first), let other = path(second) else { return path(first) ?? path(second) }
            return combine(one, other)
        }
        allocations = combined { $0.allocations }
        allocatedBytes = combined { $0.allocatedBytes }
        readCalls = combined { $0.readCalls }
        writeCalls = combined { $0.writeCalls }
        writtenBytes = combined { $0.writtenBytes }
        storageBytes = combined { $0.storageBytes }
        callsUnderLock = combined { $0.callsUnderLock }
        wakeUps = combined { $0.wakeUps }
        pageFaults = combine(first.pageFaults, second.pageFaults)
        majorPageFaults = combine(first.majorPageFaults, second.majorPageFaults)
        involuntarySwitches = combine(first.involuntarySwitches, second.involuntarySwitches)
    }
}

/// The number and size of a process's allocations since it started.
public struct AllocationTotals: Sendable, Codable, Equatable {
    /// Calls that allocated.
    public var count: UInt64
    /// Bytes that these calls requested.
    public var bytes: UInt64

    /// Creates totals.
    public init(count: UInt64 = 0, bytes: UInt64 = 0) {
        self.count = count
        self.bytes = bytes
    }

    /// The allocations without `other`: since an earlier reading, or outside pauses.
    package func without(_ other: AllocationTotals) -> AllocationTotals {
        AllocationTotals(count: count &- other.count, bytes: bytes &- other.bytes)
    }
}

/// The counters of an executable that links AllocationCounter, which is all that is needed.
@usableFromInline
package enum ExecutableCounters {
    /// Reads the process's allocations; `nil` if they aren't counted.
    package static let allocations: (@Sendable () -> AllocationTotals)? =
        cs_counts_allocations()
        ? { @Sendable in AllocationTotals(count: cs_allocation_count(), bytes: cs_allocated_bytes()) } : nil

    /// System calls made under a lock so far; `nil` if not counted.
    package static var callsUnderLock: UInt64? { cs_counts_allocations() ? cs_calls_under_lock() : nil }
}

package enum HeapMemory {
    /// Bytes of this process's heap in use; `nil` if the C library doesn't say.
    package static var bytesInUse: Int? {
        let bytes = cs_heap_bytes_in_use()
        return bytes > 0 ? Int(bytes) : nil
    }
}

package enum ResidentMemory {
    /// The largest resident size so far, bytes.
    package static var peak: UInt64 {
        let usage = resourceUsage()
        return UInt64(usage.ru_maxrss) * maximumResidentUnit
    }
}
