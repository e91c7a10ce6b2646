import GaugeSupport

/// The cost of an entry in a cache, and the largest entry that the cache admits: the part of a cache's behaviour that a
/// simulation has to share with it, so that both have the same hits.
public struct AdmissionRule: Sendable {
    /// Bytes of the key that the cache makes of a URL, `nil` if it accepts no key from it. Without this closure keys are
    /// not counted, and every URL is accepted.
    public var keyBytes: (@Sendable (_ url: String) -> Int?)?
    /// Bytes counted for each entry besides key and body.
    public var overhead: Int
    /// An entry that costs more than the capacity divided by this number is not admitted; the earlier entry of its key
    /// goes nevertheless. At least 1.
    public var share: Int
    /// Bytes of the shortest and of the longest body that a replay makes. Shorter ones are lengthened so that they can
    /// name their keys, and longer ones are not stored.
    package var bodies: ClosedRange<Int>

    /// The rule of a cache that a replay can send requests to.
    public init(keyBytes: (@Sendable (_ url: String) -> Int?)?, overhead: Int, share: Int) {
        self.keyBytes = keyBytes
        self.overhead = max(0, overhead)
        self.share = max(1, share)
        bodies = Payload.headerCount...Self.longestBody
    }

    /// Any body that fits, at the cost of its length: what simulators of caches count.
    package static let any: AdmissionRule = {
        var rule = AdmissionRule(keyBytes: nil, overhead: 0, share: 1)
        rule.bodies = 0...Int.max
        return rule
    }()

    /// Bytes of the longest body that is given to a cache.
    package static let longestBody = 256 << 20

    /// The cost of the largest entry that is admitted.
    package func largest(ofCapacity capacity: Int) -> Int { capacity / share }
}

extension AdmissionRule: CustomStringConvertible {
    /// `an entry counts its key, its body and 128 bytes, and none above 5 % of the capacity is kept`.
    public var description: String {
        let parts = keyBytes == nil ? "its body" : "its key, its body and \(overhead) bytes"
        let limit = share == 1 ? "the capacity" : "\(JSONFields.text(100 / Double(share))) % of the capacity"
        return "an entry counts \(parts), and none above \(limit) is kept"
    }
}
