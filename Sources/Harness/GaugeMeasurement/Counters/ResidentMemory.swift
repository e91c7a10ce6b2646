import GaugeSupport
import Platform

/// The resident memory of this process.
package enum ResidentMemory {
    /// The current size, bytes; `nil` where the system does not report it.
    package static var now: UInt64? {
        let fields = ProcFile.contents("/proc/self/statm").split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return nil }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The largest size so far, bytes.
    package static var peak: UInt64 {
        let usage = resourceUsage()
        return UInt64(usage.ru_maxrss) * maximumResidentUnit
    }
}
