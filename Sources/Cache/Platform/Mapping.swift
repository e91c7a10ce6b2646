/// Maps a file's first `byteCount` bytes for reading. The file may be shorter: touching what is not there is a bus error.
/// Forked children do not inherit the mapping.
///
/// - Returns: where it begins, on a page; `nil` when the system refuses, or does not keep it from children.
public func mapForReading(_ descriptor: Int32, byteCount: Int) -> UnsafeMutableRawPointer? {
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
public func isResident(_ start: UnsafeRawPointer, byteCount: Int) -> Bool {
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
