// Invariant of the pointers: a record is read only if all its bytes are there.

/// libCacheSim's oracleGeneral: 24 bytes a request, little-endian, packed, no header.
///
/// | bytes | contents |
/// |---|---|
/// | 0 ..< 4 | seconds, unsigned |
/// | 4 ..< 12 | id |
/// | 12 ..< 16 | bytes of the object, unsigned |
/// | 16 ..< 24 | number of the next request for the object, from 1; −1 for none |
///
/// The last field is ignored.
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

/// VMware's vscsi traces of versions 1 and 2, little-endian records without a header. The id is the logical block, the
/// size the bytes transferred.
///
/// | version 1 | version 2 | contents |
/// |---|---|---|
/// | 4 ..< 8 | 8 ..< 12 | bytes of the transfer |
/// | 14 ..< 16 | 2 ..< 4 | the version, in the high byte |
/// | 16 ..< 24 | 16 ..< 24 | logical block |
/// | 24 ..< 32 | 24 ..< 32 | microseconds |
package struct VscsiTrace: TraceDecoder {
    package let input: TraceInput
    private let isSecond: Bool
    private var recordCount: Int { isSecond ? 40 : 32 }

    /// Finds the version from the first two records, or from one if there's no other.
    package init(_ input: TraceInput) throws(TraceError) {
        self.input = input
        let bytes = Array(try input.peek(80))
        func isVersion(_ version: UInt8, at place: Int, of count: Int) -> Bool {
            let records = min(2, bytes.count / count)
            return records > 0 && (0..<records).allSatisfy { bytes[$0 * count + place] == version }
        }
        isSecond = isVersion(2, at: 3, of: 40)
        guard bytes.isEmpty || isSecond || isVersion(1, at: 15, of: 32) else {
            throw TraceError(input.name, .offset(0), "no vscsi trace: its records are of neither version 1 nor 2")
        }
    }

    package mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        let bytes = try input.peek(recordCount)
        guard !bytes.isEmpty else { return nil }
        guard bytes.count == recordCount else {
            let offset = input.offset
            input.skip(bytes.count)
            throw TraceError(
                input.name, .offset(offset),
                "\(bytes.count) of a request's \(recordCount) bytes; the trace is cut short",
                isSkippable: true)
        }
        let request = bytes.withUnsafeBytes { record in
            TraceRequest(
                id: UInt64(littleEndian: record.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
                size: Int(
                    UInt32(littleEndian: record.loadUnaligned(fromByteOffset: isSecond ? 8 : 4, as: UInt32.self))),
                time: Double(UInt64(littleEndian: record.loadUnaligned(fromByteOffset: 24, as: UInt64.self))) / 1e6)
        }
        input.skip(recordCount)
        return request
    }
}

/// Big-endian signed 32-bit keys, without a header. The id is the key's bit pattern.
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
