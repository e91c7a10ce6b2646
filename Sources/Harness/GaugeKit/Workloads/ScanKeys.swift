/// Every key once, in order, none ever again: what a crawl asks for. No policy gets a hit.
public struct ScanKeys: KeyStream {
    var upcoming: UInt64

    /// Starts at `first`.
    public init(first: UInt64 = 0) { upcoming = first }

    /// The id asked for next: one more than the last.
    public mutating func next() -> UInt64 {
        defer { upcoming &+= 1 }
        return upcoming
    }
}
