import Platform

/// The two ends of a pipe, neither of which a child inherits unless it is given to it.
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

    /// Held while a child is started, and while a pipe is there that it would inherit: a child of another thread that has
    /// the end of a pipe keeps it open for as long as it lives.
    package static let starting = Lock()
}
