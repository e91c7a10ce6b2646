// Invariant of the pointers: the bytes are lent for one call; loads and stores stay below `encodedSize`, which is
// checked.

// The form of `StoredFacts` at the head of an entry's metadata, in memory and on disk. Little-endian, no gaps:
//
//   offset  size  what
//        0     8  receivedAt, signed
//        8     8  initialAge, signed, at least 0
//       16     8  lifetime, signed, at least 0
//       24     4  staleWhileRevalidate, at most 2^31
//       28     4  staleIfError, at most 2^31
//       32     2  bits 0 to 11 flags, unknown ones 0; bits 12 to 15 the version, 1
//       34     2  status, 200 to 599
//       36     4  dateOffset, signed
//
// Whatever breaks a rule of this table is no stored response: the entry is a miss. A new version changes the number, and
// entries of another version are misses too; a cache may forget.
extension StoredFacts {
    /// Bytes of the encoded form.
    public static let encodedSize = 40

    @usableFromInline static let version: UInt16 = 1

    /// Reads facts that `encode` wrote from the first `encodedSize` bytes.
    ///
    /// The bytes are untrusted: any others give `nil` or facts within their bounds, and nothing traps.
    @inlinable
    public init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.encodedSize else { return nil }
        let word = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt16.self))
        self.init(
            untrusted: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)),
            initialAge: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)),
            lifetime: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: Int64.self)),
            staleWhileRevalidate: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self)),
            staleIfError: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self)),
            flags: Flags(rawValue: word & 0x0FFF), version: word >> 12,
            status: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 34, as: UInt16.self)),
            dateOffset: Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 36, as: Int32.self)))
    }

    @inlinable
    init?(
        untrusted receivedAt: Int64, initialAge: Int64, lifetime: Int64, staleWhileRevalidate: UInt32,
        staleIfError: UInt32, flags: Flags, version: UInt16, status: UInt16, dateOffset: Int32
    ) {
        guard version == Self.version, Flags.all.isSuperset(of: flags), status &- 200 < 400,
            initialAge | lifetime >= 0, max(staleWhileRevalidate, staleIfError) <= 1 << 31
        else { return nil }
        self.init(
            receivedAt: receivedAt, initialAge: initialAge, lifetime: lifetime,
            staleWhileRevalidate: staleWhileRevalidate, staleIfError: staleIfError, flags: flags, status: status,
            dateOffset: dateOffset)
    }

    /// Writes the facts into the first `encodedSize` bytes.
    ///
    /// - Precondition: `bytes` has room for them.
    package func encode(into bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= Self.encodedSize, "stored facts need \(Self.encodedSize) bytes")
        bytes.storeBytes(of: receivedAt.littleEndian, toByteOffset: 0, as: Int64.self)
        bytes.storeBytes(of: initialAge.littleEndian, toByteOffset: 8, as: Int64.self)
        bytes.storeBytes(of: lifetime.littleEndian, toByteOffset: 16, as: Int64.self)
        bytes.storeBytes(of: staleWhileRevalidate.littleEndian, toByteOffset: 24, as: UInt32.self)
        bytes.storeBytes(of: staleIfError.littleEndian, toByteOffset: 28, as: UInt32.self)
        bytes.storeBytes(of: (flags.rawValue | Self.version << 12).littleEndian, toByteOffset: 32, as: UInt16.self)
        bytes.storeBytes(of: status.littleEndian, toByteOffset: 34, as: UInt16.self)
        bytes.storeBytes(of: dateOffset.littleEndian, toByteOffset: 36, as: Int32.self)
    }

    /// The encoded form.
    package var encoded: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.encodedSize) { buffer, count in
            encode(into: UnsafeMutableRawBufferPointer(buffer))
            count = Self.encodedSize
        }
    }
}
