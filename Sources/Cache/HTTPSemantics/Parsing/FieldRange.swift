/// A place: `count` bytes from `offset`, of a field value or of a field block as its owner says.
///
/// Parsers hand out places instead of bytes, so that nothing is copied and nothing is kept alive.
public struct FieldRange: Hashable, Sendable {
    /// Offset of the first byte.
    public var offset: UInt32
    /// The number of bytes.
    public var count: UInt32

    /// `count` bytes from `offset`.
    @inlinable
    public init(offset: UInt32 = 0, count: UInt32 = 0) {
        self.offset = offset
        self.count = count
    }

    /// The same place, as a range of offsets.
    @inlinable public var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }

    /// The text at this place in `bytes`; empty if the place is not inside. Bytes that are not UTF-8 are escaped; see
    /// `HTTPFields.Field.valueBytes`.
    package func text(in bytes: RawSpan) -> String {
        bytes.withUnsafeBytes { String(fieldBytes: slice(of: $0)) }
    }

    /// The place of `range`; beyond 4 GiB, where no field reaches, it is clamped.
    init(_ range: Range<Int>) {
        self.init(offset: UInt32(clamping: range.lowerBound), count: UInt32(clamping: range.count))
    }

    /// The place of `range`, which ends within the first 4 GiB.
    @inline(__always)
    init(within range: Range<Int>) {
        self.init(
            offset: UInt32(truncatingIfNeeded: range.lowerBound), count: UInt32(truncatingIfNeeded: range.count))
    }

    /// The bytes of `bytes` at this place; none when it is not inside.
    func slice(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard range.upperBound <= bytes.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    /// The place `distance` bytes further on.
    func shifted(by distance: Int) -> FieldRange {
        FieldRange(offset: UInt32(clamping: Int(offset) + distance), count: count)
    }
}
