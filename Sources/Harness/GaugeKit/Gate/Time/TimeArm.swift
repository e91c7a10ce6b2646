/// What is measured side by side: the two builds, and the two controls that say what this run can see.
enum TimeArm: Int, CaseIterable, Sendable {
    /// The base.
    case base
    /// The base again, in a process of its own: whatever differs here is the machine's doing.
    case again
    /// The base with inert padding, so that code and stack lie elsewhere: whatever differs here is an accident of layout,
    /// which any change may bring about (Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!",
    /// ASPLOS 2009).
    case padded
    /// What is judged.
    case current

    /// For people.
    var title: String {
        switch self {
        case .base: "the base"
        case .again: "the base against itself"
        case .padded: "the padded base"
        case .current: "the current build"
        }
    }
}

/// The executables of the arms.
struct TimeArms: Sendable {
    /// The path of each; this executable itself when `nil`.
    var base: String?
    /// The base linked once more with padding before its code (see `LayoutPadding`); the base when `nil`, of which then only
    /// the stack is moved.
    var padded: String?
    var current: String?

    func executable(of arm: TimeArm) -> String? {
        switch arm {
        case .base, .again: base
        case .padded: padded ?? base
        case .current: current
        }
    }
}
