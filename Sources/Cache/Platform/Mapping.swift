// Invariant of the pointers: `mapForReading` returns the start of a mapping of `byteCount` bytes that belongs to the caller,
// who gives it back with `munmap`. Reading a page of it behind the end of the file raises SIGBUS.

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
