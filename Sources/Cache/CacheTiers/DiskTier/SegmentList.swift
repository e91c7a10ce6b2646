/// The state in memory of the segments of a log, by their numbers: as many as the ring has, which may be an eighth of
/// the slots of the segment table. Segments beyond are empty, and come into being when they are changed.
///
/// Invariant of the pointer: `segments` has `count` initialised segments; it is replaced by `grow` and `reset` and freed by
/// `deinit` alone, which release what the segments hold.
struct SegmentList: ~Copyable {
    private var segments: UnsafeMutablePointer<Segment>
    /// Segments that take memory.
    private(set) var count: Int

    init(count: Int) {
        self.count = count
        segments = Self.emptySegments(count)
    }

    deinit {
        for number in 0..<count { segments[number].release() }
        segments.deallocate()
    }

    private static func emptySegments(_ count: Int) -> UnsafeMutablePointer<Segment> {
        let segments = UnsafeMutablePointer<Segment>.allocate(capacity: count)
        segments.initialize(repeating: Segment(), count: count)
        return segments
    }

    /// The segment `number`, from 0.
    subscript(number: Int) -> Segment {
        @inline(__always) get { number < count ? segments[number] : Segment() }
        @inline(__always) _modify {
            if number >= count { grow(to: number + 1) }
            yield &segments[number]
        }
    }

    /// Exchanges two segments.
    mutating func swapAt(_ first: Int, _ second: Int) {
        if max(first, second) >= count { grow(to: max(first, second) + 1) }
        swap(&segments[first], &segments[second])
    }

    private mutating func grow(to wanted: Int) {
        let larger = Self.emptySegments(wanted)
        larger.update(from: segments, count: count)
        segments.deallocate()
        segments = larger
        count = wanted
    }

    /// Empties all segments and gives the memory of more than `wanted` back.
    mutating func reset(to wanted: Int) {
        for number in 0..<count { segments[number].release() }
        guard wanted != count else { return }
        segments.deallocate()
        segments = Self.emptySegments(wanted)
        count = wanted
    }

    /// Bytes of memory in use.
    var byteCount: Int {
        var sum = 0
        for number in 0..<count { sum += segments[number].byteCount }
        return sum
    }
}
