/// A result that is not the time of one operation: a hit ratio, a number of evictions.
///
/// Figures follow the table of times, one line a benchmark, and stand in the JSON beside the times.
public struct Figure: Codable, Sendable, Equatable {
    /// How the value is to be read.
    public enum Unit: String, Codable, Sendable {
        /// A number of things.
        case count
        /// A number of bytes.
        case bytes
        /// From 0 to 1, shown as per cent.
        case ratio
        /// A time that stands beside those of the table.
        case nanoseconds
    }

    /// Lower case and short, the same for every subject of a case: `hit ratio`, `evictions`.
    public let name: String
    /// The value, in the unit.
    public let value: Double
    /// How the value is to be read.
    public let unit: Unit

    /// A result with a name.
    public init(_ name: String, _ value: Double, _ unit: Unit = .count) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
