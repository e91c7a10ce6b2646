import Platform

/// What the system and the allocator have counted for this process since it started. What a platform does not count
/// is `nil`, never zero.
@usableFromInline
struct CounterTotals {
    var allocations: AllocationTotals?
    var readCalls: UInt64?
    var writeCalls: UInt64?
    /// Bytes handed to write calls. Stores into mapped files are not among them.
    var writtenBytes: UInt64?
    /// Bytes that were made dirty in the page cache and will reach the storage.
    var storageBytes: UInt64?
    var pageFaults: UInt64
    var majorPageFaults: UInt64
    var involuntarySwitches: UInt64

    /// Reads the counters. Reading costs three system calls, and shows up in `readCalls` itself.
    static func now(allocations: (@Sendable () -> AllocationTotals)?) -> CounterTotals {
        let usage = resourceUsage()
        var totals = CounterTotals(
            pageFaults: UInt64(usage.ru_minflt), majorPageFaults: UInt64(usage.ru_majflt),
            involuntarySwitches: UInt64(usage.ru_nivcsw))
        ProcFile.forEachNumber(in: "/proc/self/io") { name, value in
            switch name {
            case "syscr": totals.readCalls = value
            case "syscw": totals.writeCalls = value
            case "wchar": totals.writtenBytes = value
            case "write_bytes": totals.storageBytes = value
            default: break
            }
        }
        totals.allocations = allocations?()
        return totals
    }

    /// Bytes that read calls have given this thread; 0 where they are not counted.
    @usableFromInline
    static func readBytes() -> Int {
        var bytes = 0
        ProcFile.forEachNumber(in: "/proc/thread-self/io") { name, value in
            if name == "rchar" { bytes = Int(clamping: value) }
        }
        return bytes
    }
}

/// What happened between two readings.
struct CounterChange: Codable, Equatable, Sendable {
    var allocations: UInt64?
    var allocatedBytes: UInt64?
    var readCalls: UInt64?
    var writeCalls: UInt64?
    var writtenBytes: UInt64?
    var storageBytes: UInt64?
    var pageFaults: UInt64 = 0
    var majorPageFaults: UInt64 = 0
    var involuntarySwitches: UInt64 = 0

    init() {}

    /// - Parameter readingItself: what the reading of the counters adds, which is taken off.
    init(from before: CounterTotals, to after: CounterTotals, readingItself: CounterChange? = nil) {
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
        pageFaults = change({ $0.pageFaults }, nil) ?? 0
        majorPageFaults = change({ $0.majorPageFaults }, nil) ?? 0
        involuntarySwitches = change({ $0.involuntarySwitches }, nil) ?? 0
    }

    static func + (first: CounterChange, second: CounterChange) -> CounterChange {
        func sum(_ path: (CounterChange) -> UInt64?) -> UInt64? {
            guard let one = path(first), let other = path(second) else { return path(first) ?? path(second) }
            return one + other
        }
        var result = CounterChange()
        result.allocations = sum { $0.allocations }
        result.allocatedBytes = sum { $0.allocatedBytes }
        result.readCalls = sum { $0.readCalls }
        result.writeCalls = sum { $0.writeCalls }
        result.writtenBytes = sum { $0.writtenBytes }
        result.storageBytes = sum { $0.storageBytes }
        result.pageFaults = first.pageFaults + second.pageFaults
        result.majorPageFaults = first.majorPageFaults + second.majorPageFaults
        result.involuntarySwitches = first.involuntarySwitches + second.involuntarySwitches
        return result
    }
}
