/// What the processors of the machine have done since it started, in clock ticks (proc(5), `/proc/stat`).
struct ProcessorTimes: Equatable {
    /// Time of all kinds.
    let total: UInt64
    /// Time that a virtual processor was ready to run and its host ran somebody else.
    let stolen: UInt64

    /// Now; `nil` where the system does not say.
    static var now: ProcessorTimes? { ProcessorTimes(stat: ProcFile.contents("/proc/stat")) }

    /// Reads the line `cpu user nice system idle iowait irq softirq steal guest guest_nice`, of which the last two are
    /// contained in user and nice.
    init?(stat: String) {
        guard let line = stat.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0) }
        guard ticks.count == 8 else { return nil }
        total = ticks.reduce(0, &+)
        stolen = ticks[7]
    }

    /// The part of the time since `earlier` that was stolen; `nil` when no time has passed.
    func stolenPart(since earlier: ProcessorTimes) -> Double? {
        guard total > earlier.total, stolen >= earlier.stolen else { return nil }
        return Double(stolen - earlier.stolen) / Double(total - earlier.total)
    }
}
