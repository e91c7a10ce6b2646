/// The system's counts for this process.
package func resourceUsage() -> rusage {
    var usage = rusage()
    // RUSAGE_SELF, which is 0 everywhere and of another type on each platform.
    getrusage(0, &usage)
    return usage
}

#if canImport(Darwin)
/// What `ru_maxrss` counts, bytes.
package let maximumResidentUnit: UInt64 = 1
#else
/// What `ru_maxrss` counts, bytes.
package let maximumResidentUnit: UInt64 = 1024
#endif
