// Invariant of the pointers: `line` holds a text that `fgets` has ended with a zero, and reading stops there. Pages
// that `madvise` drops are of a shared mapping, which the file keeps.

/// Drops the system's copy of a file's bytes in memory, so that the next read has to ask the disk. Pages that were not
/// written back yet, or that another process maps, stay.
///
/// - Returns: 0, or the system's error number; `ENOTSUP` where there is no such call.
package func dropCachedPages(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    return ENOTSUP
    #else
    forgetMappedPages(descriptor)
    return posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    #endif
}

#if !canImport(Darwin)
/// Lets this process's shared mappings of a file ask the system again for its pages, which stay as they are.
private func forgetMappedPages(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let maps = fopen("/proc/self/maps", "re") else { return }
    defer { fclose(maps) }
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { line in
        while let text = fgets(line.baseAddress, Int32(line.count), maps) {
            // 7f0000000000-7f0000100000 r--s 00000000 fe:00 1234  /path
            var rest: UnsafeMutablePointer<CChar>?
            let start = strtoul(text, &rest, 16)
            guard let dash = rest, dash.pointee == CChar(UInt8(ascii: "-")) else { continue }
            let end = strtoul(dash + 1, &rest, 16)
            guard let rest, strncmp(rest, " ", 1) == 0, rest[4] == CChar(UInt8(ascii: "s")) else { continue }
            var place = rest + 5
            for _ in 0..<2 {
                place += strspn(place, " ")
                place += strcspn(place, " ")
            }
            guard strtoul(place, nil, 10) == status.st_ino, end > start else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
        }
    }
}
#endif

/// Has the system keep bytes of a file that are zeros, and were never written, in pieces of 64 KiB, by writing them as such.
///
/// Linux keeps a file in pieces as large as the writes that first touch them (folios; on ext4 since 6.16) until memory
/// runs short. Reading and writing costs 10 to 35 % less where they are large, and first touching them so costs no more
/// than doing it a page at a time would later.
///
/// - Returns: 0, or `errno`.
package func layOutCachedPages(_ descriptor: Int32, from start: Int, to end: Int) -> Int32 {
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
