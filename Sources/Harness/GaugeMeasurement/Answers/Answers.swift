import Platform

/// Collects the wrong answers that a benchmark's body reports: counts all of them and keeps the first few in full.
///
/// A right answer costs nothing. Any thread may report.
///
/// `@unchecked Sendable`: both variables are read and written only under `lock`.
public final class Answers: @unchecked Sendable {
    /// How many wrong answers are kept in full. More would add nothing, and memory stays bounded.
    public static let kept = 8

    private let lock = Lock()
    private var wrongCount = 0
    private var firstWrong: [WrongAnswer] = []

    /// Creates an empty collection.
    public init() {}

    /// Reports a wrong answer.
    ///
    /// - Parameters:
    ///   - key: the key that was requested.
    ///   - expected: a description of the right answer.
    ///   - got: a description of the answer that came.
    ///   - history: what happened to the key before, oldest first; evaluated only for reports that are kept.
    public func wrong(key: String, expected: String, got: String, history: @autoclosure () -> [String] = []) {
        lock.withLock {
            wrongCount += 1
            guard firstWrong.count < Self.kept else { return }
            firstWrong.append(WrongAnswer(key: key, expected: expected, got: got, history: history()))
        }
    }

    /// The number of reports.
    public var count: Int { lock.withLock { wrongCount } }

    /// The first reports, at most `kept`.
    public var first: [WrongAnswer] { lock.withLock { firstWrong } }
}
