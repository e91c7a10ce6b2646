// Invariant of the pointers: a record is read only if all of its bytes are in the buffer, and within the call.

/// A request of a trace without URLs and HTTP metadata: 24 bytes, in the place of a ``TraceRequest``.
package struct PlainRequest: Hashable, Sendable {
    package let id: UInt64
    /// Bytes of the body; −1 if the trace does not state them.
    package let size: Int
    /// Seconds since a moment chosen by the trace; −∞ if the trace has no times.
    package let time: Double

    package init(id: UInt64, size: Int = -1, time: Double = -.infinity) {
        (self.id, self.size, self.time) = (id, size, time)
    }

    /// A request of which no more is known.
    package init(_ request: TraceRequest) {
        self.init(id: request.id, size: request.size ?? -1, time: request.time ?? -.infinity)
    }
}

/// Reads a format of records of one length, many at a time.
protocol PlainDecoder: TraceDecoder {
    var input: TraceInput { get }
    /// Bytes of a record.
    static var recordCount: Int { get }
    /// The request of a record, of whose bytes all are there.
    static func request(_ record: UnsafeRawPointer) -> PlainRequest
    /// Appends the next requests, as many as are in the buffer whole, up to the capacity of the block.
    func read(into block: inout [PlainRequest]) throws(TraceError)
}

extension PlainDecoder {
    // Inlined into each decoder, so that the compiler knows the type of the record in the loop.
    @inline(__always)
    func read(into block: inout [PlainRequest]) throws(TraceError) {
        let bytes = try input.available()
        let count = min(bytes.count / Self.recordCount, block.capacity - block.count)
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for index in 0..<count { block.append(Self.request(base + index * Self.recordCount)) }
        }
        input.skip(count * Self.recordCount)
    }
}
