// Invariant of the pointers: a record is read only if all of its 4 bytes are there.

/// Big-endian signed 32-bit keys with no header. The id is the key's bit pattern.
package struct BE32Trace: PlainDecoder {
    package static let recordCount = 4

    package let input: TraceInput

    package init(_ input: TraceInput) { self.input = input }

    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        let bytes = try input.peek(4)
        guard !bytes.isEmpty else { return nil }
        guard bytes.count == 4 else {
            let offset = input.offset
            input.skip(bytes.count)
            throw TraceError(
                input.name, .offset(offset),
                "\(bytes.count) of a key's 4 bytes; a be32 trace is a multiple of 4 bytes long, and this one is cut short or of another format",
                isSkippable: true)
        }
        let record = bytes.withUnsafeBytes { $0.baseAddress.map(Self.request) }
        input.skip(4)
        return record.map { TraceRequest(id: $0.id) }
    }

    @inline(__always)
    package static func request(_ record: UnsafeRawPointer) -> PlainRequest {
        PlainRequest(id: UInt64(UInt32(bigEndian: record.loadUnaligned(as: UInt32.self))))
    }
}
