import Foundation

/// The derivatives of the logarithm of the gamma function, which describe the logarithm of a variance's estimate.
///
/// The recurrence moves the argument above 8, where the asymptotic series has twelve digits (NIST Digital Library of
/// Mathematical Functions, 5.11.2 and 5.15.8).
package enum Polygamma {
    /// ψ(x) for x > 0.
    package static func digamma(_ x: Double) -> Double {
        var (x, sum) = (x, 0.0)
        while x < 8 {
            sum -= 1 / x
            x += 1
        }
        let y = 1 / (x * x)
        return sum + log(x) - 1 / (2 * x) - y
            * (1 / 12.0 - y * (1 / 120.0 - y * (1 / 252.0 - y * (1 / 240.0 - y / 132))))
    }

    /// ψ′(x) for x > 0.
    package static func trigamma(_ x: Double) -> Double {
        var (x, sum) = (x, 0.0)
        while x < 8 {
            sum += 1 / (x * x)
            x += 1
        }
        let y = 1 / (x * x)
        return sum + 1 / x + y / 2 + y / x * (1 / 6.0 - y * (1 / 30.0 - y * (1 / 42.0 - y * (1 / 30.0 - y * 5 / 66))))
    }

    /// The x at which ψ′ has the given value, above 0, by bisection of its logarithm: ψ′ falls from infinity to 0.
    package static func trigammaInverse(_ value: Double) -> Double {
        var (low, high) = (-20.0, 20.0)
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if trigamma(exp(middle)) > value { low = middle } else { high = middle }
        }
        return exp((low + high) / 2)
    }
}
