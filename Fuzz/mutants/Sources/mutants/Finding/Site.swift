/// A place in the sources where one operator applies.
struct Site: Equatable, Sendable {
    /// The form of the change, which must be one that can be switched on while the program runs.
    enum Form: Equatable, Sendable {
        /// Replaces the expression by this one.
        case replace(String)
        /// Replaces the sequence of a `for` loop by this one, which may have another type.
        case replaceSequence(String)
        /// Negates the condition.
        case negate
        /// Removes the statement.
        case leaveOut
        /// Replaces the statements by these.
        case replaceStatements(String)
        /// Executes this statement before the statement.
        case insert(String)

        var isStatement: Bool {
            switch self {
            case .replace, .replaceSequence, .negate: false
            case .leaveOut, .replaceStatements, .insert: true
            }
        }
    }

    /// The file's path from the package's root.
    let file: String
    /// The lines of the place, from 1.
    let lines: ClosedRange<Int>
    /// The bytes of the file that it covers.
    let bytes: Range<Int>
    let mutation: MutationOperator
    let form: Form
    /// The first line, without the whitespace around it.
    let line: String
    /// The original text, on one line.
    let original: String

    /// The change in words: `a < b → a <= b`.
    var change: String {
        switch form {
        case .replace(let text), .replaceSequence(let text), .replaceStatements(let text): "\(original) → \(text)"
        case .negate: "\(original) → not that"
        case .leaveOut: "\(original) → nothing"
        case .insert(let text): "\(original) → \(text) before it"
        }
    }

    /// The file's module: the third folder of `Sources/Cache/CacheTiers/A.swift`.
    var module: String {
        let parts = file.split(separator: "/")
        return parts.count > 3 ? String(parts[2]) : ""
    }
}

/// A chosen site with the number that switches it on, from 1.
struct Mutant: Equatable, Sendable {
    let number: Int
    let site: Site
}
