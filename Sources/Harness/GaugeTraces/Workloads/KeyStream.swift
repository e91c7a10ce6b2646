/// An endless sequence of key ids, the same for one seed on every run.
///
/// A key id stands for an object of the workload: ``RequestURLs`` gives it a URL, ``BodySizes`` a length and
/// ``Payload`` its bytes, each computed from the id.
@usableFromInline package protocol KeyStream: Sendable {
    /// The id asked for next.
    mutating func next() -> UInt64

    /// Whether the id given last was the first of those that belong together and are asked for at one moment: those of
    /// a page. Where nothing belongs together, every id begins a visit of its own.
    var beginsVisit: Bool { get }
}

extension KeyStream {
    /// Every id begins a visit.
    @usableFromInline package var beginsVisit: Bool { true }

    /// The next `count` ids: benchmarks draw them beforehand, so that drawing is not measured.
    @usableFromInline package mutating func draw(_ count: Int) -> [UInt64] { (0..<max(0, count)).map { _ in next() } }
}
