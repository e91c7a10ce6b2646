/// A body on its way from the origin. Reading it drives the fetch, where it is too long to be kept; letting go of it
/// before its end cancels the fetch, unless somebody else reads it too.
///
/// Asked from one task at a time.
public final class BodyStream: Sendable {
    private let seat: Seat
    private let relay: BodyRelay
    private let reader: Int

    init(_ relay: BodyRelay, reader: Int, seat: Seat) {
        self.relay = relay
        self.reader = reader
        self.seat = seat
    }

    deinit { relay.detach(reader) }

    /// The next bytes; `nil` at the end. A body that is stored is so by then.
    ///
    /// - Throws: `brokenOff` when the rest did not come, `cancelled` when the calling task was.
    public func next() async throws(EngineError) -> [UInt8]? {
        // Kept to the end of the wait, or it might count as let go meanwhile.
        defer { withExtendedLifetime(self) {} }
        switch await relay.next(for: reader) {
        case .chunk(let bytes): return bytes
        case .end: return nil
        case .failed(let error): throw error
        }
    }
}
