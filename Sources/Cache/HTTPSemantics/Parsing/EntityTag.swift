/// An entity tag: `"xyzzy"`, or `W/"xyzzy"` for a weak one (RFC 9110, section 8.8.3).
package struct EntityTag: Hashable, Sendable {
    /// Written with `W/`: the same tag may stand for different bytes.
    package var isWeak: Bool
    /// Where the tag is in the bytes it was read from, with its quotes and without `W/`.
    package var opaqueTag: FieldRange

    package init(isWeak: Bool, opaqueTag: FieldRange) {
        self.isWeak = isWeak
        self.opaqueTag = opaqueTag
    }

    /// Reads a field value without the whitespace around it; `nil` if it is not an entity tag, e.g. without quotes.
    /// `W/` must be in capitals; a backslash is a byte like any other.
    package static func parse(_ bytes: RawSpan) -> EntityTag? {
        bytes.withUnsafeBytes { parse($0, 0..<$0.count) }
    }

    static func parse(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> EntityTag? {
        var place = range.lowerBound
        guard let tag = read(bytes, at: &place, end: range.upperBound), place == range.upperBound else { return nil }
        return tag
    }

    /// Reads a tag at `place`, and moves `place` behind it.
    static func read(_ bytes: UnsafeRawBufferPointer, at place: inout Int, end: Int) -> EntityTag? {
        var start = place
        let isWeak = end - start >= 2 && bytes[start] == UInt8(ascii: "W") && bytes[start + 1] == UInt8(ascii: "/")
        if isWeak { start += 2 }
        guard start < end, bytes[start] == UInt8(ascii: "\"") else { return nil }
        var close = start + 1
        while close < end, bytes[close] > 0x20, bytes[close] != UInt8(ascii: "\""), bytes[close] != 0x7F { close += 1 }
        guard close < end, bytes[close] == UInt8(ascii: "\"") else { return nil }
        place = close + 1
        return EntityTag(isWeak: isWeak, opaqueTag: FieldRange(start..<close + 1))
    }
}

// MARK: - Comparison

extension EntityTag {
    /// Weak comparison: the opaque tags are equal, weak or not (RFC 9110, section 8.8.3.2). For `If-None-Match`. Each
    /// tag comes with the bytes it was read from.
    package func matchesWeakly(in bytes: RawSpan, _ other: EntityTag, in otherBytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { mine in
            otherBytes.withUnsafeBytes { theirs in
                opaqueTag.slice(of: mine).elementsEqual(other.opaqueTag.slice(of: theirs))
            }
        }
    }

    /// Strong comparison: neither is weak, and they are equal. For `If-Range`.
    package func matchesStrongly(in bytes: RawSpan, _ other: EntityTag, in otherBytes: RawSpan) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(in: bytes, other, in: otherBytes)
    }

    /// Weak comparison of two field values; one that is not an entity tag equals no other.
    package static func matchesWeakly(_ left: String, _ right: String) -> Bool {
        compare(left, right) { _, _ in true }
    }

    /// Strong comparison of two field values; one that is not an entity tag equals no other.
    package static func matchesStrongly(_ left: String, _ right: String) -> Bool {
        compare(left, right) { !$0.isWeak && !$1.isWeak }
    }

    private static func compare(_ left: String, _ right: String, _ accept: (EntityTag, EntityTag) -> Bool) -> Bool {
        withTrimmedFieldBytes(of: left) { left in
            withTrimmedFieldBytes(of: right) { right in
                guard let first = parse(left, 0..<left.count), let second = parse(right, 0..<right.count),
                    accept(first, second)
                else { return false }
                return first.opaqueTag.slice(of: left).elementsEqual(second.opaqueTag.slice(of: right))
            }
        }
    }
}

/// Iterates over the entity tags of an `If-None-Match` or `If-Match` value without allocating (RFC 9110, sections
/// 13.1.1 and 13.1.2).
///
///     var tags = EntityTagList()
///     while let tag = tags.next(in: bytes) { … }
package struct EntityTagList: Sendable {
    private var place = 0
    /// Something other than an entity tag was found. It and all that follows do not count, so an unreadable list
    /// confirms nothing.
    package private(set) var isMalformed = false

    package init() {}

    /// Whether the value is `*`, which stands for any representation.
    package static func isAny(_ bytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let value = trimmed(bytes, 0..<bytes.count)
            return value.count == 1 && bytes[value.lowerBound] == UInt8(ascii: "*")
        }
    }

    /// The next tag, `nil` after the last. Pass the same `bytes` at every call.
    package mutating func next(in bytes: RawSpan) -> EntityTag? {
        bytes.withUnsafeBytes { next(in: $0) }
    }

    mutating func next(in bytes: UnsafeRawBufferPointer) -> EntityTag? {
        if isMalformed { return nil }
        while place < bytes.count, isWhitespace(bytes[place]) || bytes[place] == UInt8(ascii: ",") { place += 1 }
        if place >= bytes.count { return nil }
        guard let tag = EntityTag.read(bytes, at: &place, end: bytes.count) else { return stop() }
        while place < bytes.count, isWhitespace(bytes[place]) { place += 1 }
        if place < bytes.count, bytes[place] != UInt8(ascii: ",") { return stop() }
        return tag
    }

    private mutating func stop() -> EntityTag? {
        isMalformed = true
        return nil
    }
}

extension EntityTagList {
    /// Whether an `If-None-Match` value is `*`, or names a stored response's tag by weak comparison. If `entityTag` is
    /// not an entity tag, only `*` names it.
    package static func matches(_ value: String, entityTag: String) -> Bool {
        withTrimmedFieldBytes(of: value) { bytes in
            if bytes.elementsEqual(CollectionOfOne(UInt8(ascii: "*"))) { return true }
            return withTrimmedFieldBytes(of: entityTag) { stored in
                guard let storedTag = EntityTag.parse(stored, 0..<stored.count) else { return false }
                var tags = EntityTagList()
                while let tag = tags.next(in: bytes) {
                    let isSame = tag.opaqueTag.slice(of: bytes).elementsEqual(storedTag.opaqueTag.slice(of: stored))
                    if isSame { return true }
                }
                return false
            }
        }
    }
}
