/// What a fixed number of operations has done, beside taking time.
struct WorkReport: Codable, Equatable, Sendable {
    /// What the system and the allocator counted meanwhile.
    var counters = CounterChange()
    /// What the operations turned out to be, where each says so.
    var outcomes: [Outcome: UInt64] = [:]
}
