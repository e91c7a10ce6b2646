import Platform

/// Memory of the process that is in RAM.
enum ResidentMemory {
    /// Now, bytes; `nil` where the system does not say.
    static var now: UInt64? {
        let fields = ProcFile.contents("/proc/self/statm").split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return nil }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The most there has been, bytes.
    static var peak: UInt64 {
        let usage = resourceUsage()
        return UInt64(usage.ru_maxrss) * maximumResidentUnit
    }
}
