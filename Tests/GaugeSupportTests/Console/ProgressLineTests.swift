import GaugeSupport
import Platform
import Testing

@Suite("The progress line") struct ProgressLineTests {
    private func notes(onTerminal: Bool, _ body: (ProgressLine) -> Void) -> String {
        let notes = Locked("")
        let console = Console(
            isNoteTerminal: onTerminal, write: { _ in }, note: { text in notes.withLock { $0 += text } })
        body(ProgressLine(console: console))
        return notes.withLock { $0 }
    }

    @Test("a terminal shows the text in place of the one before, and wraps other lines as before") func terminal() {
        let shown = notes(onTerminal: true) { line in
            line.show("one")
            line.clear()
        }
        #expect(shown == "\r\u{1B}[K\u{1B}[?7lone\u{1B}[?7h\r\u{1B}[K")
    }

    @Test("a file or a pipe gets a line every twenty seconds, and none before the first of them") func pipe() {
        let shown = notes(onTerminal: false) { line in
            line.show("one")
            line.clear()
            #expect(line.repeating { 7 } == 7)
        }
        #expect(shown.isEmpty)
        let told = Locked("")
        let clock = Locked<UInt64>(0)
        let console = Console(write: { _ in }, note: { text in told.withLock { $0 += text } })
        let line = ProgressLine(console: console, now: { clock.withLock { $0 } })
        for (seconds, text) in [(0, "a"), (19, "b"), (20, "c"), (21, "d"), (39, "e"), (45, "f"), (64, "g"), (65, "h")] {
            clock.withLock { $0 = UInt64(seconds) * 1_000_000_000 }
            line.show(text)
        }
        #expect(told.withLock { $0 } == "c\nf\nh\n")
    }
}
