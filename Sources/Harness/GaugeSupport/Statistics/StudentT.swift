import Foundation

/// Student's distribution: that of a mean divided by its standard error, if both come from the same few values.
package enum StudentT {
    /// The value exceeded with probability `tail`.
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

/// The regularised incomplete beta function I_x(a, b), the basis of Student's and the binomial distribution.
///
/// Computed by its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22), evaluated by Lentz's
/// method ("Generating Bessel functions in Mie scattering calculations", Applied Optics 15, 1976) from the side on
/// which it converges fast. Twelve digits for parameters up to some thousands, in about a microsecond.
package enum IncompleteBeta {
    /// - Parameters:
    ///   - x: from 0 to 1; values outside count as the nearer end.
    ///   - a: above 0.
    ///   - b: above 0.
    package static func value(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
        return x < (a + 1) / (a + b + 2)
            ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b
    }

    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        func kept(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / kept(1 - (a + b) * x / (a + 1))
        var result = d
        for step in 1...500 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / kept(1 + even * d)
            c = kept(1 + even / c)
            result *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / kept(1 + odd * d)
            c = kept(1 + odd / c)
            result *= d * c
            if abs(d * c - 1) < 1e-14 { break }
        }
        return result
    }

    /// The x at which the function has this value, by bisection: accurate to the last digits, in some fifty
    /// evaluations.
    package static func inverse(_ part: Double, _ a: Double, _ b: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<100 {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { break }
            if value(middle, a, b) < part { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
