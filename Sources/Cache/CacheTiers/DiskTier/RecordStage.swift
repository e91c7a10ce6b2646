import CSupport
import Platform

/// The newest records of the log while they wait in memory, so that several are written with one call.
///
/// One run of bytes at the head of the log; from a record's end to the next one's beginning it has zeros.
/// `RecordLog` decides which records may be lost, and which writes must follow all waiting ones.
///
/// Invariant of the pointer: `bytes` has `RecordStage.capacity` bytes, of which the first `count` are initialised, whole
/// records one after the other; freed by `deinit`.
struct RecordStage: ~Copyable {
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: RecordStage.capacity, alignment: 64)
    /// Where in the file the run begins.
    private(set) var start = 0
    /// Bytes that wait.
    private(set) var count = 0
    /// Of the copies among what waits, in their order, each one's offset, and its original's place.
    private var copies: [(offset: Int, original: UInt32)] = []

    /// Bytes of the run: one call for them costs 3.7 µs, sixteen 18. Twice as many would save less than a tenth more.
    private static let capacity = 64 << 10
    /// Bytes of a record, header included; a longer one gains less by waiting than it costs to copy once more.
    static let mostRecordBytes = (8 << 10) + 512

    deinit { bytes.deallocate() }

    /// Whether nothing waits.
    @inline(__always)
    var isEmpty: Bool { count == 0 }

    /// Whether the byte at `offset` of the file waits.
    @inline(__always)
    func holds(_ offset: Int) -> Bool { offset >= start && offset < start + count }

    /// Whether a record of `length` bytes at `offset` of the file can be added to what waits.
    @inline(__always)
    func takes(_ length: Int, at offset: Int) -> Bool {
        isEmpty ? length <= Self.mostRecordBytes : offset == start + count && count + length <= Self.capacity
    }

    /// Adds a record. `takes` has to have said so.
    ///
    /// - Parameter length: bytes of the record with what pads it.
    @inline(__always)
    mutating func append(
        at offset: Int, _ length: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) {
        if isEmpty { start = offset }
        let target = bytes + count
        let end = first.count + second.count
        memset(target + end, 0, length - end)
        if let source = first.baseAddress { target.copyMemory(from: source, byteCount: first.count) }
        if let source = second.baseAddress { (target + first.count).copyMemory(from: source, byteCount: second.count) }
        count += length
    }

    /// Notes that the record at `offset` is a copy, and at which place (`LogGeometry.place`) its original stands.
    mutating func noteCopy(at offset: Int, of original: UInt32) { copies.append((offset, original)) }

    /// The place (`LogGeometry.place`) of the original of the record at `offset`; `nil` when it is no copy.
    func original(of offset: Int) -> UInt32? { copies.first { $0.offset == offset }?.original }

    /// The waiting bytes, until the next change.
    var run: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

    /// Copies the waiting bytes from `offset` of the file on.
    ///
    /// - Returns: the number of bytes copied; fewer than asked for only where the waiting bytes end.
    func copy(_ offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
        let available = UnsafeRawBufferPointer(rebasing: run[(offset - start)...].prefix(target.count))
        target.copyMemory(from: available)
        return available.count
    }

    /// The header of the waiting record at `offset`.
    func header(at offset: Int) -> RecordHeader {
        var header = RecordHeader()
        lendMutableBytes(of: &header) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes + (offset - start), count: RecordHeader.byteCount))
        }
        return header
    }

    /// Lets nothing wait any more.
    @inline(__always)
    mutating func empty() {
        count = 0
        if !copies.isEmpty { copies.removeAll(keepingCapacity: true) }
    }
}
