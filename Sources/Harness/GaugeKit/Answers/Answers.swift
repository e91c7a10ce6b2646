import Platform

/// Where a benchmark's body reports wrong answers: all are counted, the first few are kept whole.
///
/// A right answer costs nothing. Any thread may report.
///
/// `@unchecked Sendable`: the two variables are read and written under `lock` alone.
public final class Answers: @unchecked Sendable {
    /// How many wrong answers are kept whole; more would say nothing new, and memory has to end somewhere.
    public static let kept = 8

    private let lock = Lock()
    private var wrongCount = 0
    private var firstWrong: [WrongAnswer] = []

    /// No wrong answer yet.
    public init() {}

    /// Reports a wrong answer.
    ///
    /// - Parameters:
    ///   - key: what was asked for.
    ///   - expected: what would have been right, for people to read.
    ///   - got: what came.
    ///   - history: what happened to the key before, oldest first; evaluated for the first few reports only.
    public func wrong(key: String, expected: String, got: String, history: @autoclosure () -> [String] = []) {
        lock.withLock {
            wrongCount += 1
            guard firstWrong.count < Self.kept else { return }
            firstWrong.append(WrongAnswer(key: key, expected: expected, got: got, history: history()))
        }
    }

    /// How many were reported.
    public var count: Int { lock.withLock { wrongCount } }

    /// The first few that were reported.
    public var first: [WrongAnswer] { lock.withLock { firstWrong } }
}
