import GaugeTraces

/// A ring of the last operations on all keys, for failure messages.
///
/// Noting an operation is one store into preallocated memory, so the history is always on. Operations on one key are
/// picked out only after a failure.
@usableFromInline package struct OperationHistory {
    @usableFromInline package enum Event: Hashable, Sendable {
        /// A version was given to the cache.
        case stored(version: UInt64, Outcome)
        /// The cache gave the right answer.
        case answered(version: UInt64, Outcome)
        case missed
        case removed
        /// The cache gave a wrong answer.
        case wrong(PayloadFault, Outcome)
        case failed
    }

    private struct Entry {
        var number: Int
        var key: UInt64
        var event: Event
    }

    private var ring: [Entry] = []
    private let capacity: Int
    private var next = 0
    /// How many operations have been noted.
    @usableFromInline package private(set) var count = 0

    @usableFromInline package init(capacity: Int = 65_536) {
        self.capacity = max(1, capacity)
        ring.reserveCapacity(self.capacity)
    }

    @usableFromInline package mutating func note(_ key: UInt64, _ event: Event) {
        count += 1
        let entry = Entry(number: count, key: key, event: event)
        guard ring.count == capacity else { return ring.append(entry) }
        ring[next] = entry
        next = next + 1 < capacity ? next + 1 : 0
    }

    /// The remembered operations on a key, oldest first, one line each.
    ///
    /// - Parameter limit: the most lines; the newest operations are kept.
    @usableFromInline package func lines(of key: UInt64, limit: Int = 20) -> [String] {
        let own = ring.filter { $0.key == key }.sorted { $0.number < $1.number }
        var lines = own.suffix(limit).map { "operation \($0.number): \(Self.text($0.event))" }
        if own.count > limit { lines.insert("(\(own.count - limit) earlier operations on it left out)", at: 0) }
        if count > capacity { lines.insert("(of the last \(capacity) operations on all keys)", at: 0) }
        return lines
    }

    private static func text(_ event: Event) -> String {
        switch event {
        case .stored(let version, let outcome): "\(outcome.rawValue) of version \(version)"
        case .answered(let version, let outcome): "\(outcome.rawValue) of version \(version)"
        case .missed: "miss"
        case .removed: "removed"
        case .wrong(let fault, let outcome): "\(outcome.rawValue), wrong: \(fault)"
        case .failed: "failed with an error"
        }
    }
}
