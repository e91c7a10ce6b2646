import Platform

/// Makes descriptors 0 to 2 usable before anything else is opened.
package enum StandardStreams {
    /// Opens the descriptors that the caller has closed, so that our files and pipes do not get one of these numbers. A
    /// closed output is opened for reading: writing results to it then fails with an error, instead of losing them
    /// silently.
    package static func repair() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // This is the lowest free number, since all lower ones are open by now.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
        // A closed pipe is handled as an error of the write call.
        signal(SIGPIPE, SIG_IGN)
    }
}
