/// Room for one body at a time, reused, so that making bodies allocates nothing while something is measured, and writes
/// next to nothing: the room holds the pattern that bodies are filled with, and a body is lent from its own place in the
/// pattern, once its header and stamps are written there.
///
/// Invariant: below `laid` the room is the pattern, but for header and stamps of the body that was lent last. Beyond it
/// nothing was written but a body without a header: what no body was long enough for takes no memory.
@usableFromInline package final class PayloadBuffer {
    private let room: UnsafeMutableRawBufferPointer
    private var laid = 0
    private var lent: UnsafeMutableRawBufferPointer

    /// Room for bodies of up to `capacity` bytes.
    @usableFromInline package init(capacity: Int) {
        self.capacity = max(1, min(capacity, Payload.maximumCount))
        room = .allocate(byteCount: PayloadFiller.period + self.capacity + Payload.headerCount, alignment: 64)
        lent = UnsafeMutableRawBufferPointer(rebasing: room[..<0])
    }

    deinit { room.deallocate() }

    /// The longest body that fits.
    @usableFromInline package let capacity: Int

    /// Makes a body.
    ///
    /// - Parameter count: its length; cut to ``capacity``.
    /// - Returns: the body's bytes, until the next call or the end of the buffer.
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

    /// Lays the pattern as far as a body needs it.
    private func lay(upTo end: Int) {
        guard end > laid, let start = room.baseAddress else { return }
        PayloadFiller.layPattern(start, from: laid, to: end, phase: 0)
        laid = end
    }

    /// Puts the pattern back where the last body had its header and stamps. A body without a header is taken for one with:
    /// the room goes on behind it.
    private func takeBack() {
        guard let start = room.baseAddress, let first = lent.baseAddress, !lent.isEmpty else { return }
        PayloadFiller.layPattern(
            UnsafeMutableRawPointer(start), whereStamped: lent.count, phase: first - UnsafeMutableRawPointer(start))
    }
}
