/// What the fast reading of the RFC (HTTPSemantics) and the slow one (HTTPReference) make of one input.
///
/// The one place that knows both: tests put a million seeded inputs through it, fuzzers put theirs.
public enum Agreement: Equatable, Sendable {
    /// Both take it for valid, and for the same.
    case valid
    /// Both take it for invalid.
    case invalid
    /// They differ; what each made of it, in words.
    case broken(String)

    /// Compares two results, of which `isValid` tells whether they stand for a valid input.
    static func comparing<Result: Equatable>(
        fast: Result, reference: Result, isValid: Bool
    ) -> Agreement {
        guard fast == reference else { return .broken("fast \(fast), reference \(reference)") }
        return isValid ? .valid : .invalid
    }
}
