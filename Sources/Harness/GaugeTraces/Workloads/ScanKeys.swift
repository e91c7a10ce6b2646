/// Every key once, in order, as in a crawl. No policy gets a hit.
@usableFromInline package struct ScanKeys: KeyStream {
    package var upcoming: UInt64

    /// Starts at `first`.
    @usableFromInline package init(first: UInt64 = 0) { upcoming = first }

    /// The next requested id: one more than the last.
    @usableFromInline package mutating func next() -> UInt64 {
        defer { upcoming &+= 1 }
        return upcoming
    }
}
