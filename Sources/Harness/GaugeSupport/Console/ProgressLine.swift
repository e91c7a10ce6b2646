/// A progress line on standard error, shown only on a terminal.
package struct ProgressLine {
    package let console: Console

    package init(console: Console) {
        self.console = console
    }

    /// Shows `text` in the place of the text before. A narrow terminal cuts it off, since a wrapped line could not be
    /// removed.
    package func show(_ text: String) {
        if console.isNoteTerminal { console.note("\r\u{1B}[K\u{1B}[?7l\(text)\u{1B}[?7h") }
    }

    /// Removes the line before other output.
    package func clear() {
        if console.isNoteTerminal { console.note("\r\u{1B}[K") }
    }
}
