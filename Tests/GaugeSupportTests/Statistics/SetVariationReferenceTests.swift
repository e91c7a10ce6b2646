import Foundation
import GaugeSupport
import Testing

@testable import GaugeSupport

/// The fit over the rows of a run, computed a second time: weighted least squares of the logarithms by normal
/// equations.
@Suite("Variation between sets against its definition") struct SetVariationReferenceTests {
    @Test(
        "degrees and usual variance are those of the definition, for random rows",
        arguments: 1...40 as ClosedRange<UInt64>)
    func fit(seed: UInt64) throws {
        var random = Xoshiro256(seed: seed)
        let rows = (0..<(8 + Int(random.next(below: 30)))).map { _ in
            let within = exp(-12 + 4 * random.nextUnit())
            return SetVariation.Row(
                variance: within * exp(3 * random.nextUnit()), degrees: Double(1 + random.next(below: 9)),
                within: within)
        }
        let variation = try #require(SetVariation(rows))
        let x = rows.map { log($0.within) }
        let y = rows.map {
            log($0.variance / ($0.degrees / 2)) - Polygamma.digamma($0.degrees / 2) + 2 * log($0.degrees / 2)
        }
        let noise = rows.map { Polygamma.trigamma($0.degrees / 2) }
        var (scatter, intercept, slope) = (1.0, 0.0, 0.0)
        for _ in 0..<4 {
            let w = noise.map { 1 / ($0 + scatter) }
            func sum(_ term: (Int) -> Double) -> Double { rows.indices.reduce(0) { $0 + w[$1] * term($1) } }
            let (s, sx, sy) = (sum { _ in 1 }, sum { x[$0] }, sum { y[$0] })
            let (sxx, sxy) = (sum { x[$0] * x[$0] }, sum { x[$0] * y[$0] })
            slope = min(max((s * sxy - sx * sy) / (s * sxx - sx * sx), 0), 1)
            intercept = (sy - slope * sx) / s
            let excess = sum { pow(y[$0] - intercept - slope * x[$0], 2) - noise[$0] } / s
            // Two degrees of freedom go into the line.
            scatter = max(excess * Double(rows.count) / Double(rows.count - 2), 0)
        }
        let degrees = scatter > 0 ? 2 * Polygamma.trigammaInverse(scatter) : SetVariation.mostDegrees
        #expect(abs(variation.degrees - min(degrees, SetVariation.mostDegrees)) < 1e-6 * degrees)
        let usual = exp(intercept + Polygamma.digamma(degrees / 2) - log(degrees / 2) + slope * -9)
        #expect(abs(variation.usual(within: exp(-9)) / usual - 1) < 1e-6)
    }
}
