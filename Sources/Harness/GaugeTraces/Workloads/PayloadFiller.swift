import GaugeSupport
import Platform

// The bytes of bodies. Unsafe pointers, since a replay lends and compares tens of gigabytes.
// Invariant: every access is within the given region or, in the pattern, below twice its period: it begins below the
// period, and is at most one period long.

/// The contents of one version of a key: a fixed pattern, from an offset that depends on key and version, with stamps
/// that are unique to the version.
package struct PayloadFiller {
    /// Bytes after which the pattern repeats: more than the windows of LZ4 (64 KiB) and deflate (32 KiB), so that few
    /// caches and file systems compress bodies away. A power of two.
    package static let period = 1 << 17
    /// Bytes from one stamp to the next. A torn write consists of whole sectors, at least this long.
    package static let stretch = 512
    package static let stampCount = 8

    /// Stored twice, so that a piece of one period that begins in the first copy is contiguous.
    private static let pattern: [UInt64] = {
        var random = SplitMix64(seed: 0x4347_5031)
        let once = (0..<period / 8).map { _ in random.next().littleEndian }
        return once + once
    }()

    private let origin: UInt64

    package init(key: UInt64, version: UInt64) { origin = SplitMix64.mix(key) &+ version }

    /// The body's offset in the pattern, a multiple of 8.
    package var phase: Int { Int(truncatingIfNeeded: SplitMix64.mix(origin)) & (Self.period - 8) }

    @inline(__always)
    package func stamp(at offset: Int) -> UInt64 { SplitMix64.mix(origin &+ UInt64(truncatingIfNeeded: offset) << 32) }

    /// Writes a body except for its header.
    package func write(_ body: UnsafeMutableRawBufferPointer) {
        guard let start = body.baseAddress else { return }
        guard body.count >= Payload.headerCount else { return writeShort(body) }
        Self.layPattern(start, from: Payload.headerCount, to: body.count, phase: phase)
        writeStamps(body)
    }

    package func writeStamps(_ body: UnsafeMutableRawBufferPointer) {
        for offset in Self.stamps(of: body.count) {
            body.storeBytes(of: stamp(at: offset).littleEndian, toByteOffset: offset, as: UInt64.self)
        }
    }

    /// Whether a body, without its header, is exactly what ``write(_:)`` writes.
    package func matches(_ body: UnsafeRawBufferPointer) -> Bool {
        guard let start = body.baseAddress else { return true }
        guard body.count >= Payload.headerCount else { return matchesShort(body) }
        let phase = phase
        return Self.pattern.withUnsafeBytes { pattern in
            guard let pattern = pattern.baseAddress else { return false }
            func isPattern(_ first: Int, _ end: Int) -> Bool {
                memcmp(start + first, pattern + ((phase + first) & (Self.period - 1)), end - first) == 0
            }
            var first = Payload.headerCount
            for offset in Self.stamps(of: body.count) {
                let found = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                guard isPattern(first, offset), found == stamp(at: offset) else { return false }
                first = offset + Self.stampCount
            }
            return isPattern(first, body.count)
        }
    }

    package static func stamps(of count: Int) -> StrideTo<Int> {
        stride(from: stretch, to: count - stampCount + 1, by: stretch)
    }

    /// Copies the pattern to part of a region whose first word is the one at `phase`.
    package static func layPattern(_ start: UnsafeMutableRawPointer, from first: Int, to end: Int, phase: Int) {
        pattern.withUnsafeBytes { pattern in
            guard let pattern = pattern.baseAddress else { return }
            var offset = first
            while offset < end {
                let length = min(period, end - offset)
                memcpy(start + offset, pattern + (phase + offset) % period, length)
                offset += length
            }
        }
    }

    /// Copies the pattern over a body's header and stamps. The region holds the pattern from its start; the body begins
    /// at offset `phase`.
    package static func layPattern(_ start: UnsafeMutableRawPointer, whereStamped count: Int, phase: Int) {
        pattern.withUnsafeBytes { pattern in
            guard let pattern = pattern.baseAddress else { return }
            let body = start + phase
            memcpy(body, pattern + phase, Payload.headerCount)
            var offset = stretch
            while offset <= count - stampCount {
                let word = pattern.load(fromByteOffset: (phase + offset) % period, as: UInt64.self)
                body.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
                offset += stretch
            }
        }
    }

    // MARK: Bodies without a header

    private func writeShort(_ body: UnsafeMutableRawBufferPointer) {
        for index in body.indices { body[index] = shortByte(index) }
    }

    private func matchesShort(_ body: UnsafeRawBufferPointer) -> Bool {
        body.indices.allSatisfy { body[$0] == shortByte($0) }
    }

    /// A byte of a body too short for a header; it follows from key and version.
    private func shortByte(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: stamp(at: index & ~7) >> UInt64(index % 8 * 8))
    }
}
