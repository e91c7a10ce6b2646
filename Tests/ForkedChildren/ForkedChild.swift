import Platform

/// A forked child of a test. It has only the thread that forked, so a lock that another thread held stays locked in it,
/// those of the Swift runtime included.
public enum ForkedChild {
    /// Forks, which Swift keeps from its programs. Returns 0 in the child, which should do next to nothing.
    public static func fork() -> pid_t {
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { return -1 }
        return unsafeBitCast(symbol, to: Fork.self)()
    }

    /// Runs `body` in a child, and waits for its end.
    ///
    /// - Returns: the exit code, or minus the signal; -SIGKILL for a child that hung.
    public static func run(_ body: () -> Int32) -> Int32 {
        // The end of the stream is the end of the child, since nobody else holds the other end of the pipe.
        var life: [Int32] = [-1, -1]
        guard pipe(&life) == 0 else { return -1 }
        defer { close(life[0]) }
        for end in life { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = fork()
        if child == 0 { _exit(body()) }
        close(life[1])
        if !isReadable(life[0]) { kill(child, SIGKILL) }
        return end(of: child)
    }

    /// Waits until a pipe can be read, or its other end is closed. Returns `false` if a child seems to hang: it may do
    /// so before it could set an alarm.
    public static func isReadable(_ pipe: Int32) -> Bool {
        var descriptor = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        let deadline = monotonicNanoseconds() + longest * 1_000_000_000
        while true {
            let now = monotonicNanoseconds()
            guard now < deadline else { return false }
            let found = poll(&descriptor, 1, Int32((deadline - now) / 1_000_000 + 1))
            if found > 0 { return true }
            guard found == 0 || errno == EINTR else { return false }
        }
    }

    /// Waits for the end of a child. Returns the exit code, or minus the signal.
    public static func end(of child: pid_t) -> Int32 {
        var status: Int32 = -1
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// Seconds after which a child counts as hung.
    private static let longest: UInt64 = 600
}
