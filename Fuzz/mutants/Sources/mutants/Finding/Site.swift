/// A place in the sources where one operator applies.
struct Site: Equatable, Sendable {
    /// How the change is written so that it can be switched on while the program runs.
    enum Form: Equatable, Sendable {
        /// This expression in place of the one there.
        case replace(String)
        /// The opposite of the condition there.
        case negate
        /// Nothing in place of the statement there.
        case leaveOut
    }

    /// The path of the file from the root of the package.
    let file: String
    /// The lines, from 1, that the place covers.
    let lines: ClosedRange<Int>
    /// The bytes of the file that the place covers.
    let bytes: Range<Int>
    let mutation: MutationOperator
    let form: Form
    /// The first of the lines, without the space around it.
    let line: String
    /// The text there, on one line.
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
