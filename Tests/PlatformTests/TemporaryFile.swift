import Platform
import Testing

/// Calls `body` with a new file that has no name any more.
func withTemporaryFile<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let folder = named.isEmpty ? "/tmp" : named
    var template = Array("\(folder)/platform-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0, "no file can be made in \(folder): \(SystemError.last)")
    unlink(template)
    defer { close(descriptor) }
    return try body(descriptor)
}
