/// A result that is not the time of one operation: a hit ratio, a number of evictions.
///
/// Figures are printed below the table of times, one line for each benchmark, and stand beside the times in the JSON.
public struct Figure: Codable, Sendable, Equatable {
    /// The unit of the value.
    public enum Unit: String, Codable, Sendable {
        /// A number of things.
        case count
        /// A number of bytes.
        case bytes
        /// From 0 to 1, shown as per cent.
        case ratio
        /// A time that belongs beside those of the table.
        case nanoseconds
    }

    /// Lower case and short, the same for every subject of a case: `hit ratio`, `evictions`.
    public let name: String
    /// The value, in the unit.
    public let value: Double
    /// The unit of the value.
    public let unit: Unit

    /// Creates a figure.
    public init(_ name: String, _ value: Double, _ unit: Unit = .count) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
