#if canImport(Glibc)
/// `RLIMIT_CORE`, in the type that `setrlimit` takes.
public let coreFileLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#else
/// `RLIMIT_CORE`, in the type that `setrlimit` takes.
public let coreFileLimit = RLIMIT_CORE
#endif
