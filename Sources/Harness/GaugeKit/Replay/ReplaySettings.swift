/// How a trace is replayed.
public struct ReplaySettings: Sendable {
    /// What the subject is made from.
    public var configuration: SubjectConfiguration
    /// Gives keys their body sizes where the trace does not.
    public var sizes: BodySizes
    /// Gives keys their URLs where the trace does not.
    public var urls: RequestURLs

    /// Say what may be answered and stored, where the trace tells of HTTP.
    public var rules: any CachingRules = RulesOfThumb()
    /// Requests a second, each sent when it is due (``OpenLoop``); `nil` to send each when the one before it is answered.
    public var rate: Double?
    /// Whether to compute what other caches could have done.
    public var wantsBounds = true

    /// Replays into a subject made from `configuration`, with bodies of ``BodySizes/Distribution/oneSize`` for traces
    /// without sizes, and URLs drawn from `seed` for those without.
    public init(configuration: SubjectConfiguration, seed: UInt64) {
        self.configuration = configuration
        sizes = BodySizes(.oneSize, seed: seed)
        urls = RequestURLs(seed: seed)
    }

    /// The longest body that is given to the subject. Larger ones could not be kept by any tier, and would only have to
    /// be made.
    var longestBody: Int {
        if configuration.entryLimit != nil { return Self.standInCount }
        return min(max(configuration.memoryCapacity, configuration.diskCapacity), 256 << 20)
    }

    /// Bytes of the body that is made for an object of a size: as many, but enough to say whose it is.
    func bodyCount(ofSize size: Int) -> Int {
        configuration.entryLimit == nil ? max(size, Payload.headerCount) : Self.standInCount
    }

    /// What the caches may hold that a subject is compared with: as many bytes of bodies as all its tiers together, since
    /// no two of them need to hold the same.
    func boundedCapacity(of capabilities: SubjectCapabilities) -> Bounds.Capacity {
        if let entries = configuration.entryLimit { return .entries(entries) }
        let memory = capabilities.contains(.memory) ? configuration.memoryCapacity : 0
        let disk = capabilities.contains(.disk) ? configuration.diskCapacity : 0
        return .bytes(memory.addingClamped(disk))
    }

    /// Bytes of every body where entries are counted: their size then decides nothing but how much memory the replay
    /// takes.
    static let standInCount = 64
}
