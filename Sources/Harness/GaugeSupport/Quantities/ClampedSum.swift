extension Int {
    /// The sum, or the largest `Int` where the sum does not fit.
    @inlinable
    public func addingClamped(_ other: Int) -> Int {
        let (sum, overflowed) = addingReportingOverflow(other)
        return overflowed ? .max : sum
    }
}
