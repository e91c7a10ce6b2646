import Platform

/// Collects wrong answers that a benchmark's body reports: counts them all and keeps the first few in full.
///
/// A right answer costs nothing. Any thread may report.
public final class Answers: Sendable {
    /// How many wrong answers are kept in full. More would add nothing, and memory stays bounded.
    public static let kept = 8

    private struct Wrong {
        var count = 0
        var first: [WrongAnswer] = []
    }

    private let wrong = Locked(Wrong())

    /// Creates an empty collection.
    public init() {}

    /// Reports a wrong answer.
    ///
    /// - Parameters:
    ///   - key: the requested key.
    ///   - expected: a description of the right answer.
    ///   - got: a description of the actual answer.
    ///   - history: what happened to the key before, oldest first; evaluated only for reports that are kept.
    public func wrong(key: String, expected: String, got: String, history: @autoclosure () -> [String] = []) {
        let isKept = wrong.withLock {
            $0.count += 1
            return $0.count <= Self.kept
        }
        guard isKept else { return }
        let answer = WrongAnswer(key: key, expected: expected, got: got, history: history())
        wrong.withLock { $0.first.append(answer) }
    }

    /// The number of reports.
    public var count: Int { wrong.withLock { $0.count } }

    /// The first reports, at most `kept`.
    public var first: [WrongAnswer] { wrong.withLock { $0.first } }
}

/// An answer that a cache shouldn't have given: wrong bytes, an old version, another key's entry, or a stale response.
public struct WrongAnswer: Codable, Sendable, Equatable {
    /// The requested key.
    public let key: String
    /// A description of the right answer.
    public let expected: String
    /// A description of the actual answer.
    public let got: String
    /// What happened to the key before, oldest first.
    public let history: [String]

    /// Describes a wrong answer.
    public init(key: String, expected: String, got: String, history: [String]) {
        (self.key, self.expected, self.got, self.history) = (key, expected, got, history)
    }
}

/// A build gave wrong answers, so nothing that it does can be compared or kept.
package struct WrongAnswers: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
