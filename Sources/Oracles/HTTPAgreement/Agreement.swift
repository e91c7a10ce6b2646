/// The comparison of the fast reading of the RFC (HTTPSemantics) with the slow one (HTTPReference) for one input.
///
/// Only this module knows both: tests compare them on seeded inputs, fuzzers on theirs.
package enum Agreement: Equatable, Sendable {
    /// Both results are equal: a word for the result, and whether the input counts as valid.
    case agreed(String, isValid: Bool)
    /// The results differ: a description of both.
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
