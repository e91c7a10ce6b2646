/// An endless sequence of key ids, the same in every run with the same seed.
///
/// A key id identifies an object of the workload: ``RequestURLs`` gives it a URL, ``BodySizes`` a length and
/// ``Payload`` its bytes, each computed from the id.
@usableFromInline package protocol KeyStream: Sendable {
    /// The next requested id.
    mutating func next() -> UInt64

    /// Whether the last id was the first of a visit: of the ids of a page, which are requested at one moment. In
    /// patterns without pages, every id begins a visit.
    var beginsVisit: Bool { get }
}

extension KeyStream {
    /// Every id begins a visit.
    @usableFromInline package var beginsVisit: Bool { true }

    /// The next `count` ids. Benchmarks draw them in advance, so that drawing is not measured.
    @usableFromInline package mutating func draw(_ count: Int) -> [UInt64] { (0..<max(0, count)).map { _ in next() } }
}
