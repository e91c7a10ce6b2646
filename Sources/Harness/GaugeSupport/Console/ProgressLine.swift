/// A progress line on standard error, shown only on a terminal.
package struct ProgressLine {
    package let console: Console

    package init(console: Console) {
        self.console = console
    }

    package func show(_ text: String) {
        if console.isNoteTerminal { console.note("\r\u{1B}[K\(text)") }
    }

    /// Removes the line before other output.
    package func clear() {
        if console.isNoteTerminal { console.note("\r\u{1B}[K") }
    }
}
