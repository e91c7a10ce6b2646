/// A reused buffer for one body at a time, so that making bodies allocates nothing during a measurement and writes few
/// bytes: the buffer holds the fill pattern, and a body is lent from its own offset in the pattern, after its header
/// and stamps are written there.
///
/// Invariant: below `laid` the buffer holds the pattern, except for header and stamps of the body lent last. Beyond it,
/// only a body without a header was written: the part that no body has reached takes no memory.
@usableFromInline package final class PayloadBuffer {
    private let room: UnsafeMutableRawBufferPointer
    private var laid = 0
    private var lent: UnsafeMutableRawBufferPointer

    /// Creates a buffer for bodies of up to `capacity` bytes.
    @usableFromInline package init(capacity: Int) {
        self.capacity = max(1, min(capacity, Payload.maximumCount))
        room = .allocate(byteCount: PayloadFiller.period + self.capacity + Payload.headerCount, alignment: 64)
        lent = UnsafeMutableRawBufferPointer(rebasing: room[..<0])
    }

    deinit { room.deallocate() }

    /// The longest body that fits, bytes.
    @usableFromInline package let capacity: Int

    /// Makes a body.
    ///
    /// - Parameter count: its length, bytes; cut to ``capacity``.
    /// - Returns: the body's bytes, valid until the next call or the end of the buffer.
    @usableFromInline package func body(key: UInt64, version: UInt64, count: Int) -> UnsafeRawBufferPointer {
        takeBack()
        let filler = PayloadFiller(key: key, version: version)
        let end = filler.phase + max(0, min(count, capacity))
        lent = UnsafeMutableRawBufferPointer(rebasing: room[filler.phase..<end])
        if lent.count < Payload.headerCount {
            filler.write(lent)
        } else {
            lay(upTo: end)
            Payload.writeHeader(lent, key: key, version: version)
            filler.writeStamps(lent)
        }
        return UnsafeRawBufferPointer(lent)
    }

    /// Writes the pattern as far as a body needs it.
    private func lay(upTo end: Int) {
        guard end > laid, let start = room.baseAddress else { return }
        PayloadFiller.layPattern(start, from: laid, to: end, phase: 0)
        laid = end
    }

    /// Restores the pattern where the last body had its header and stamps. A body without a header is treated like one
    /// with a header, since the buffer is longer than that.
    private func takeBack() {
        guard let start = room.baseAddress, let first = lent.baseAddress, !lent.isEmpty else { return }
        PayloadFiller.layPattern(
            UnsafeMutableRawPointer(start), whereStamped: lent.count, phase: first - UnsafeMutableRawPointer(start))
    }
}
