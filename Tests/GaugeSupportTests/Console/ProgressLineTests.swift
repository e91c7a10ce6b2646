import GaugeSupport
import Platform
import Testing

@Suite("The progress line")
struct ProgressLineTests {
    private func notes(onTerminal: Bool, _ body: (ProgressLine) -> Void) -> String {
        let notes = Locked("")
        let console = Console(
            isNoteTerminal: onTerminal, write: { _ in }, note: { text in notes.withLock { $0 += text } })
        body(ProgressLine(console: console))
        return notes.withLock { $0 }
    }

    @Test("a terminal shows the text in place of the one before, and wraps other lines as before")
    func terminal() {
        let shown = notes(onTerminal: true) { line in
            line.show("one")
            line.clear()
        }
        #expect(shown == "\r\u{1B}[K\u{1B}[?7lone\u{1B}[?7h\r\u{1B}[K")
    }

    @Test("a file or a pipe gets none of it")
    func pipe() {
        let shown = notes(onTerminal: false) { line in
            line.show("one")
            line.clear()
        }
        #expect(shown.isEmpty)
    }
}
