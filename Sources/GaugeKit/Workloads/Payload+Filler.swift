extension Payload {
    /// Fills a region with what follows from key and version.
    static func fill(_ region: UnsafeMutableRawBufferPointer, key: UInt64, version: UInt64) {
        var words = FillerWords(key: key, version: version)
        var offset = 0
        while offset + 8 <= region.count {
            region.storeBytes(of: words.next().littleEndian, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        guard offset < region.count else { return }
        withUnsafeBytes(of: words.next().littleEndian) { last in
            UnsafeMutableRawBufferPointer(rebasing: region[offset...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: last[..<(region.count - offset)]))
        }
    }

    /// Whether a region, short enough to have no header, is what ``fill(_:key:version:)`` writes.
    static func isFiller(_ region: UnsafeRawBufferPointer, key: UInt64, version: UInt64) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: region.count, alignment: 8) { expected in
            fill(expected, key: key, version: version)
            return region.elementsEqual(expected)
        }
    }
}

/// Words that look random (no cache or file system can compress them away) at a multiplication each.
private struct FillerWords {
    var state: UInt64

    init(key: UInt64, version: UInt64) { state = SplitMix64.mix(SplitMix64.mix(key) &+ version) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return (state ^ (state >> 32)) &* 0xD6E8_FEB8_6659_FD93
    }
}
