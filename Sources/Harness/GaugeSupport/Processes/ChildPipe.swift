import Platform

/// The two ends of a pipe. A child inherits an end only if it is passed to it.
package struct ChildPipe {
    package let readEnd: Int32
    package let writeEnd: Int32

    package init() throws {
        do {
            (readEnd, writeEnd) = try Self.starting.withLock { try Self.open() }
        } catch {
            throw GaugeError("no pipe can be made: \(error)")
        }
    }

    /// The ends of a new pipe. The caller holds `starting`.
    static func open() throws(SystemError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Held while a child is started, and while a pipe exists that it would inherit: a child started by another thread
    /// would inherit the end of a pipe and keep it open for its whole life.
    package static let starting = Lock()
}
