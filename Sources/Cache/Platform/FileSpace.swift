/// Extends an open file from `length` bytes, which it has, to `byteCount`, and gives the new ones their place on the disk.
///
/// - Returns: 0, or the system's error number (`ENOSPC` when the disk is full).
package func reserveFileSpace(_ descriptor: Int32, from length: Int, to byteCount: Int) -> Int32 {
    #if canImport(Darwin)
    var request = fstore_t()
    request.fst_flags = UInt32(F_ALLOCATEALL)
    request.fst_posmode = F_PEOFPOSMODE
    request.fst_length = off_t(byteCount - length)
    // A file system that cannot preallocate says ENOTSUP; writing will then report a full disk.
    if fcntl(descriptor, F_PREALLOCATE, &request) != 0, errno == ENOSPC { return ENOSPC }
    return ftruncate(descriptor, off_t(byteCount)) == 0 ? 0 : errno
    #else
    while true {
        let code = posix_fallocate(descriptor, off_t(length), off_t(byteCount - length))
        if code != EINTR { return code }
    }
    #endif
}

/// Waits until the file's bytes, and the metadata needed to find them, would survive a power cut.
///
/// - Returns: 0, or the system's error number.
package func synchronizeFileData(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    // fsync on Apple systems reaches the drive and stops there; this asks the drive to reach its medium.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    return fsync(descriptor) == 0 ? 0 : errno
    #else
    while fdatasync(descriptor) != 0 {
        if errno != EINTR { return errno }
    }
    return 0
    #endif
}
