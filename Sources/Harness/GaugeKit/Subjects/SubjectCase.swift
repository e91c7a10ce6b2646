/// What a benchmark does with a subject: the part of it that is the same for every subject, so that their rows are
/// about the same work.
public struct SubjectCase: Hashable, Sendable {
    /// First part of the name: `disk`.
    public var stage: String
    /// Second part of the name: `hit/4k`.
    public var name: String
    /// Which tiers are on.
    public var tier: SubjectTier
    /// Bytes of each body.
    public var bodyCount: Int
    /// How many entries are there to be found; `nil` for as many as fill seven tenths of the capacity, up to 65,536.
    public var entries: Int?
    /// The suites of the benchmark.
    public var suites: Set<String>
    /// Whose time the ratio column divides by: somebody who is driven in the same way.
    public var reference: String
    /// The subject's name in this row, where it is not its own: the cache under test is called the same in every stage.
    public var subject: String?
    /// What the kernel has done with the subject's pages before an operation is timed.
    public var pages = PageState.asLeft
    /// Whether a store has to survive a power cut when it returns.
    public var isDurable = false

    /// Describes a case.
    public init(
        _ stage: String, _ name: String, tier: SubjectTier, bodyCount: Int, entries: Int? = nil,
        suites: Set<String> = ["default"], reference: String = "tiered", subject: String? = nil
    ) {
        self.stage = stage
        self.name = name
        self.tier = tier
        self.bodyCount = bodyCount
        self.entries = entries
        self.suites = suites
        self.reference = reference
        self.subject = subject
    }

    /// The sizes of bodies that the disk rows come in.
    public static let bodyCounts: [(name: String, bytes: Int)] = [
        ("1k", 1 << 10), ("4k", 1 << 12), ("16k", 1 << 14), ("64k", 1 << 16),
    ]

    /// What an entry is taken to need beside its body, by any subject.
    static let assumedOverhead = 512

    /// What a subject is made from.
    @usableFromInline
    func configuration(_ context: RunContext) -> SubjectConfiguration {
        var configuration = tier.configuration(context)
        configuration.isDurable = isDurable
        return configuration
    }

    /// How many entries are there to be found: all fit, whatever a subject adds to each.
    @usableFromInline
    func residentCount(_ context: RunContext) -> Int {
        let fitting = tier.capacity(context) / 10 * 7 / (max(0, bodyCount) + Self.assumedOverhead)
        return max(1, entries ?? min(fitting, 65_536))
    }

    /// How many entries are certainly more than fit.
    ///
    /// - Throws: ``GaugeError`` when they are so many that filling would not end.
    @usableFromInline
    func overfullCount(_ context: RunContext) throws -> Int {
        let capacity = tier.capacity(context)
        let count = capacity / max(1, bodyCount) + 1
        guard count <= 1_000_000 else {
            throw GaugeError(
                "\(ByteSize(bytes: capacity)) take \(count) bodies of \(bodyCount) bytes to fill; pass a smaller capacity"
            )
        }
        return count
    }
}
