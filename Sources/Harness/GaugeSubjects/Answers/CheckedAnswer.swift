import GaugeMeasurement

/// The result of a checked lookup.
@usableFromInline package enum CheckedAnswer: Hashable, Sendable {
    /// The right body, from the tier that the outcome names.
    case hit(Outcome)
    /// Nothing.
    case miss
    /// An earlier version of the body, when the caller allowed that.
    case outdated
    /// A wrong answer or an error; it has been reported.
    case wrong
}
