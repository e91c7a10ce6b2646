/// One line on the standard error that says what is going on, where that is a terminal.
struct Progress {
    let console: Console

    func show(_ text: String) {
        if console.isNoteTerminal { console.note("\r\u{1B}[K\(text)") }
    }

    /// Takes the line away, before something else is written.
    func clear() {
        if console.isNoteTerminal { console.note("\r\u{1B}[K") }
    }
}
