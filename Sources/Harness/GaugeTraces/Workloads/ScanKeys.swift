/// Every key once, in order, none ever again: what a crawl asks for. No policy gets a hit.
@usableFromInline package struct ScanKeys: KeyStream {
    package var upcoming: UInt64

    /// Starts at `first`.
    @usableFromInline package init(first: UInt64 = 0) { upcoming = first }

    /// The id asked for next: one more than the last.
    @usableFromInline package mutating func next() -> UInt64 {
        defer { upcoming &+= 1 }
        return upcoming
    }
}
