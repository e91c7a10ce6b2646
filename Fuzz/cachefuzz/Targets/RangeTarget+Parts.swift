import HTTPSemantics

extension FuzzTarget {
    /// The input as operations on the parts of one representation: its first byte is the length, each three bytes behind
    /// it are a position, a count and a kind.
    ///
    /// Oracle: an array of bytes with holes.
    static func checkParts(_ bytes: [UInt8]) {
        let length = Int(bytes.first ?? 0)
        guard var parts = RepresentationParts(length: length) else {
            return require(length == 0, "no parts of \(length)")
        }
        var known = [UInt8?](repeating: nil, count: length)
        var place = 1
        while place + 2 < bytes.count {
            let (offset, count, kind) = (Int(bytes[place]), Int(bytes[place + 1]), bytes[place + 2])
            place += 3
            // A byte tells its position, so that one in the wrong place is seen; few parts are of another representation.
            let salt: UInt8 = kind > 0xF0 ? kind : 0
            let content = (0..<count).map { UInt8(truncatingIfNeeded: offset + $0) ^ salt }
            let fits = count > 0 && offset + count <= length
            require(parts.add(content, at: offset) == fits, "\(count) bytes at \(offset) of \(length)")
            guard fits else { continue }
            // Under one validator, bytes that contradict known ones show another representation.
            if (0..<count).contains(where: { known[offset + $0] != nil && known[offset + $0] != content[$0] }) {
                known = [UInt8?](repeating: nil, count: length)
            }
            for index in 0..<count { known[offset + index] = content[index] }
            checkPart(parts, known)
        }
    }

    private static func checkPart(_ parts: RepresentationParts, _ known: [UInt8?]) {
        var shown = [UInt8?](repeating: nil, count: known.count)
        var end = -1
        for part in parts.parts {
            require(part.offset > end && !part.bytes.isEmpty, "parts overlap, touch or are empty")
            end = part.offset + part.bytes.count
            for (index, byte) in part.bytes.enumerated() { shown[part.offset + index] = byte }
        }
        require(shown == known, "the parts are \(shown), not \(known)")
        require(parts.byteCount == known.count { $0 != nil }, "\(parts.byteCount) bytes are known")
        require(
            parts.whole == (known.contains(nil) ? nil : known.compactMap { $0 }), "the whole is \(parts.whole as Any)")
        let decoded = parts.encoded.withUnsafeBytes { RepresentationParts(decoding: $0) }
        require(decoded == parts, "the parts are read back as \(decoded as Any)")
    }

    /// The input as the encoded form of parts, which a damaged disk may show: nothing, or parts whose form it is.
    static func checkEncodedParts(_ buffer: UnsafeRawBufferPointer) {
        guard let parts = RepresentationParts(decoding: buffer) else { return }
        require(parts.encoded.elementsEqual(buffer), "\(parts) has another form")
    }
}
