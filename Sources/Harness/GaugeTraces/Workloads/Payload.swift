// Invariant of the pointers: bytes are lent for one call, and words of the header are loaded only if the count allows.

import GaugeSupport

/// A body that states its key and version, so that you can judge any cache's answer from its bytes alone.
///
/// | bytes | contents (little-endian) |
/// |---|---|
/// | 0 ..< 4 | `CGP1` |
/// | 4 ..< 8 | length of the whole body, bytes |
/// | 8 ..< 16 | key id |
/// | 16 ..< 24 | version |
/// | 24 ..< 32 | ``seal(key:version:count:)`` |
/// | 512, 1024, … ..< +8 | a stamp: a hash of key, version and offset |
/// | the rest | a fixed pattern, from an offset in it that follows from key and version |
///
/// A body shorter than 32 bytes has no header; all of it follows from key and version. All of a body is compared with
/// the one that its header describes, so every wrong byte is detected, with one exception: a piece of another body, at
/// the same offset and without a stamp, is identical in 1 case of 16,384.
@usableFromInline package enum Payload {
    /// Bytes of the header, and of the shortest body that has one.
    @usableFromInline package static let headerCount = 32
    /// The longest body that the length field can describe.
    @usableFromInline package static let maximumCount = Int(UInt32.max)

    package static let magic = UInt32(0x3150_4743)

    /// Writes the body of one version of a key.
    ///
    /// - Parameters:
    ///   - body: all of it is written; at most ``maximumCount`` bytes.
    ///   - version: the body's version; 1 is the first.
    @usableFromInline package static func write(_ body: UnsafeMutableRawBufferPointer, key: UInt64, version: UInt64) {
        if body.count >= headerCount { writeHeader(body, key: key, version: version) }
        PayloadFiller(key: key, version: version).write(body)
    }

    /// Writes the header, the first ``headerCount`` bytes, of a body that is at least as long.
    package static func writeHeader(_ body: UnsafeMutableRawBufferPointer, key: UInt64, version: UInt64) {
        let length = UInt32(truncatingIfNeeded: body.count)
        body.storeBytes(of: magic.littleEndian, toByteOffset: 0, as: UInt32.self)
        body.storeBytes(of: length.littleEndian, toByteOffset: 4, as: UInt32.self)
        body.storeBytes(of: key.littleEndian, toByteOffset: 8, as: UInt64.self)
        body.storeBytes(of: version.littleEndian, toByteOffset: 16, as: UInt64.self)
        let seal = seal(key: key, version: version, count: body.count)
        body.storeBytes(of: seal.littleEndian, toByteOffset: 24, as: UInt64.self)
    }

    /// Judges a body returned by a cache.
    ///
    /// - Parameters:
    ///   - count: the length of the current version, bytes.
    /// - Returns: `nil` if every bit is right.
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

    /// The key and version that a body states.
    ///
    /// - Returns: `nil` if the body is too short to state them, or isn't exactly that body.
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

    /// Whether the header has the given key and version. Two comparisons, for loops of nanoseconds that a complete
    /// check would dominate; such a loop checks its bodies completely before and after.
    @inlinable
    package static func isLabelled(_ body: UnsafeRawBufferPointer, key: UInt64, version: UInt64) -> Bool {
        body.count >= 32
            && UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) == key
            && UInt64(littleEndian: body.loadUnaligned(fromByteOffset: 16, as: UInt64.self)) == version
    }
}

/// The fault of a body returned by a cache.
@usableFromInline package enum PayloadFault: Hashable, Sendable, CustomStringConvertible {
    /// An intact body of another key.
    case otherKey(UInt64, version: UInt64)
    /// An intact body of a version that isn't current.
    case otherVersion(UInt64, expected: UInt64)
    /// A wrong length, bytes.
    case wrongLength(Int, expected: Int)
    /// A torn or changed body that doesn't match its header.
    case damaged

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

extension Payload {
    /// A 64-bit hash of the other header fields: a changed header matches its seal with a probability of 2^-64. The
    /// bytes after the header follow from it and need no seal.
    package static func seal(key: UInt64, version: UInt64, count: Int) -> UInt64 {
        SplitMix64.mix(SplitMix64.mix(SplitMix64.mix(key) &+ version) &+ UInt64(truncatingIfNeeded: count))
    }
}

/// A reused buffer for one body at a time. Making bodies then allocates nothing during a measurement and writes few
/// bytes: the buffer holds the fill pattern; the header and stamps are written at a body's offset in it, and the body
/// is lent from there.
///
/// Invariant: below `laid` the buffer holds the pattern, except for header and stamps of the body lent last. Beyond it,
/// only a body without a header was written, so memory that no body has reached isn't used.
@usableFromInline package final class PayloadBuffer {
    private let room: UnsafeMutableRawBufferPointer
    private var laid = 0
    private var lent: UnsafeMutableRawBufferPointer

    /// Creates a buffer for bodies of up to `capacity` bytes.
    @usableFromInline package init(capacity: Int) {
        self.capacity = max(1, min(capacity, Payload.maximumCount))
        room = .allocate(byteCount: PayloadFiller.period + self.capacity + Payload.headerCount, alignment: 64)
        lent = UnsafeMutableRawBufferPointer(rebasing: room[..<0])
    }

    deinit { room.deallocate() }

    @usableFromInline package let capacity: Int

    /// Makes a body.
    ///
    /// - Parameter count: its length, bytes; cut to ``capacity``.
    /// - Returns: the bytes, valid until the next call or the end of the buffer.
    @usableFromInline package func body(key: UInt64, version: UInt64, count: Int) -> UnsafeRawBufferPointer {
        takeBack()
        let filler = PayloadFiller(key: key, version: version)
        let end = filler.phase + max(0, min(count, capacity))
        lent = UnsafeMutableRawBufferPointer(rebasing: room[filler.phase..<end])
        if lent.count < Payload.headerCount {
            filler.write(lent)
        } else {
            lay(upTo: end)
            Payload.writeHeader(lent, key: key, version: version)
            filler.writeStamps(lent)
        }
        return UnsafeRawBufferPointer(lent)
    }

    /// Writes the pattern as far as a body needs.
    private func lay(upTo end: Int) {
        guard end > laid, let start = room.baseAddress else { return }
        PayloadFiller.layPattern(start, from: laid, to: end, phase: 0)
        laid = end
    }

    /// Restores the pattern under the last body's header and stamps. A body without a header is treated as if it had
    /// one, since the buffer is longer than that.
    private func takeBack() {
        guard let start = room.baseAddress, let first = lent.baseAddress, !lent.isEmpty else { return }
        PayloadFiller.layPattern(
            UnsafeMutableRawPointer(start), whereStamped: lent.count, phase: first - UnsafeMutableRawPointer(start))
    }
}
