import Foundation
import Platform

/// Shows on standard error how far a command is: in one line of a terminal, and otherwise in a line every 20 seconds,
/// so that a job's log shows it's alive.
package struct ProgressLine: Sendable {
    package let console: Console
    private let state: State
    private let now: @Sendable () -> UInt64

    /// The time between two lines without a terminal, nanoseconds.
    package static let pause: UInt64 = 20_000_000_000

    private final class State: Sendable {
        let last: Locked<(text: String, at: UInt64)>
        init(_ now: UInt64) { last = Locked(("", now)) }
    }

    /// - Parameter now: the clock, nanoseconds.
    package init(console: Console, now: @escaping @Sendable () -> UInt64 = { monotonicNanoseconds() }) {
        self.console = console
        self.now = now
        state = State(now())
    }

    /// Shows `text` in place of the last one. A narrow terminal cuts it off, since a wrapped line couldn't be removed.
    package func show(_ text: String) {
        if console.isNoteTerminal {
            console.note("\r\u{1B}[K\u{1B}[?7l\(text)\u{1B}[?7h")
        } else {
            tell(text)
        }
    }

    /// Writes the text if the last line is long enough ago.
    private func tell(_ text: String?) {
        let now = now()
        let due = state.last.withLock { last -> String? in
            if let text { last.text = text }
            guard now >= last.at + Self.pause, !last.text.isEmpty else { return nil }
            last.at = now
            return last.text
        }
        if let due { console.note("\(due)\n") }
    }

    /// Does something that takes minutes; without a terminal, the last text is repeated now and then meanwhile.
    package func repeating<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard !console.isNoteTerminal else { return try body() }
        let isOver = DispatchSemaphore(value: 0)
        let line = self
        Thread.detachNewThread {
            while isOver.wait(timeout: .now() + .nanoseconds(Int(Self.pause))) == .timedOut { line.tell(nil) }
        }
        defer { isOver.signal() }
        return try body()
    }

    /// Removes the line before other output.
    package func clear() {
        if console.isNoteTerminal { console.note("\r\u{1B}[K") }
    }
}
