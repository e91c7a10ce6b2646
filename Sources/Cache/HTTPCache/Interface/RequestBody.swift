/// The body of a request.
public enum RequestBody: Sendable {
    /// Bytes in memory. They can be sent again, for instance after a redirection.
    case bytes([UInt8])
    /// Bytes that are read while they are sent, and can be sent once.
    ///
    /// - Parameter length: the number of bytes; `nil` if it is not known, and the transport has to mark the end instead.
    case stream(any RequestBodyStream, length: Int64?)
}

/// A request's body that is read while it is sent. Read by one task at a time.
public protocol RequestBodyStream: Sendable {
    /// The next bytes, at least one; `nil` at the end.
    ///
    /// - Throws: any error; the request then fails with it.
    func next() async throws -> [UInt8]?
}
