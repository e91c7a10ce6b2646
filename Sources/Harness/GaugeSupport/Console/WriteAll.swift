import Platform

/// Writes all of the bytes, even if the system accepts only parts of them at a time; waits while it accepts none.
///
/// - Throws: the system's error, for instance `ENOSPC`, or `EPIPE` after the reader has gone.
package func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws(SystemError) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written >= 0 {
            rest = rest.dropFirst(written)
        } else if errno == EAGAIN {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&waiting, 1, -1)
        } else if errno != EINTR {
            throw SystemError.last
        }
    }
}
