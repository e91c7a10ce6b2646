/// One side of an experiment: a benchmark of a build.
package struct Arm: Sendable {
    /// The name for people: a subject, a path, a revision, or `the base`.
    package let title: String
    /// The path of the executable; this one when `nil`.
    package let executable: String?
    /// The name of the benchmark, `stage/case/subject`.
    package let benchmark: String
    /// Whether the subject is other people's work, whose wrong answers are counted and are not an error.
    package let isPeer: Bool
    /// Extra work in every measured call, for testing verdicts (see `ExtraWork`).
    package var extraWork = 0.0
    /// Bytes added to the environment of its process. The environment lies above the stack, which begins that much lower.
    package var stackPadding = 0

    package init(
        title: String, executable: String? = nil, benchmark: String, isPeer: Bool = false, extraWork: Double = 0,
        stackPadding: Int = 0
    ) {
        self.title = title
        self.executable = executable
        self.benchmark = benchmark
        self.isPeer = isPeer
        self.extraWork = extraWork
        self.stackPadding = stackPadding
    }
}

/// The four arms of a gate: two builds, and two controls that show the sensitivity of the run.
package struct GateArms: Sendable {
    /// The path of the base; this executable when `nil`.
    package var base: String?
    /// The base linked with padding before its code (see `LayoutPadding`). When `nil`, the base itself, of which then
    /// only the stack is moved.
    package var padded: String?
    package var current: String?

    package init(base: String? = nil, padded: String? = nil, current: String? = nil) {
        self.base = base
        self.padded = padded
        self.current = current
    }

    package static let count = 4
    /// The positions of the arms. The difference of the base from itself, in another process, is due to the machine; that
    /// of the padded base is due to layout, which any change may alter (Mytkowicz et al., "Producing wrong data without
    /// doing anything obviously wrong!", ASPLOS 2009).
    package static let positions = (base: 0, again: 1, padded: 2, current: 3)

    /// Bytes by which the stack of the padded base is moved.
    package static let stackPadding = 1_040

    /// The arms of a benchmark.
    ///
    /// - Parameter extraWork: planted work in the current build.
    package func arms(of benchmark: String, extraWork: Double = 0) -> [Arm] {
        [
            Arm(title: "the base", executable: base, benchmark: benchmark),
            Arm(title: "the base against itself", executable: base, benchmark: benchmark),
            Arm(
                title: "the padded base", executable: padded ?? base, benchmark: benchmark,
                stackPadding: Self.stackPadding),
            Arm(title: "the current build", executable: current, benchmark: benchmark, extraWork: extraWork),
        ]
    }
}
