/// Makes one cache's hashes different from every other's.
public struct KeySeed: Hashable, Sendable {
    /// The first 64 bits.
    public let first: UInt64
    /// The second 64 bits.
    public let second: UInt64

    /// A chosen seed, for tests and benchmarks that need the same hashes every time.
    public init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    /// A seed from the system's random source, unknown outside the process.
    public static func random() -> KeySeed {
        var source = SystemRandomNumberGenerator()
        return KeySeed(source.next(), source.next())
    }
}
