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
