/// A body that says what it is, so that any cache's answer can be judged from its bytes alone.
///
/// | bytes | what (little-endian) |
/// |---|---|
/// | 0 ..< 4 | `CGP1` |
/// | 4 ..< 8 | length of the whole body |
/// | 8 ..< 16 | key id |
/// | 16 ..< 24 | version |
/// | 24 ..< 32 | ``seal(key:version:count:)`` |
/// | 512, 1024, … ..< +8 | a stamp: a hash of key, version and place |
/// | the rest | a fixed pattern, from a place in it on that follows from key and version |
///
/// A body shorter than 32 bytes has no header, and all of it follows from key and version. A body is judged by comparing
/// all of it with what its header says that it is: no byte of an answer can be another than it should be without being
/// noticed. Of a piece of another body in the same place that holds no stamp, 1 in 16,384 is not noticed, since it is
/// byte for byte the same.
@usableFromInline package enum Payload {
    /// Bytes of the header, and the shortest body that has one.
    @usableFromInline package static let headerCount = 32
    /// The longest body that the length field can describe.
    @usableFromInline package static let maximumCount = Int(UInt32.max)

    package static let magic = UInt32(0x3150_4743)

    /// Writes the body of one version of a key.
    ///
    /// - Parameters:
    ///   - body: all of it is written; at most ``maximumCount`` bytes.
    ///   - key: whose body it is.
    ///   - version: which of its bodies; 1 is the first.
    @usableFromInline package static func write(_ body: UnsafeMutableRawBufferPointer, key: UInt64, version: UInt64) {
        if body.count >= headerCount { writeHeader(body, key: key, version: version) }
        PayloadFiller(key: key, version: version).write(body)
    }

    /// Writes the first ``headerCount`` bytes of a body that is at least as long.
    package static func writeHeader(_ body: UnsafeMutableRawBufferPointer, key: UInt64, version: UInt64) {
        let length = UInt32(truncatingIfNeeded: body.count)
        body.storeBytes(of: magic.littleEndian, toByteOffset: 0, as: UInt32.self)
        body.storeBytes(of: length.littleEndian, toByteOffset: 4, as: UInt32.self)
        body.storeBytes(of: key.littleEndian, toByteOffset: 8, as: UInt64.self)
        body.storeBytes(of: version.littleEndian, toByteOffset: 16, as: UInt64.self)
        let seal = seal(key: key, version: version, count: body.count)
        body.storeBytes(of: seal.littleEndian, toByteOffset: 24, as: UInt64.self)
    }

    /// Judges a body that a cache handed out.
    ///
    /// - Parameters:
    ///   - body: the bytes handed out.
    ///   - key: the key asked for.
    ///   - version: the version that is current.
    ///   - count: its length.
    /// - Returns: `nil` when the body is what it should be, to the bit.
    @usableFromInline package static func fault(
        in body: UnsafeRawBufferPointer, key: UInt64, version: UInt64, count: Int
    ) -> PayloadFault? {
        guard let identity = identity(of: body) else {
            if body.count != count { return .wrongLength(body.count, expected: count) }
            return body.count < headerCount && PayloadFiller(key: key, version: version).matches(body) ? nil : .damaged
        }
        if identity.key != key { return .otherKey(identity.key, version: identity.version) }
        if identity.version != version { return .otherVersion(identity.version, expected: version) }
        return body.count == count ? nil : .wrongLength(body.count, expected: count)
    }

    /// The key and version that a body claims to be.
    ///
    /// - Returns: `nil` when it is too short to say, or is anything else than that body, to the bit.
    @usableFromInline package static func identity(of body: UnsafeRawBufferPointer) -> (key: UInt64, version: UInt64)? {
        guard body.count >= headerCount,
            UInt32(littleEndian: body.loadUnaligned(fromByteOffset: 0, as: UInt32.self)) == magic,
            UInt32(littleEndian: body.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) == body.count
        else { return nil }
        let key = UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        let version = UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        let seal = UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        guard seal == Self.seal(key: key, version: version, count: body.count),
            PayloadFiller(key: key, version: version).matches(body)
        else { return nil }
        return (key, version)
    }

    /// Whether key and version in the header are those given. Two comparisons, for loops of nanoseconds, in which a
    /// whole check would be most of the time; such a loop checks its bodies in full before and after.
    @inlinable
    package static func isLabelled(_ body: UnsafeRawBufferPointer, key: UInt64, version: UInt64) -> Bool {
        body.count >= 32
            && UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) == key
            && UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 16, as: UInt64.self)) == version
    }
}

/// What is wrong with a body that a cache handed out.
@usableFromInline package enum PayloadFault: Hashable, Sendable, CustomStringConvertible {
    /// Intact, and another key's.
    case otherKey(UInt64, version: UInt64)
    /// Intact, and not the version that is current.
    case otherVersion(UInt64, expected: UInt64)
    /// Not as long as the body is.
    case wrongLength(Int, expected: Int)
    /// Torn or changed: not what its header says.
    case damaged

    /// For people.
    @usableFromInline package var description: String {
        switch self {
        case .otherKey(let key, let version): "an intact body of another key: key \(key) version \(version)"
        case .otherVersion(let version, let expected):
            "an intact body of version \(version), not of version \(expected)"
        case .wrongLength(let count, let expected): "\(count) bytes, not \(expected)"
        case .damaged: "damaged bytes: not what their header says"
        }
    }
}
