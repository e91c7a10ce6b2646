import Platform

/// The output of a command: results go to standard output, everything else to standard error.
package struct Console: Sendable {
    /// Writes results; throws `OutputClosed` if the reader has closed the pipe.
    package let write: @Sendable (String) throws -> Void
    /// Writes everything else: warnings, errors, progress.
    package let note: @Sendable (String) -> Void
    /// Whether results go to a terminal, and may be coloured (see no-color.org).
    package let isOutputTerminal: Bool
    /// Whether notes go to a terminal, and progress may be shown.
    package let isNoteTerminal: Bool
    /// Whether the standard output is a terminal, which has a width even where it has no colours.
    private let hasWidth: Bool

    /// A console made of closures, which tests use to collect the output.
    package init(
        isOutputTerminal: Bool = false, isNoteTerminal: Bool = false, hasWidth: Bool = false,
        write: @escaping @Sendable (String) throws -> Void, note: @escaping @Sendable (String) -> Void
    ) {
        (self.write, self.note, self.isOutputTerminal) = (write, note, isOutputTerminal)
        (self.isNoteTerminal, self.hasWidth) = (isNoteTerminal, hasWidth)
    }

    /// The standard streams of the process, unbuffered: each row is visible as soon as it is finished.
    package static let standard = Console(
        isOutputTerminal: isTerminal(STDOUT_FILENO) && (variable("NO_COLOR") ?? "").isEmpty,
        isNoteTerminal: isTerminal(STDERR_FILENO), hasWidth: isatty(STDOUT_FILENO) == 1,
        write: { try writeText($0, to: STDOUT_FILENO) }, note: { try? writeText($0, to: STDERR_FILENO) })

    /// The same for a command that judges: once the reader has gone, as `head` does, results are dropped, so that the
    /// command still reaches its judgement and exit code.
    package var outlivingReader: Console {
        let isClosed = Locked(false)
        return Console(
            isOutputTerminal: isOutputTerminal, isNoteTerminal: isNoteTerminal, hasWidth: hasWidth,
            write: { text in
                guard !isClosed.withLock({ $0 }) else { return }
                do {
                    try write(text)
                } catch is OutputClosed {
                    isClosed.withLock { $0 = true }
                }
            }, note: note)
    }

    /// The same if results are a document: everything else goes to the notes.
    package var besideDocument: Console {
        Console(isNoteTerminal: isNoteTerminal, write: { [note] in note($0) }, note: note)
    }

    /// The width of the results, columns: the terminal's, or else 100. `COLUMNS` overrides both.
    package var width: Int {
        if let told = Self.variable("COLUMNS").flatMap({ Int($0) }), (20...1_000).contains(told) { return told }
        var size = winsize()
        guard hasWidth, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return 100 }
        return Int(size.ws_col)
    }

    /// Whether a stream is a terminal that understands escape sequences.
    private static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && variable("TERM") != "dumb"
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// The reader of the results has closed the pipe, as after `| head`.
package struct OutputClosed: Error {}

private func writeText(_ text: String, to descriptor: Int32) throws {
    do {
        try writeAll(text.utf8, to: descriptor)
    } catch {
        if error.code == EPIPE { throw OutputClosed() }
        throw GaugeError("results cannot be written: \(error)")
    }
}

/// Makes descriptors 0 to 2 usable before anything else is opened.
package enum StandardStreams {
    /// Opens the descriptors that the caller has closed, so that our files and pipes don't get their numbers. A closed
    /// output is opened for reading: writing results to it then fails with an error, instead of losing them silently.
    package static func repair() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // This is the lowest free number, since all lower ones are open by now.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
        // A closed pipe is handled as an error of the write call.
        signal(SIGPIPE, SIG_IGN)
    }
}

/// Writes all the bytes, even if the system accepts only parts at a time; waits while it accepts none.
///
/// - Throws: the system's error, e.g. `ENOSPC`, or `EPIPE` after the reader has gone.
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
