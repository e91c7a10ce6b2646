// Invariant of the pointers: the bytes are lent for one call; loads and stores stay below `encodedSize`, which is
// checked.

/// The facts about a stored response that decide on a hit. They are computed once, at the store; after that, freshness
/// follows from these integers and the clock, and no header is read again.
///
/// Trivially copyable, 40 bytes. Its form in memory and on disk is described below.
@frozen
public struct StoredFacts: Equatable, Sendable {
    /// Facts that are true or false.
    @frozen
    public struct Flags: OptionSet, Sendable {
        /// One bit for each flag.
        public var rawValue: UInt16
        /// Wraps the bits.
        @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Never reused before the origin confirms it, fresh or not: `no-cache`, or a `Cache-Control` with an
        /// unreadable part, which may contain it.
        @inlinable public static var alwaysValidate: Self { Self(rawValue: 1 << 0) }
        /// Never reused stale: `must-revalidate`.
        @inlinable public static var mustRevalidate: Self { Self(rawValue: 1 << 1) }
        /// It has an `ETag`.
        @inlinable public static var hasEntityTag: Self { Self(rawValue: 1 << 2) }
        /// It has a `Last-Modified`, readable or not.
        @inlinable public static var hasLastModified: Self { Self(rawValue: 1 << 3) }
        /// It has a `Vary`, so its variant key decides whether it answers a request.
        @inlinable public static var hasVary: Self { Self(rawValue: 1 << 4) }
        /// This cache estimated its lifetime.
        @inlinable public static var isHeuristic: Self { Self(rawValue: 1 << 5) }
        /// `immutable` (RFC 8246): a reload does not confirm it while it is fresh. It does not lengthen the lifetime.
        @inlinable public static var isImmutable: Self { Self(rawValue: 1 << 6) }

        /// Every flag that has a meaning.
        @inlinable static var all: Self { Self(rawValue: (1 << 7) - 1) }
        /// It has a validator of either kind, so the origin can confirm it.
        @inlinable static var hasValidator: Self { [.hasEntityTag, .hasLastModified] }
    }

    /// When it was received, or last confirmed by the origin: seconds since 1970.
    public let receivedAt: Int64
    /// Its age at that moment, seconds, at least 0.
    public let initialAge: Int64
    /// Its freshness lifetime, seconds, at least 0.
    public let lifetime: Int64
    /// `stale-while-revalidate`: seconds after the lifetime; 0 when absent or unreadable.
    public let staleWhileRevalidate: UInt32
    /// `stale-if-error`: seconds after the lifetime; 0 when absent or unreadable.
    public let staleIfError: UInt32
    /// The facts that are true of it.
    public let flags: Flags
    /// The status code, from 200 to 599.
    public let status: UInt16
    /// `Date` − `receivedAt`, limited to 32 bits; 0 without a `Date`. See `generatedAt`.
    @usableFromInline let dateOffset: Int32

    /// The facts of a response.
    ///
    /// - Parameters:
    ///   - requestTime: when the request was sent, seconds since 1970.
    ///   - responseTime: when the response was received, likewise.
    package init(_ response: ResponseValues, requestTime: Int64, responseTime: Int64) {
        let fields = response.fields
        let directives = fields.cacheControl.directives
        let lifetime = FreshnessLifetime(response, responseTime: responseTime)
        var flags: Flags = []
        if !directives.isDisjoint(with: [.noCache, .malformed]) { flags.insert(.alwaysValidate) }
        if directives.contains(.mustRevalidate) { flags.insert(.mustRevalidate) }
        if directives.contains(.immutable) { flags.insert(.isImmutable) }
        if response.hasEntityTag { flags.insert(.hasEntityTag) }
        if response.hasLastModified { flags.insert(.hasLastModified) }
        if fields.vary != .nothing { flags.insert(.hasVary) }
        if lifetime.isHeuristic { flags.insert(.isHeuristic) }

        receivedAt = responseTime
        initialAge = InitialAge.seconds(fields, requestTime: requestTime, responseTime: responseTime)
        self.lifetime = lifetime.seconds
        staleWhileRevalidate = UInt32(clamping: fields.cacheControl.staleWhileRevalidate.seconds ?? 0)
        staleIfError = UInt32(clamping: fields.cacheControl.staleIfError.seconds ?? 0)
        self.flags = flags
        status = UInt16(clamping: response.status)
        let date = fields.date.seconds ?? responseTime
        dateOffset = Int32(clamping: date.subtractingSaturated(responseTime))
    }

    /// The same, read from the response itself.
    package init(_ response: HTTPResponse, requestTime: Int64, responseTime: Int64) {
        let values = ResponseValues(response, responseTime: responseTime)
        self.init(values, requestTime: requestTime, responseTime: responseTime)
    }

    @usableFromInline
    init(
        receivedAt: Int64, initialAge: Int64, lifetime: Int64, staleWhileRevalidate: UInt32, staleIfError: UInt32,
        flags: Flags, status: UInt16, dateOffset: Int32
    ) {
        self.receivedAt = receivedAt
        self.initialAge = initialAge
        self.lifetime = lifetime
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.flags = flags
        self.status = status
        self.dateOffset = dateOffset
    }

    /// The age at `now`, in seconds: `current_age` of RFC 9111, section 4.2.3, and the `Age` that an answer from the
    /// cache carries.
    ///
    /// If the clock was set back behind `receivedAt`, the response is still no younger than on arrival.
    @inlinable
    public func currentAge(at now: Int64) -> Int64 {
        initialAge.addingSaturated(max(now.subtractingSaturated(receivedAt), 0))
    }

    /// Whether it is younger than its lifetime at `now` (RFC 9111, section 4.2). Whether it answers a request without
    /// asking the origin, `Reuse.decide` says: `no-cache` may forbid it, or the request.
    @inlinable public func isFresh(at now: Int64) -> Bool { currentAge(at: now) < lifetime }

    /// Whether it has an `ETag` or a `Last-Modified` to ask the origin about.
    @inlinable public var hasValidator: Bool { !flags.isDisjoint(with: .hasValidator) }

    /// When the origin generated it: its `Date`, or else when it was received. Of several stored responses that match a
    /// request, the latest is used (RFC 9111, section 4).
    package var generatedAt: Int64 { receivedAt.addingSaturated(Int64(dateOffset)) }
}

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
// An entry that breaks a rule of this table is a miss. A new version changes the number, and entries of other versions
// are misses, too; a cache may forget.
extension StoredFacts {
    /// Bytes of the encoded form.
    public static let encodedSize = 40

    @usableFromInline static let version: UInt16 = 1

    /// Reads the facts that `encode` wrote from the first `encodedSize` bytes.
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

    package var encoded: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.encodedSize) { buffer, count in
            encode(into: UnsafeMutableRawBufferPointer(buffer))
            count = Self.encodedSize
        }
    }
}
