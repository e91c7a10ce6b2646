import Foundation
import GaugeSupport

extension Xoshiro256 {
    /// A number of the standard normal distribution (Box and Muller).
    mutating func nextNormal() -> Double { (-2 * log(1 - nextUnit())).squareRoot() * cos(2 * .pi * nextUnit()) }
}
