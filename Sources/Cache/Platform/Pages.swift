// Invariants of the pointers: `mapForReading` returns the start of a mapping of `byteCount` bytes. The caller owns it
// and unmaps it with `munmap`. Reading one of its pages beyond the end of the file raises SIGBUS.
//
// `line` holds a text that `fgets` ended with a zero, where reading stops. `dropCachedPages` passes `madvise` pages of
// a shared mapping, whose contents stay in the file.
//
// `preferLargePages` passes `madvise` only pages that lie in the region, and changes no byte of them.

/// Maps a file's first `byteCount` bytes for reading. The file may be shorter. Forked children do not inherit the
/// mapping.
///
/// - Returns: the start, on a page boundary; `nil` if the system refuses, or cannot keep the mapping from children.
package func mapForReading(_ descriptor: Int32, byteCount: Int) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
    return nil
    #else
    guard let start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
        return nil
    }
    guard madvise(start, byteCount, MADV_DONTFORK) == 0 else {
        munmap(start, byteCount)
        return nil
    }
    return start
    #endif
}

/// Whether all pages of this part of a mapping are in memory, so that reading it does not wait for the disk.
///
/// Costs one system call for each 4 MiB, 0.15 µs for a few pages. Always `false` where the system cannot say.
package func isResident(_ start: UnsafeRawPointer, byteCount: Int) -> Bool {
    #if canImport(Darwin)
    return false
    #else
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var first = UnsafeMutableRawPointer(mutating: start) - Int(bitPattern: start) % page
    let end = UnsafeMutableRawPointer(mutating: start) + byteCount
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { states in
        while first < end {
            let count = min((end - first + page - 1) / page, states.count)
            guard mincore(first, count * page, states.baseAddress) == 0,
                states[..<count].allSatisfy({ $0 & 1 != 0 })
            else { return false }
            first += count * page
        }
        return true
    }
    #endif
}

/// Why files like this one cannot be mapped at all.
///
/// - Returns: the system's error number; 0 if they can be mapped, or where we map nothing anyway.
package func mappingProblem(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    return 0
    #else
    guard let start = mmap(nil, 4096, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
        return [ENODEV, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) ? errno : 0
    }
    munmap(start, 4096)
    return 0
    #endif
}

/// Drops the system's copy of a file's bytes from memory, so the next read goes to the disk. Pages stay if they are not
/// yet written back, or if another process maps them.
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
/// Drops the pages of this process's shared mappings of a file; the next access asks the system again.
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

/// Makes the system keep a never written part of a file, all zeros, in pieces of 64 KiB, by writing those zeros.
///
/// Linux keeps a file in pieces as large as the writes that first touch them (folios; on ext4 since 6.16) until memory
/// runs short. Reading and writing costs 10 to 35 % less in large pieces. Touching them first in large writes costs no
/// more than touching them page by page later.
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

/// Asks the system to back memory with large pages: fewer page faults, and fewer address cache misses when a large
/// region is accessed at random. Only a hint. It has no effect below 4 MiB or on other systems.
///
/// - Parameter region: memory that stays allocated during the call, best before the first write to it. Affects only
///   pages that lie entirely inside. Reads and writes no byte of it.
package func preferLargePages(_ region: UnsafeRawBufferPointer) {
    #if os(Linux)
    guard region.count >= 4 << 20, let base = region.baseAddress else { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let skipped = -Int(bitPattern: base) & (page - 1)
    let count = (region.count - skipped) & -page
    madvise(UnsafeMutableRawPointer(mutating: base + skipped), count, MADV_HUGEPAGE)
    #endif
}
