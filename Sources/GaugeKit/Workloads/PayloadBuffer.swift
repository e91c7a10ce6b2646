/// Room for one body at a time, reused, so that making bodies allocates nothing while something is measured.
public final class PayloadBuffer {
    private let room: UnsafeMutableRawBufferPointer

    /// Room for bodies of up to `capacity` bytes.
    public init(capacity: Int) {
        room = .allocate(byteCount: max(1, min(capacity, Payload.maximumCount)), alignment: 64)
    }

    deinit { room.deallocate() }

    /// The longest body that fits.
    public var capacity: Int { room.count }

    /// Writes a body.
    ///
    /// - Parameter count: its length; cut to ``capacity``.
    /// - Returns: the body's bytes, until the next call or the end of the buffer.
    public func body(key: UInt64, version: UInt64, count: Int) -> UnsafeRawBufferPointer {
        let body = UnsafeMutableRawBufferPointer(rebasing: room[..<max(0, min(count, room.count))])
        Payload.write(body, key: key, version: version)
        return UnsafeRawBufferPointer(body)
    }
}
