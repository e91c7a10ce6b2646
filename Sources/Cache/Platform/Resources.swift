/// The system's counts for this process.
package func resourceUsage() -> rusage {
    var usage = rusage()
    // RUSAGE_SELF, which is 0 everywhere but has a different type on each platform.
    getrusage(0, &usage)
    return usage
}

#if canImport(Darwin)
/// The unit of `ru_maxrss`, in bytes.
package let maximumResidentUnit: UInt64 = 1
#else
package let maximumResidentUnit: UInt64 = 1024
#endif

// Limits, in the type that `setrlimit` takes.
#if canImport(Glibc)
/// `RLIMIT_CORE`: bytes of a core file.
package let coreFileLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
/// `RLIMIT_CPU`: seconds of processor time.
package let processorTimeLimit = __rlimit_resource_t(RLIMIT_CPU.rawValue)
/// `RLIMIT_FSIZE`: bytes of any file the process writes.
package let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
/// `RLIMIT_NOFILE`: one more than the highest file descriptor.
package let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
package let coreFileLimit = RLIMIT_CORE
package let processorTimeLimit = RLIMIT_CPU
package let fileSizeLimit = RLIMIT_FSIZE
package let descriptorLimit = RLIMIT_NOFILE
#endif
