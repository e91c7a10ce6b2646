/// One of the two sides of a comparison: a benchmark of a build.
package struct ComparedSide: Sendable {
    /// The name for people: a subject, a path, or a revision.
    package let title: String
    /// The path of the executable; this one when `nil`.
    package let executable: String?
    /// The name of the benchmark, `stage/case/subject`.
    package let benchmark: String
    /// Whether the subject is other people's work, whose wrong answers are counted and are not an error.
    package let isPeer: Bool
    /// Extra work in every measured call, for testing the comparison (see `ExtraWork`).
    package var extraWork = 0.0

    package init(
        title: String, executable: String? = nil, benchmark: String, isPeer: Bool = false, extraWork: Double = 0
    ) {
        self.title = title
        self.executable = executable
        self.benchmark = benchmark
        self.isPeer = isPeer
        self.extraWork = extraWork
    }
}
