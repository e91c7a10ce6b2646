/// How a random model is tried.
package struct ModelSettings: Sendable {
    /// The seed of the first sequence; the next ones count up.
    package var seed: UInt64 = 1
    /// Only these steps of the first sequence; `nil` for all steps of many sequences.
    package var steps: [Int]?
    /// How long one promise searches, seconds (see `SearchTime`).
    package var seconds = 6.0
    /// The longest time for which the heap is watched, seconds, for each tier and each set of keys.
    package var heapSeconds = 12.0
    /// How long the steps of a failure are shrunk, seconds; `nil` for half of ``seconds``.
    package var shrinkSeconds: Double?
    /// The executable's name for the subject.
    package var subject = ""
    /// The executable that holds subjects to kill; this one by default.
    package var executable: String?
    /// Called with a sequence's seed before it is tried.
    package var beginSequence: @Sendable (UInt64) -> Void = { _ in }

    package init() {}
}

/// Numbers of steps as text: `0-3,7,12`.
package enum StepRanges {
    /// - Parameter steps: ascending.
    package static func text(_ steps: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for step in steps {
            if let last = ranges.last, last.upperBound + 1 == step {
                ranges[ranges.count - 1] = last.lowerBound...step
            } else {
                ranges.append(step...step)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    /// Reads such a text: ascending numbers below 100,000.
    package static func steps(_ text: String) throws(UsageError) -> [Int] {
        var steps: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0).map(Int.init) }
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last, last < 100_000,
                first > steps.last ?? -1
            else {
                throw UsageError("'\(text)' is not a list of ascending step numbers such as 0-3,7,12")
            }
            steps += first...last
        }
        return steps
    }
}
