extension Reference {
    /// `entity-tag = [ weak ] opaque-tag` (RFC 9110, section 8.8.3).
    public struct EntityTag: Equatable, Sendable, CustomStringConvertible {
        /// Whether it begins with `W/`, in upper case.
        public var isWeak: Bool
        /// The bytes between the quotes. A backslash has no special meaning.
        public var opaque: [UInt8]

        /// An entity tag.
        public init(isWeak: Bool, opaque: [UInt8]) {
            self.isWeak = isWeak
            self.opaque = opaque
        }

        /// The tag as in a field: `W/"a"`. What is no text is escaped.
        public var description: String { (isWeak ? "W/" : "") + inWords(opaque) }

        /// The tag that all of `bytes` make up; `nil` if they are not a tag.
        public static func parse(_ bytes: [UInt8]) -> EntityTag? {
            var reader = Reader(bytes)
            guard let tag = read(&reader), reader.isAtEnd else { return nil }
            return tag
        }

        /// Reads a tag with whitespace around it.
        public static func parse(trimming bytes: [UInt8]) -> EntityTag? {
            parse(Array(bytes[trimWhitespace(0..<bytes.count, of: bytes)]))
        }

        /// Weak comparison: the same opaque tag (section 8.8.3.2).
        public func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }

        /// Strong comparison: the same opaque tag, and neither is weak.
        public func stronglyMatches(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

        /// Reads `[ %s"W/" ] DQUOTE *etagc DQUOTE`.
        static func read(_ reader: inout Reader) -> EntityTag? {
            let isWeak = reader.read(0x57)
            if isWeak && !reader.read(0x2F) { return nil }
            guard reader.read(0x22) else { return nil }
            let start = reader.position
            while isEntityTagCharacter(reader.peek) { reader.position += 1 }
            let opaque = Array(reader.bytes[start..<reader.position])
            return reader.read(0x22) ? EntityTag(isWeak: isWeak, opaque: opaque) : nil
        }

        /// `etagc = %x21 / %x23-7E / obs-text`
        private static func isEntityTagCharacter(_ byte: UInt8) -> Bool {
            byte == 0x21 || (byte >= 0x23 && byte <= 0x7E) || byte >= 0x80
        }
    }

    /// `If-None-Match = "*" / #entity-tag` (RFC 9110, section 13.1.2).
    public struct EntityTagList: Equatable, Sendable {
        /// Whether it is `*`.
        public var isAny: Bool
        /// The tags in order, up to the first member that is not a tag; empty members are left out.
        public var tags: [EntityTag]
        /// Whether a member is not an entity tag. The list ends there.
        public var isMalformed: Bool

        /// A list.
        public init(isAny: Bool = false, tags: [EntityTag] = [], isMalformed: Bool = false) {
            self.isAny = isAny
            self.tags = tags
            self.isMalformed = isMalformed
        }

        /// Reads a field value.
        public static func parse(_ bytes: [UInt8]) -> EntityTagList {
            let value = trimWhitespace(0..<bytes.count, of: bytes)
            if value.count == 1 && bytes[value.lowerBound] == 0x2A { return EntityTagList(isAny: true) }
            var list = EntityTagList()
            var reader = Reader(bytes, value)
            while true {
                reader.skipWhitespace()
                if reader.isAtEnd { return list }
                if reader.read(0x2C) { continue }
                let tag = EntityTag.read(&reader)
                reader.skipWhitespace()
                guard let tag, reader.isAtEnd || reader.read(0x2C) else {
                    list.isMalformed = true
                    return list
                }
                list.tags.append(tag)
            }
        }

        /// Whether one of the tags matches `tag` by weak comparison, or the list is `*`.
        public func weaklyMatches(_ tag: EntityTag) -> Bool { isAny || tags.contains { $0.weaklyMatches(tag) } }
    }
}
