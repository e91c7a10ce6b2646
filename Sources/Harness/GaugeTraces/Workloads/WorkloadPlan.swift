/// All that a workload is but its seed: what a workload file says, and what the options of the command line change.
///
/// `WORKLOADS.md` describes the file, member by member.
@usableFromInline package struct WorkloadPlan: Hashable, Sendable {
    /// What it is called in reports: lower-case letters, digits and hyphens.
    @usableFromInline package var name = "custom"
    /// What it models, in a sentence.
    @usableFromInline package var models = ""
    /// How many objects there are.
    @usableFromInline package var objects = 10_000
    /// In what pattern they are asked for.
    @usableFromInline package var keys = KeyPattern.zipf(exponent: 0.8)
    /// How long their bodies are.
    @usableFromInline package var sizes = BodySizes.Distribution.webLike
    /// With what fields they come; never empty.
    @usableFromInline package var headers = [HeaderClass(maxAge: 86_400, etag: true)]
    /// What is done.
    @usableFromInline package var operations = OperationMix()
    /// How much time goes by between visits.
    @usableFromInline package var revisit = RevisitInterval.exponential(seconds: 30)
    /// What part of the reads is sent twice at one moment, the second before the first is answered.
    @usableFromInline package var duplicates = 0.0

    /// Web objects by Zipf's law, fresh for a day.
    @usableFromInline package init() {}

    /// The bounds of what a plan may say. Wide enough for any cache of this kind; a plan within them cannot make a run
    /// that never ends or a table that does not fit.
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
