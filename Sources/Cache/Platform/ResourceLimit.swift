// Limits by name, in the type that `setrlimit` takes.
#if canImport(Glibc)
/// `RLIMIT_CORE`: bytes of a core file.
package let coreFileLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
/// `RLIMIT_CPU`: seconds of processor time.
package let processorTimeLimit = __rlimit_resource_t(RLIMIT_CPU.rawValue)
/// `RLIMIT_FSIZE`: bytes of any file that the process writes.
package let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
/// `RLIMIT_NOFILE`: one more than the highest file descriptor.
package let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
/// `RLIMIT_CORE`: bytes of a core file.
package let coreFileLimit = RLIMIT_CORE
/// `RLIMIT_CPU`: seconds of processor time.
package let processorTimeLimit = RLIMIT_CPU
/// `RLIMIT_FSIZE`: bytes of any file that the process writes.
package let fileSizeLimit = RLIMIT_FSIZE
/// `RLIMIT_NOFILE`: one more than the highest file descriptor.
package let descriptorLimit = RLIMIT_NOFILE
#endif
