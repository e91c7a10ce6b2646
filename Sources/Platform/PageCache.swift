/// Drops what the system keeps of a file's bytes in memory, so that the next read has to ask the disk. What was not
/// written back yet, or is mapped, stays.
///
/// - Returns: 0, or the system's error number; `ENOTSUP` where there is no such call.
public func dropCachedPages(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    return ENOTSUP
    #else
    return posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    #endif
}
