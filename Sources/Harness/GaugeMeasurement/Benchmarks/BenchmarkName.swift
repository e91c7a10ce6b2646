/// A benchmark's name, `stage/case/subject`: `disk/store/4k/tiered`. The case may itself contain slashes.
public struct BenchmarkName: Hashable, Sendable, CustomStringConvertible {
    /// The part of the cache that is measured: `key-hash`, `cache-control`, `date`, `memory`, `disk`, `two-tier`, …
    public let stage: String
    /// The operation and its variant: `hit/1k`, `store/4k`, `imf`.
    public let `case`: String
    /// The implementation: `tiered` is the cache of this package, any other name a peer.
    public let subject: String

    /// A name of three parts.
    public init(_ stage: String, _ case: String, _ subject: String) {
        self.stage = stage
        self.case = `case`
        self.subject = subject
    }

    /// `stage/case/subject`.
    public var description: String { "\(stage)/\(`case`)/\(subject)" }
}
