import Platform

/// What has to hold of descriptors 0 to 2 before anything else is opened.
package enum StandardStreams {
    /// Opens what the caller has closed, so that no file or pipe of ours takes its number. A closed output is opened for
    /// reading: writing results to it then fails with an error, instead of losing them in silence.
    package static func repair() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one, since all below are open by now.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
        // A reader that leaves, or a worker that dies, is met where the writing is.
        signal(SIGPIPE, SIG_IGN)
    }
}
