import CSupport

/// Says of two results whether they are of one trace: CRC-32C over all bytes of the trace as they were read, and how many
/// they are. Against accident, not against intent.
package struct TraceDigest: Hashable, Sendable {
    /// CRC-32C (RFC 3720, appendix B.4).
    package private(set) var checksum: UInt32 = 0
    /// Bytes of the trace.
    package private(set) var count = 0

    /// Goes on by bytes; 0.03 ns each where the processor has the instruction.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        checksum = cs_crc32c(checksum, bytes.baseAddress, bytes.count)
        count += bytes.count
    }

    /// `crc32c:e3069283`.
    package var text: String {
        let digits = String(checksum, radix: 16)
        return "crc32c:" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
