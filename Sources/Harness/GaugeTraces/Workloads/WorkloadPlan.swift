/// A workload without its seed: the contents of a workload file, which options of the command line can change.
///
/// `WORKLOADS.md` describes the file, member by member.
@usableFromInline package struct WorkloadPlan: Hashable, Sendable {
    /// The name in reports: lower-case letters, digits and hyphens.
    @usableFromInline package var name = "custom"
    /// The traffic that it models, in one sentence.
    @usableFromInline package var models = ""
    /// The number of objects.
    @usableFromInline package var objects = 10_000
    /// The pattern in which keys are requested.
    @usableFromInline package var keys = KeyPattern.zipf(exponent: 0.8)
    /// The lengths of the bodies.
    @usableFromInline package var sizes = BodySizes.Distribution.webLike
    /// The header classes of the objects; never empty.
    @usableFromInline package var headers = [HeaderClass(maxAge: 86_400, etag: true)]
    /// The mix of operations.
    @usableFromInline package var operations = OperationMix()
    /// The time between visits.
    @usableFromInline package var revisit = RevisitInterval.exponential(seconds: 30)
    /// The part of the reads that is sent twice at one moment, the second before the first is answered; 0 to 1.
    @usableFromInline package var duplicates = 0.0

    /// Web objects by Zipf's law, fresh for a day.
    @usableFromInline package init() {}

    /// The bounds of the values of a plan. They are wide enough for any cache of this kind; a plan within them cannot
    /// cause an endless run or a table that does not fit into memory.
    package enum Bounds {
        package static let objects = 1...1_000_000
        package static let bodyBytes = 0...(64 << 20)
        package static let classes = 1...100
        package static let bins = 1...500
        package static let parts = 1...16
        package static let pages = 1...1_000_000
        package static let pageRequests = 1...1_000
        package static let seconds = 0...315_360_000
        package static let requests = 1...1_000_000_000
        package static let weight = 0.0...1e9
        package static let interval = 0.001...31_536_000
        package static let exponent = 0.0...10.0
    }
}
