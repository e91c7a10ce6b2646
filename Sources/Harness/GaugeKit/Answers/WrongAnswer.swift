/// An answer that a cache should not have given: other bytes, another version, another key's, or a forbidden stale one.
public struct WrongAnswer: Codable, Sendable, Equatable {
    /// What was asked for.
    public let key: String
    /// What would have been right, for people to read.
    public let expected: String
    /// What came.
    public let got: String
    /// What happened to the key before, oldest first.
    public let history: [String]

    /// Describes a wrong answer.
    public init(key: String, expected: String, got: String, history: [String]) {
        self.key = key
        self.expected = expected
        self.got = got
        self.history = history
    }
}
