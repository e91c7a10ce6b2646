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
