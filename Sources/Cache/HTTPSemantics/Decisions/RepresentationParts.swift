// Invariant of the pointers: the bytes are lent for one call, and a word is loaded only where eight bytes are left.

/// A partly known representation: an array of bytes with holes (RFC 9111, section 3.4).
///
/// Adding a part copies the parts that it touches.
package struct RepresentationParts: Equatable, Sendable {
    package struct Part: Equatable, Sendable {
        package let offset: Int
        /// At least one byte.
        package let bytes: [UInt8]

        fileprivate var end: Int { offset + bytes.count }
    }

    /// Bytes of the whole representation.
    package let length: Int
    /// The known parts by position. They neither overlap nor touch.
    package private(set) var parts: [Part] = []

    /// A representation with no known byte; `nil` if the length is not positive.
    package init?(length: Int) {
        guard length > 0 else { return nil }
        self.length = length
    }

    package var byteCount: Int { parts.reduce(0) { $0 + $1.bytes.count } }

    package var whole: [UInt8]? {
        guard let part = parts.first, part.bytes.count == length else { return nil }
        return part.bytes
    }

    /// One range that covers all missing bytes; `nil` if none is missing, or if the range would be the whole.
    package var missing: Range<Int>? {
        guard let first = parts.first, let last = parts.last else { return nil }
        let start = first.offset > 0 ? 0 : first.end
        let end = last.end < length ? length : last.offset
        return start < end && end - start < length ? start..<end : nil
    }

    /// The known bytes before and behind `missing`.
    package func bytes(around missing: Range<Int>) -> (before: [UInt8], behind: [UInt8]) {
        (
            missing.lowerBound > 0 ? parts.first?.bytes ?? [] : [],
            missing.upperBound < length ? parts.last?.bytes ?? [] : []
        )
    }

    /// Where these bytes are in the encoded form; `nil` if one of them is not known.
    package func encodedPlace(of range: Range<Int>) -> Range<Int>? {
        var place = 16 + 16 * parts.count
        for part in parts {
            if part.offset <= range.lowerBound, range.upperBound <= part.end {
                let start = place + range.lowerBound - part.offset
                return start..<start + range.count
            }
            place += part.bytes.count
        }
        return nil
    }

    /// Adds bytes at `offset`.
    ///
    /// If they contradict known bytes, those belong to another representation under the same validator, so all earlier
    /// parts are dropped.
    ///
    /// - Returns: `false`, without a change, if there are no bytes to add, or some lie outside the representation.
    package mutating func add(_ bytes: [UInt8], at offset: Int) -> Bool {
        guard !bytes.isEmpty, offset >= 0, offset <= length, bytes.count <= length - offset else { return false }
        let new = Part(offset: offset, bytes: bytes)
        var before: [Part] = []
        var behind: [Part] = []
        var merged = new
        for part in parts {
            if part.end < new.offset {
                before.append(part)
            } else if part.offset > new.end {
                behind.append(part)
            } else if let joined = Self.joined(part, merged) {
                merged = joined
            } else {
                parts = [new]
                return true
            }
        }
        parts = before + [merged] + behind
        return true
    }

    /// Joins two parts that overlap or touch; `nil` if they differ where they overlap.
    private static func joined(_ one: Part, _ other: Part) -> Part? {
        let overlap = max(one.offset, other.offset)..<min(one.end, other.end)
        let isSame = overlap.isEmpty || one[overlap].elementsEqual(other[overlap])
        guard isSame else { return nil }
        let first = one.offset <= other.offset ? one : other
        let second = one.offset <= other.offset ? other : one
        guard second.end > first.end else { return first }
        return Part(offset: first.offset, bytes: first.bytes + second[first.end..<second.end])
    }
}

extension RepresentationParts.Part {
    /// The bytes at these positions of the representation. The part must have them all.
    fileprivate subscript(positions: Range<Int>) -> ArraySlice<UInt8> {
        bytes[positions.lowerBound - offset..<positions.upperBound - offset]
    }
}

// MARK: - Encoding

// Little-endian: the length (8 bytes), the number N of parts (8), N times offset (8) and byte count (8), then the bytes
// of all parts in order.
extension RepresentationParts {
    package var encoded: [UInt8] {
        var head = [UInt64(length), UInt64(parts.count)]
        for part in parts { head += [UInt64(part.offset), UInt64(part.bytes.count)] }
        var result: [UInt8] = []
        result.reserveCapacity(head.count * 8 + byteCount)
        for word in head { withUnsafeBytes(of: word.littleEndian) { result += $0 } }
        for part in parts { result += part.bytes }
        return result
    }

    /// Reads the encoded form. The bytes are untrusted: `nil` if they break any of its rules.
    package init?(decoding bytes: UnsafeRawBufferPointer) {
        guard let length = Self.number(bytes, 0), let count = Self.number(bytes, 1), count <= (bytes.count - 16) / 16
        else { return nil }
        self.init(length: length)
        var place = 16 + 16 * count
        for index in 0..<count {
            guard let offset = Self.number(bytes, 2 + 2 * index), let size = Self.number(bytes, 3 + 2 * index),
                size > 0, size <= bytes.count - place, offset > (parts.last?.end ?? -1),
                offset <= length, size <= length - offset
            else { return nil }
            // Behind all others: adding it as a new part would look at each of them.
            parts.append(Part(offset: offset, bytes: Array(bytes[place..<place + size])))
            place += size
        }
        guard place == bytes.count else { return nil }
    }

    /// The number in the word at `index`; `nil` if it is missing or exceeds an `Int`.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        guard bytes.count >= 8 * (index + 1) else { return nil }
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        return Int(exactly: word)
    }
}
