/// The work of a fixed number of operations, apart from their time.
package struct WorkReport: Codable, Equatable, Sendable {
    /// Changes of the system's and the allocator's counters during the work.
    package var counters = CounterChange()
    /// The number of operations by outcome, where the body records it.
    package var outcomes: [Outcome: UInt64] = [:]
}
