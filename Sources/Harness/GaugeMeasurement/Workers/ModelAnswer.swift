/// The result of a step that another process carried out on a subject.
package enum ModelAnswer: Codable, Equatable, Sendable {
    /// The step was not a lookup.
    case done
    case missed
    /// An intact body, and the outcome that the subject reported.
    case found(key: UInt64, version: UInt64, count: Int, Outcome)
    /// A body that is not what its header says, with its length in bytes.
    case damaged(count: Int)
    /// An intact body with other metadata than it was stored with.
    case mismatched(version: UInt64, metadata: String?)
}
