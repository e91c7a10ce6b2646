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

/// Has the system keep bytes of a file that are zeros, and were never written, in pieces of 64 KiB, by writing them as such.
///
/// Linux keeps a file in pieces as large as the writes that first touch them (folios; on ext4 since 6.16) until memory
/// runs short. Reading and writing costs 10 to 35 % less where they are large, and first touching them so costs no more
/// than doing it a page at a time would later.
///
/// - Returns: 0, or `errno`.
public func layOutCachedPages(_ descriptor: Int32, from start: Int, to end: Int) -> Int32 {
    #if !canImport(Darwin)
    let piece = 64 << 10
    guard let zeros = calloc(piece, 1) else { return ENOMEM }
    defer { free(zeros) }
    var offset = start
    while offset < end {
        let count = min((offset / piece + 1) * piece, end) - offset
        let written = pwrite(descriptor, zeros, count, off_t(offset))
        if written > 0 {
            offset += written
        } else if written == 0 || errno != EINTR {
            return written == 0 ? EIO : errno
        }
    }
    #endif
    return 0
}
