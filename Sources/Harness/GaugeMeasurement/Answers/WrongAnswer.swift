/// An answer that a cache should not have given: wrong bytes, an old version, another key's entry, or a stale response.
public struct WrongAnswer: Codable, Sendable, Equatable {
    /// The key that was requested.
    public let key: String
    /// A description of the right answer.
    public let expected: String
    /// A description of the answer that came.
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
