import GaugeSupport
import Platform

/// Keys by Zipf's law: id k (from 0) is requested in proportion to 1 / (k + 1)^exponent. Exact for any number of
/// objects, without a table.
///
/// Rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone discrete
/// distributions", ACM TOMACS 6(3), 1996): a uniform point under the curve h(x) = x^−exponent is moved to the nearest
/// rank, and drawn again if it lies in the sliver between curve and bars. Takes fewer than 1.2 draws and about 60 ns
/// per key.
///
/// Web objects have exponents of 0.64 to 0.83 at proxies (Breslau et al., "Web caching and Zipf-like distributions",
/// INFOCOM 1999), and up to about 1 at a single site.
@usableFromInline package struct ZipfKeys: KeyStream {
    @usableFromInline package let objects: Int
    /// How steeply popularity falls; 0 is uniform.
    @usableFromInline package let exponent: Double
    package var random: Xoshiro256
    package let areaToFirst: Double
    package let areaToLast: Double
    package let acceptedAtOnce: Double

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - objects: the number of objects, at least 1.
    ///   - exponent: 0 or more, finite; anything else is taken as 0.
    ///   - seed: selects one of the possible streams.
    @usableFromInline package init(objects: Int, exponent: Double, seed: UInt64) {
        self.objects = max(1, objects)
        self.exponent = exponent.isFinite && exponent > 0 ? exponent : 0
        random = Xoshiro256(seed: seed, "zipf")
        let curve = Curve(exponent: self.exponent)
        areaToFirst = curve.area(1.5) - 1
        areaToLast = curve.area(Double(self.objects) + 0.5)
        acceptedAtOnce = 2 - curve.abscissa(ofArea: curve.area(2.5) - curve.height(2))
    }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 {
        let curve = Curve(exponent: exponent)
        while true {
            let area = areaToLast + random.nextUnit() * (areaToFirst - areaToLast)
            let x = curve.abscissa(ofArea: area)
            let rank = min(max((x + 0.5).rounded(.down), 1), Double(objects))
            if rank - x <= acceptedAtOnce || area >= curve.area(rank + 0.5) - curve.height(rank) {
                return UInt64(rank) - 1
            }
        }
    }
}

/// h(x) = x^−exponent and its integral, in forms that stay accurate near exponent 1.
private struct Curve {
    let exponent: Double

    func height(_ x: Double) -> Double { exp(-exponent * log(x)) }

    /// The integral of h from 1 to x: (x^(1−e) − 1) / (1 − e), or log x at e = 1.
    func area(_ x: Double) -> Double {
        let logarithm = log(x)
        let t = (1 - exponent) * logarithm
        return logarithm * (abs(t) > 1e-8 ? expm1(t) / t : 1 + t / 2)
    }

    /// The inverse of ``area(_:)``.
    func abscissa(ofArea area: Double) -> Double {
        // Rounding can carry the product below the pole of log1p.
        let t = max((1 - exponent) * area, -1)
        return exp(area * (abs(t) > 1e-8 ? log1p(t) / t : 1 - t / 2))
    }
}
