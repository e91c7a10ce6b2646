import GaugeSupport

/// The times of the machine's processors since it started, in clock ticks (proc(5), `/proc/stat`).
package struct ProcessorTimes: Equatable {
    /// The sum of all kinds of time.
    package let total: UInt64
    /// Time during which a virtual processor was ready to run but its host ran another guest.
    package let stolen: UInt64

    /// The current times; `nil` where the system does not report them.
    package static var now: ProcessorTimes? { ProcessorTimes(stat: ProcFile.contents("/proc/stat")) }

    /// Reads the line `cpu user nice system idle iowait irq softirq steal guest guest_nice`. User and nice already
    /// contain the last two.
    package init?(stat: String) {
        guard let line = stat.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0) }
        guard ticks.count == 8 else { return nil }
        total = ticks.reduce(0, &+)
        stolen = ticks[7]
    }

    /// The part of the time since `earlier` that was stolen; `nil` when no time has passed.
    package func stolenPart(since earlier: ProcessorTimes) -> Double? {
        guard total > earlier.total, stolen >= earlier.stolen else { return nil }
        return Double(stolen - earlier.stolen) / Double(total - earlier.total)
    }
}
