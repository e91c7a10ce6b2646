extension FuzzTarget {
    /// Every target, in the order of the modules they test. One line a target, so that additions merge.
    static let all: [FuzzTarget] = [
    ]
}
