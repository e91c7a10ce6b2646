import Platform

/// The bytes that may still be written to the file system of a directory; `nil` if the system doesn't say.
package func freeBytes(at directory: String) -> Int? {
    var system = statvfs()
    guard statvfs(directory, &system) == 0, system.f_blocks > 0 else { return nil }
    let (bytes, isMore) = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize))
    return isMore ? .max : Int(clamping: bytes)
}
