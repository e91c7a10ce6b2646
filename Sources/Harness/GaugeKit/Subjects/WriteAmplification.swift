/// How many bytes a subject writes for each that it is asked to store, from its own counters.
@usableFromInline
struct WriteAmplification {
    private let before: [String: Int]

    /// The counters of subjects that can tell: bytes of the entries that were stored, and all bytes written for them.
    static let stored = "stored bytes"
    static let written = "written bytes"

    /// Begins with the counters as they are.
    @usableFromInline
    init(_ counters: [String: Int]) { before = counters }

    /// The ratio since then; none when the subject does not count, or has stored nothing.
    @usableFromInline
    func figures(at counters: [String: Int]) -> [Figure] {
        guard let stored = change(Self.stored, counters), let written = change(Self.written, counters), stored > 0
        else { return [] }
        return [Figure("write amplification", Double(written) / Double(stored))]
    }

    private func change(_ name: String, _ counters: [String: Int]) -> Int? {
        guard let first = before[name], let last = counters[name] else { return nil }
        return last - first
    }
}
