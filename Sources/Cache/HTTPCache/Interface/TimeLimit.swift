/// When a request must be over, even if bytes keep coming.
package struct TimeLimit: Sendable {
    /// In all.
    package let seconds: Double
    /// By `CacheClock.uptime`.
    package let end: Double

    /// - Parameter start: `CacheClock.uptime`.
    package init(seconds: Double, from start: Double) { (self.seconds, end) = (seconds, start + seconds) }

    /// The same for a request that the application has suspended: its time counts from when it was resumed.
    ///
    /// - Parameter resumed: `CacheClock.uptime`.
    func counting(from resumed: Double) -> TimeLimit {
        resumed + seconds > end ? TimeLimit(seconds: seconds, from: resumed) : self
    }
}

extension TimeLimit? {
    /// The error of a request that goes on; `nil` while there is time.
    func failure(at now: Double) -> EngineError? {
        guard let self, self.end <= now else { return nil }
        return .tookTooLong(seconds: self.seconds)
    }

    /// The end, or `deadline` if that is earlier.
    func earlier(than deadline: Double?) -> Double? {
        guard let self else { return deadline }
        // A deadline may not be a number.
        return deadline.flatMap { $0 < self.end ? $0 : nil } ?? self.end
    }
}
