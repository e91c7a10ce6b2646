/// One side of an experiment: a benchmark of a build.
package struct Arm: Sendable {
    /// The name for people: a subject, a path, a revision, or `the base`.
    package let title: String
    /// The path of the executable; this one if `nil`.
    package var executable: String?
    /// The name of the benchmark, `stage/case/subject`.
    package let benchmark: String
    /// Whether the subject is other people's work, whose wrong answers are counted but no error.
    package var isPeer = false
    /// Extra work in every measured call, for testing verdicts (see `ExtraWork`).
    package var extraWork = 0.0
    /// Bytes added to its process's environment. That lies above the stack, which begins that much lower.
    package var stackPadding = 0
}

extension Arm {
    /// - Parameter title: its name for people; the subject's name by default.
    package init(_ benchmark: Benchmark, title: String? = nil, executable: String? = nil) {
        self.init(
            title: title ?? benchmark.name.subject, executable: executable, benchmark: benchmark.name.description,
            isPeer: benchmark.isPeer)
    }
}

/// The four arms of a gate: two builds, and two controls that show how sensitive the run is.
package struct GateArms: Sendable {
    package let base: String
    /// The base linked with padding before its code (see `LayoutPadding`). If `nil`, the base itself with only its
    /// stack moved.
    package var padded: String?
    package let current: String

    package init(base: String, padded: String? = nil, current: String) {
        (self.base, self.padded, self.current) = (base, padded, current)
    }

    package static let count = 4
    /// The positions of the arms. The base differs from itself in another process because of the machine, and from the
    /// padded base because of layout, which any change may alter (Mytkowicz et al., "Producing wrong data without doing
    /// anything obviously wrong!", ASPLOS 2009).
    package static let positions = (base: 0, again: 1, padded: 2, current: 3)

    /// Bytes by which the padded base's stack is moved.
    package static let stackPadding = 1_040

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
