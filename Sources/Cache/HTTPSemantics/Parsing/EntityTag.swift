/// An entity tag: `"xyzzy"`, or `W/"xyzzy"` for a weak one (RFC 9110, section 8.8.3).
package struct EntityTag: Hashable, Sendable {
    /// Written with `W/`: the same tag may stand for bytes that differ.
    package var isWeak: Bool
    /// Where the tag stands with its quotes and without `W/`, in the bytes it was read from.
    package var opaqueTag: FieldRange

    /// A tag at a place.
    package init(isWeak: Bool, opaqueTag: FieldRange) {
        self.isWeak = isWeak
        self.opaqueTag = opaqueTag
    }

    /// Reads a field value without the whitespace around it; `nil` if it is not an entity tag, for instance without
    /// quotes. `W/` counts in capitals only; a backslash is a byte like any other.
    package static func parse(_ bytes: RawSpan) -> EntityTag? {
        bytes.withUnsafeBytes { parse($0, 0..<$0.count) }
    }

    static func parse(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> EntityTag? {
        var place = range.lowerBound
        guard let tag = read(bytes, at: &place, end: range.upperBound), place == range.upperBound else { return nil }
        return tag
    }

    /// Reads a tag that begins at `place`, and moves that behind it.
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
    /// Whether two tags are the same by weak comparison: their opaque tags are, weak or not
    /// (RFC 9110, section 8.8.3.2). The comparison of `If-None-Match`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that this tag was read from.
    ///   - other: a tag, read from `otherBytes`.
    package func matchesWeakly(in bytes: RawSpan, _ other: EntityTag, in otherBytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { mine in
            otherBytes.withUnsafeBytes { theirs in
                opaqueTag.slice(of: mine).elementsEqual(other.opaqueTag.slice(of: theirs))
            }
        }
    }

    /// Whether two tags are the same by strong comparison: neither is weak, and they are equal. The comparison of
    /// `If-Range`.
    package func matchesStrongly(in bytes: RawSpan, _ other: EntityTag, in otherBytes: RawSpan) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(in: bytes, other, in: otherBytes)
    }

    /// Weak comparison of two field values. A value that is not an entity tag equals no other.
    package static func matchesWeakly(_ left: String, _ right: String) -> Bool {
        compare(left, right) { _, _ in true }
    }

    /// Strong comparison of two field values. A value that is not an entity tag equals no other.
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

/// Goes through the entity tags of an `If-None-Match` or `If-Match` value without allocating
/// (RFC 9110, sections 13.1.1 and 13.1.2).
///
///     var tags = EntityTagList()
///     while let tag = tags.next(in: bytes) { … }
package struct EntityTagList: Sendable {
    private var place = 0
    /// Something other than an entity tag was found: it and all that follows do not count, so that a list that cannot
    /// be understood confirms nothing.
    package private(set) var isMalformed = false

    /// At the start of a value.
    package init() {}

    /// Whether the value is `*`, which stands for any representation.
    package static func isAny(_ bytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let value = trimmed(bytes, 0..<bytes.count)
            return value.count == 1 && bytes[value.lowerBound] == UInt8(ascii: "*")
        }
    }

    /// The next tag in `bytes`, which must be the same at every call; `nil` after the last.
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
    /// Whether an `If-None-Match` value names the tag of a stored response, by weak comparison, or is `*`.
    ///
    /// - Parameters:
    ///   - value: the value of `If-None-Match`.
    ///   - entityTag: the stored response's `ETag` value; one that is not an entity tag is named by `*` only.
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
