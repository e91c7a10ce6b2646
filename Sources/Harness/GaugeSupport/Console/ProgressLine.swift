/// One line on the standard error that says what is going on, where that is a terminal.
package struct ProgressLine {
    package let console: Console

    package init(console: Console) {
        self.console = console
    }

    package func show(_ text: String) {
        if console.isNoteTerminal { console.note("\r\u{1B}[K\(text)") }
    }

    /// Takes the line away, before something else is written.
    package func clear() {
        if console.isNoteTerminal { console.note("\r\u{1B}[K") }
    }
}
