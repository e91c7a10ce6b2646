import GaugeMeasurement

/// The bytes that a subject writes per byte that it is asked to store, from its counters.
@usableFromInline
package struct WriteAmplification {
    private let before: [String: Int]

    /// The names of the counters: bytes of the stored entries, and all bytes written for them.
    package static let stored = "stored bytes"
    package static let written = "written bytes"

    /// Starts from the current counters.
    @usableFromInline
    package init(_ counters: [String: Int]) { before = counters }

    /// The ratio since then; empty when the subject has no such counters, or has stored nothing.
    @usableFromInline
    package func figures(at counters: [String: Int]) -> [Figure] {
        guard let stored = change(Self.stored, counters), let written = change(Self.written, counters), stored > 0
        else { return [] }
        return [Figure("write amplification", Double(written) / Double(stored))]
    }

    private func change(_ name: String, _ counters: [String: Int]) -> Int? {
        guard let first = before[name], let last = counters[name] else { return nil }
        return last - first
    }
}
