// Invariants of the pointers: `mapForReading` returns the start of a mapping of `byteCount` bytes that belongs to the caller,
// who gives it back with `munmap`. Reading a page of it behind the end of the file raises SIGBUS.
//
// `line` holds a text that `fgets` has ended with a zero, and reading stops there. Pages that `dropCachedPages` gives to
// `madvise` are of a shared mapping, which the file keeps.
//
// The pages that `preferLargePages` gives to `madvise` lie in the region, and it changes no byte of them.

/// Maps a file's first `byteCount` bytes for reading. The file may be shorter. Forked children do not inherit the mapping.
///
/// - Returns: the start, on a page; `nil` when the system refuses, or does not keep the mapping from children.
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

/// Whether the system keeps all pages of a part of a mapping in memory, so that reading it does not wait for the disk.
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
/// - Returns: the system's error number; 0 when they can be mapped, and where nothing is mapped anyway.
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

/// Asks the system to back memory with large pages, which cost fewer page faults and fewer misses of the address cache
/// when a large region is accessed at random. A hint, without effect on other systems and on less than 4 MiB.
///
/// - Parameter region: memory that stays allocated during the call, best before it is first written to. Only pages that
///   lie in it whole are affected; no byte of it is read or written.
package func preferLargePages(_ region: UnsafeRawBufferPointer) {
    #if os(Linux)
    guard region.count >= 4 << 20, let base = region.baseAddress else { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let skipped = -Int(bitPattern: base) & (page - 1)
    let count = (region.count - skipped) & -page
    madvise(UnsafeMutableRawPointer(mutating: base + skipped), count, MADV_HUGEPAGE)
    #endif
}
