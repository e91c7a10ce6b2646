// Invariant of the pointers: a record is read only if all of its 24 bytes are there.

/// libCacheSim's oracleGeneral: 24 bytes a request, little-endian, packed, no header.
///
/// | bytes | contents |
/// |---|---|
/// | 0 ..< 4 | seconds, unsigned |
/// | 4 ..< 12 | id |
/// | 12 ..< 16 | bytes of the object, unsigned |
/// | 16 ..< 24 | number of the next request for the object, from 1; −1 for none |
///
/// The last field is ignored: the next request is found by reading on.
package struct OracleGeneralTrace: PlainDecoder {
    package static let recordCount = 24

    package let input: TraceInput

    package init(_ input: TraceInput) { self.input = input }

    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        let bytes = try input.peek(Self.recordCount)
        guard !bytes.isEmpty else { return nil }
        guard bytes.count == Self.recordCount else {
            let offset = input.offset
            input.skip(bytes.count)
            throw TraceError(
                input.name, .offset(offset),
                "\(bytes.count) of a request's 24 bytes; an oracle-general trace is a multiple of 24 bytes long, and this one is cut short or of another format",
                isSkippable: true)
        }
        let record = bytes.withUnsafeBytes { $0.baseAddress.map(Self.request) }
        input.skip(Self.recordCount)
        return record.map { TraceRequest(id: $0.id, size: $0.size, time: $0.time) }
    }

    @inline(__always)
    package static func request(_ record: UnsafeRawPointer) -> PlainRequest {
        PlainRequest(
            id: UInt64(littleEndian: record.loadUnaligned(fromByteOffset: 4, as: UInt64.self)),
            size: Int(UInt32(littleEndian: record.loadUnaligned(fromByteOffset: 12, as: UInt32.self))),
            time: Double(UInt32(littleEndian: record.loadUnaligned(fromByteOffset: 0, as: UInt32.self))))
    }
}
