import Foundation

/// Student's distribution: that of a mean divided by its standard error, when both come from the same few values.
package enum StudentT {
    /// The value that is exceeded with probability `tail`.
    ///
    /// - Parameters:
    ///   - tail: above 0, at most 0.5.
    ///   - degrees: degrees of freedom, above 0.
    package static func quantile(exceededBy tail: Double, degrees: Double) -> Double {
        // The tail beyond t is half of I_x(degrees / 2, 1 / 2) with x = degrees / (degrees + t²).
        let x = IncompleteBeta.inverse(2 * tail, degrees / 2, 0.5)
        return (degrees * (1 - x) / x).squareRoot()
    }
}
