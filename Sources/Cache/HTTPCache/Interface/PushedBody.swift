/// A body whose transport brings the bytes unasked, on its own thread, so that nothing has to switch threads for each of
/// its parts.
package protocol PushedBody: IncomingBody {
    /// All bytes have come, so that `deliver` will not wait.
    var isComplete: Bool { get }

    /// Adds the bytes to `sink` as they come. May be called again after it returned `false`.
    ///
    /// - Returns: `true` at the end, `false` as soon as `sink` has asked to stop.
    /// - Throws: any error, if the rest will not come.
    func deliver(to sink: any BodySink) async throws -> Bool
}

/// Takes the bytes of a `PushedBody`, from one thread at a time.
package protocol BodySink: AnyObject, Sendable {
    /// How many bytes may be added now; the next addition may be larger by one part. If it is 0, `onRoom` is called when
    /// that has changed.
    func room(orCall onRoom: @escaping @Sendable () -> Void) -> Int
    /// Adds bytes.
    ///
    /// - Returns: whether more may follow before `deliver` has returned.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// Adds bytes, which the caller does not use any more.
    func append(_ bytes: BodyBytes) -> Bool
    /// No more bytes are at hand: readers that wait have to be woken.
    func flush()
}
