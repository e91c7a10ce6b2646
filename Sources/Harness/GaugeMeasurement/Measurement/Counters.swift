import CSupport
import GaugeSupport
import Platform

/// Counters of the system and the allocator for this process: since it started, or over some work. Those that the
/// platform doesn't have are `nil`, never zero.
package struct Counters: Codable, Equatable, Sendable {
    package var allocations: UInt64?
    package var allocatedBytes: UInt64?
    package var readCalls: UInt64?
    package var writeCalls: UInt64?
    /// Bytes handed to write calls, without stores into mapped files.
    package var writtenBytes: UInt64?
    /// Bytes that became dirty in the page cache and will be written to storage.
    package var storageBytes: UInt64?
    /// System calls made by a thread that held a lock, if AllocationCounter is linked.
    package var callsUnderLock: UInt64?
    package var pageFaults: UInt64 = 0
    package var majorPageFaults: UInt64 = 0
    package var involuntarySwitches: UInt64 = 0
    /// How often a thread gave the processor up to wait, and so was woken later; `nil` from a worker that doesn't count
    /// it.
    package var wakeUps: UInt64?

    private static let optional: [WritableKeyPath<Counters, UInt64?> & Sendable] = [
        \.allocations, \.allocatedBytes, \.readCalls, \.writeCalls, \.writtenBytes, \.storageBytes, \.callsUnderLock,
        \.wakeUps,
    ]
    private static let others: [WritableKeyPath<Counters, UInt64> & Sendable] = [
        \.pageFaults, \.majorPageFaults, \.involuntarySwitches,
    ]

    package init() {}

    /// Reads the counters. This takes three system calls, which `readCalls` includes.
    package static func now(allocations: (@Sendable () -> AllocationTotals)?) -> Counters {
        let usage = resourceUsage()
        var now = Counters()
        (now.pageFaults, now.majorPageFaults) = (UInt64(usage.ru_minflt), UInt64(usage.ru_majflt))
        (now.involuntarySwitches, now.wakeUps) = (UInt64(usage.ru_nivcsw), UInt64(usage.ru_nvcsw))
        ProcFile.forEachNumber(in: "/proc/self/io") { name, value in
            switch name {
            case "syscr": now.readCalls = value
            case "syscw": now.writeCalls = value
            case "wchar": now.writtenBytes = value
            case "write_bytes": now.storageBytes = value
            default: break
            }
        }
        now.callsUnderLock = ExecutableCounters.callsUnderLock
        if let own = allocations?() { (now.allocations, now.allocatedBytes) = (own.count, own.bytes) }
        return now
    }

    /// What was counted since an earlier reading.
    ///
    /// - Parameter itself: what reading the counters adds to them, which is subtracted.
    package func since(_ before: Counters, readingItself itself: Counters = Counters()) -> Counters {
        var change = Counters()
        for path in Self.optional {
            guard let first = before[keyPath: path], let second = self[keyPath: path] else { continue }
            let raw = second - min(second, first)
            change[keyPath: path] = raw - min(raw, itself[keyPath: path] ?? 0)
        }
        for path in Self.others {
            change[keyPath: path] = self[keyPath: path] - min(self[keyPath: path], before[keyPath: path])
        }
        return change
    }

    /// Subtracts the wake-ups of the harness's own threads.
    package mutating func leaveOut(wakeUps own: UInt64) { wakeUps = wakeUps.map { $0 - min($0, own) } }

    /// Subtracts what the harness itself allocated.
    package mutating func leaveOut(_ own: AllocationTotals) {
        allocations = allocations.map { $0 - min($0, own.count) }
        allocatedBytes = allocatedBytes.map { $0 - min($0, own.bytes) }
    }

    package static func + (one: Counters, other: Counters) -> Counters { one.joined(with: other, +) }

    package func least(_ other: Counters) -> Counters { joined(with: other) { min($0, $1) } }

    /// A counter that only one of them has stays as it is.
    private func joined(with other: Counters, _ join: (UInt64, UInt64) -> UInt64) -> Counters {
        var joined = self
        for path in Self.optional {
            guard let one = self[keyPath: path], let two = other[keyPath: path] else {
                joined[keyPath: path] = self[keyPath: path] ?? other[keyPath: path]
                continue
            }
            joined[keyPath: path] = join(one, two)
        }
        for path in Self.others { joined[keyPath: path] = join(self[keyPath: path], other[keyPath: path]) }
        return joined
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
