/// The comparison of the fast reading of the RFC (HTTPSemantics) with the slow one (HTTPReference) for one input.
///
/// The one place that knows both: tests put a million seeded inputs through it, fuzzers put theirs.
package enum Agreement: Equatable, Sendable {
    /// Both make the same of it: a word for what that is, and whether the input counts as a valid one.
    case agreed(String, isValid: Bool)
    /// They differ; what each made of it, in words.
    case broken(String)

    /// Compares two results.
    ///
    /// - Parameters:
    ///   - valid: the word for a valid input; `nil` for an invalid one.
    ///   - invalid: the word for another.
    static func comparing<Result: Equatable>(
        fast: Result, reference: Result, valid: String?, invalid: String = "invalid"
    ) -> Agreement {
        guard fast == reference else { return .broken("fast \(fast), reference \(reference)") }
        return .agreed(valid ?? invalid, isValid: valid != nil)
    }
}
