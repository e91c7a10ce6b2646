/// How a random model is tried.
package struct ModelSettings: Sendable {
    /// The seed of the first sequence; the following have the following numbers.
    package var seed: UInt64 = 1
    /// Only these steps of the first sequence; `nil` for all steps of many sequences.
    package var steps: [Int]?
    /// How long one promise searches, seconds (see `SearchTime`).
    package var seconds = 6.0
    /// The most seconds in which the heap is watched, for each tier and each set of keys.
    package var heapSeconds = 12.0
    /// How long the steps of a failure are shrunk, seconds; `nil` for half of ``seconds``.
    package var shrinkSeconds: Double?
    /// The name under which the executable knows the subject.
    package var subject = ""
    /// The executable that holds subjects that are killed; this one by default.
    package var executable: String?
    /// Called before a sequence is tried, with its seed.
    package var beginSequence: @Sendable (UInt64) -> Void = { _ in }

    package init() {}
}
