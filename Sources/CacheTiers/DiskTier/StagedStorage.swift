import Platform

/// A storage before which the newest records of the log may wait in memory, so that several are written with one call.
///
/// What waits is one run of bytes at the head of the log. Whatever else is asked for (another write, a read in the run, a
/// change of length, a synchronisation) writes the run first: so the file always holds the beginning of all that was
/// written, in order, and a process that is killed loses the run and nothing before it. Whether a record may be lost is
/// for the caller to know (`RecordLog.store`).
///
/// `@unchecked Sendable`: all but `base` is used under the lock of the `DiskLog` that the log belongs to.
/// Invariant of the pointer: `bytes` has `capacity` bytes, of which the first `count` are initialised; freed in `deinit`.
package final class StagedStorage<Base: DiskStorage>: DiskStorage, @unchecked Sendable {
    /// Where all ends up. What waits is not there yet.
    let base: Base
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: StageLimits.bytes, alignment: 64)
    /// Where in the file the run begins.
    private var start = 0
    /// Bytes that wait.
    private(set) var count = 0
    /// The run could not be written: nobody knows what stands at the head now, and nothing may follow it in its unit.
    private(set) var hasGap = false

    init(_ base: Base) { self.base = base }

    deinit { bytes.deallocate() }

    /// Whether something waits.
    @inline(__always)
    var isStaging: Bool { count > 0 }

    /// Whether the byte at `offset` of the file waits.
    @inline(__always)
    func stages(_ offset: Int) -> Bool { offset >= start && offset < start + count }

    /// Writes a record later, together with those after it. `offset` is a multiple of eight; what is missing to the next
    /// one is filled with zeros.
    ///
    /// - Throws: when those before it could not be written; this one is lost, too.
    @inline(__always)
    func stage(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(StorageError) {
        let length = paddedToEight(first.count + second.count)
        guard length <= StageLimits.record else { return try write(at: offset, first, second) }
        if !continues(at: offset, length) {
            try writeStage()
            start = offset
        }
        append(first, second, length)
    }

    private func continues(at offset: Int, _ length: Int) -> Bool {
        offset == start + count && count + length <= StageLimits.bytes
    }

    private func append(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, _ length: Int) {
        let target = bytes + count
        // Before the record, which leaves of it what is padding.
        (target + (length - 8)).storeBytes(of: 0, as: UInt64.self)
        if let source = first.baseAddress { target.copyMemory(from: source, byteCount: first.count) }
        if let source = second.baseAddress { (target + first.count).copyMemory(from: source, byteCount: second.count) }
        count += length
    }

    /// Writes what waits.
    ///
    /// - Throws: when it could not be written, which loses it.
    func writeStage() throws(StorageError) {
        guard count > 0 else { return }
        let run = UnsafeRawBufferPointer(start: bytes, count: count)
        count = 0
        hasGap = true
        try base.write(at: start, run, UnsafeRawBufferPointer(start: nil, count: 0))
        hasGap = false
    }

    /// Forgets what waits: all that was stored is given up.
    func dropStage() {
        count = 0
        hasGap = false
    }

    /// The log goes on in another unit.
    func leaveGap() { hasGap = false }

    // MARK: DiskStorage

    package func byteCount() throws(StorageError) -> Int { try base.byteCount() }

    package func allocatedByteCount() throws(StorageError) -> Int { try base.allocatedByteCount() }

    package func read(
        at offset: Int, into first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
        if offset < start + count, offset + first.count + second.count > start { try writeStage() }
        return try base.read(at: offset, into: first, second)
    }

    package func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(StorageError) {
        if count > 0 {
            if continues(at: offset, paddedToEight(first.count + second.count)) {
                append(first, second, paddedToEight(first.count + second.count))
                return try writeStage()
            }
            try writeStage()
        }
        try base.write(at: offset, first, second)
    }

    package func reserve(_ byteCount: Int) throws(StorageError) { try base.reserve(byteCount) }

    package func resize(to byteCount: Int) throws(StorageError) {
        try writeStage()
        try base.resize(to: byteCount)
    }

    package func synchronize() throws(StorageError) {
        try writeStage()
        try base.synchronize()
    }
}

/// How much may wait.
private enum StageLimits {
    /// Bytes of the run: one call for them costs 3.7 µs, sixteen 18. Twice as many would save less than a tenth more.
    static let bytes = 64 << 10
    /// Bytes of a record, header included; a longer one gains less by waiting than it costs to copy once more.
    static let record = (8 << 10) + 512
}
