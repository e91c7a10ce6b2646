import Platform

/// The two ends of a pipe. A child inherits an end only if it is passed to it.
package struct ChildPipe {
    package let readEnd: Int32
    package let writeEnd: Int32

    package init() throws {
        var ends: [Int32] = [-1, -1]
        try Self.starting.withLock {
            guard pipe(&ends) == 0 else { throw GaugeError("no pipe can be made: \(SystemError.last)") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// Held while a child is started, and while a pipe exists that it would inherit: a child started by another thread
    /// would inherit the end of a pipe and keep it open for its whole life.
    package static let starting = Lock()
}
