/// What was done lately, for the message of a failure: a ring of the last operations on all keys.
///
/// Noting an operation is one store into memory allocated beforehand, so it can stay on in every run; the history of
/// one key is picked out when something has gone wrong.
public struct OperationHistory {
    /// What was done, or found.
    public enum Event: Hashable, Sendable {
        /// A version was given to the cache.
        case stored(version: UInt64, Outcome)
        /// The cache answered with what it should.
        case answered(version: UInt64, Outcome)
        /// The cache had nothing.
        case missed
        /// The key was removed.
        case removed
        /// The cache answered with something else.
        case wrong(PayloadFault, Outcome)
        /// The cache refused, with an error.
        case failed
    }

    private struct Entry {
        var number: Int
        var key: UInt64
        var event: Event
    }

    private var ring: [Entry] = []
    private let capacity: Int
    /// How many operations have been noted.
    public private(set) var count = 0

    /// Remembers the last `capacity` operations.
    public init(capacity: Int = 65_536) {
        self.capacity = max(1, capacity)
        ring.reserveCapacity(self.capacity)
    }

    /// Notes an operation.
    public mutating func note(_ key: UInt64, _ event: Event) {
        count += 1
        let entry = Entry(number: count, key: key, event: event)
        if ring.count < capacity { ring.append(entry) } else { ring[(count - 1) % capacity] = entry }
    }

    /// What was done to a key among the operations that are remembered, oldest first, a line each.
    ///
    /// - Parameter limit: at most so many lines, the newest.
    public func lines(of key: UInt64, limit: Int = 20) -> [String] {
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
