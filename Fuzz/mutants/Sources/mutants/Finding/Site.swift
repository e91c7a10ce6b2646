/// A place in the sources where one operator applies.
struct Site: Equatable, Sendable {
    /// The form of the change, which must allow switching it on while the program runs.
    enum Form: Equatable, Sendable {
        /// Replaces the expression by this one.
        case replace(String)
        /// Negates the condition.
        case negate
        /// Removes the statement.
        case leaveOut
    }

    /// The path of the file from the root of the package.
    let file: String
    /// The lines that the place covers, counted from 1.
    let lines: ClosedRange<Int>
    /// The bytes of the file that the place covers.
    let bytes: Range<Int>
    let mutation: MutationOperator
    let form: Form
    /// The first of the lines, without the whitespace around it.
    let line: String
    /// The original text, on one line.
    let original: String

    /// The change in words: `a < b → a <= b`.
    var change: String {
        switch form {
        case .replace(let text): "\(original) → \(text)"
        case .negate: "\(original) → not that"
        case .leaveOut: "\(original) → nothing"
        }
    }
}
