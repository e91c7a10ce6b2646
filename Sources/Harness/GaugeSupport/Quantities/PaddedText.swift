extension String {
    /// The text with spaces after it, `width` characters or more.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text with spaces before it, `width` characters or more.
    package func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
