/// The variants that are measured side by side: the two builds, and two controls that show the sensitivity of the run.
package enum TimeVariant: Int, CaseIterable, Sendable {
    /// The base.
    case base
    /// The base again, in another process. Its difference from the base is due to the machine.
    case again
    /// The base with unused padding, so that code and stack lie elsewhere. Its difference from the base is due to
    /// layout, which any change may alter (Mytkowicz et al., "Producing wrong data without doing anything obviously
    /// wrong!", ASPLOS 2009).
    case padded
    /// The build that is judged.
    case current

    /// The name for people.
    package var title: String {
        switch self {
        case .base: "the base"
        case .again: "the base against itself"
        case .padded: "the padded base"
        case .current: "the current build"
        }
    }
}

/// The executables of the variants.
package struct VariantExecutables: Sendable {
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

    package func executable(of variant: TimeVariant) -> String? {
        switch variant {
        case .base, .again: base
        case .padded: padded ?? base
        case .current: current
        }
    }
}
