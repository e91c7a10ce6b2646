extension Reference {
    /// `entity-tag = [ weak ] opaque-tag` (RFC 9110, section 8.8.3).
    public struct EntityTag: Equatable, Sendable {
        /// It began with `W/`, in upper case.
        public var isWeak: Bool
        /// What stands between the quotes, in which a backslash is a byte like others.
        public var opaque: [UInt8]

        /// An entity tag.
        public init(isWeak: Bool, opaque: [UInt8]) {
            self.isWeak = isWeak
            self.opaque = opaque
        }

        /// The tag that `bytes` are, all of them; `nil` when they are none.
        public static func parse(_ bytes: [UInt8]) -> EntityTag? {
            var reader = Reader(bytes)
            guard let tag = read(&reader), reader.isAtEnd else { return nil }
            return tag
        }

        /// Weak comparison: the same opaque tag (section 8.8.3.2).
        public func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }

        /// Strong comparison: the same opaque tag, and neither weak.
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
    public enum EntityTagList: Equatable, Sendable {
        /// `*`
        case any
        /// The tags in order; empty members of the list are left out.
        case tags([EntityTag])
        /// Something else.
        case invalid

        /// Reads a field value.
        public static func parse(_ bytes: [UInt8]) -> EntityTagList {
            if bytes == [0x2A] { return .any }
            var reader = Reader(bytes)
            var tags: [EntityTag] = []
            while true {
                reader.skipWhitespace()
                if reader.isAtEnd { return .tags(tags) }
                if !reader.read(0x2C) {
                    guard let tag = EntityTag.read(&reader) else { return .invalid }
                    tags.append(tag)
                    reader.skipWhitespace()
                    guard reader.isAtEnd || reader.read(0x2C) else { return .invalid }
                }
            }
        }

        /// Whether one of the tags matches `tag` by weak comparison, or the list is `*`.
        public func weaklyMatches(_ tag: EntityTag) -> Bool {
            switch self {
            case .any: true
            case .tags(let tags): tags.contains { $0.weaklyMatches(tag) }
            case .invalid: false
            }
        }
    }
}
