import Platform
import Synchronization

/// An event to wait for: Ctrl-C, or a request to terminate the process.
///
/// The signal handler only writes a byte to a pipe; code that waits for a worker waits for the pipe too.
package final class Interruption: Sendable {
    /// Becomes readable when an interruption is requested.
    package let descriptor: Int32

    /// The write end for the signal handler, which can only access globals; -1 before `init`.
    private static let signalled = Atomic<Int32>(-1)
    /// The first signal; 0 for none.
    private static let received = Atomic<Int32>(0)

    /// Handles SIGINT, SIGTERM and SIGHUP for the rest of the process.
    package init() throws {
        let pipe = try ChildPipe()
        descriptor = pipe.readEnd
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        Self.received.store(0, ordering: .relaxed)
        Self.signalled.store(pipe.writeEnd, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            Platform.signal(number) { number in
                let error = errno
                _ = Interruption.received.compareExchange(
                    expected: 0, desired: number, ordering: .sequentiallyConsistent)
                var byte: UInt8 = 0
                _ = write(Interruption.signalled.load(ordering: .relaxed), &byte, 1)
                errno = error
            }
        }
    }

    package var isRequested: Bool { Self.signal != nil }

    /// The number of the first signal, if any.
    package static var signal: Int32? {
        let number = received.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Waits for so many nanoseconds, or until an interruption is requested.
    package func wait(_ nanoseconds: UInt64) {
        let end = monotonicNanoseconds() &+ nanoseconds
        while true {
            let now = monotonicNanoseconds()
            guard now < end else { return }
            // Too short to wait for in milliseconds.
            guard end - now > 2_000_000 else { return spinWait(nanoseconds: end - now) }
            var interrupted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = min((end - now) / 1_000_000 - 1, 1_000_000)
            if poll(&interrupted, 1, Int32(milliseconds)) != 0, isRequested { return }
        }
    }
}

/// The run was interrupted from outside.
package struct Interrupted: Error {
    /// How far it came, such as `, after 3 of 8 counts`; empty if that isn't known.
    package let progress: String

    package init(_ progress: String = "") { self.progress = progress }
}

/// Waits for a number of nanoseconds: asleep until the last 0.2 ms, then in a busy loop.
///
/// A sleep ends some 50 µs late, more than an open loop may lag behind its schedule.
@usableFromInline package func spinWait(nanoseconds: UInt64) {
    let end = monotonicNanoseconds() &+ nanoseconds
    while true {
        let now = monotonicNanoseconds()
        guard now < end else { return }
        if end - now > 200_000 { usleep(UInt32(min((end - now - 100_000) / 1_000, 500_000))) }
    }
}

/// How many milliseconds `poll` must wait: rounded up, so that the time is over afterwards, and at most about a quarter
/// of an hour.
package func pollMilliseconds(for nanoseconds: UInt64) -> Int32 { Int32(min(nanoseconds / 1_000_000 + 1, 1_000_000)) }
