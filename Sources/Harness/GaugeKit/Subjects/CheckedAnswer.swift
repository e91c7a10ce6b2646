/// What a lookup came to that was checked.
public enum CheckedAnswer: Hashable, Sendable {
    /// The right body, from where the outcome says.
    case hit(Outcome)
    /// Nothing.
    case miss
    /// A body that was right once, where the caller said that this may be.
    case outdated
    /// Something wrong, or an error; it has been reported.
    case wrong
}
