extension Reference {
    /// One range of a `Range` field in bytes (RFC 9110, section 14.1.2).
    public enum ByteRange: Equatable, Sendable, CustomStringConvertible {
        /// `first "-" [ last ]`, last included. A position above 2^63 - 1 is read as 2^63 - 1: no body is that long.
        case from(Int64, through: Int64?)
        /// `"-" suffix-length`: the last bytes.
        case last(Int64)

        /// The range as in a field: `0-1`, `5-`, `-3`.
        public var description: String {
            switch self {
            case .from(let first, let last): "\(first)-" + (last.map { "\($0)" } ?? "")
            case .last(let count): "-\(count)"
            }
        }
    }

    /// `Range = range-unit "=" range-set` (RFC 9110, section 14.2).
    public enum RangeField: Equatable, Sendable {
        /// `bytes`, and at least one range.
        case bytes([ByteRange])
        /// A well-formed field with another unit.
        case otherUnit
        /// Something else.
        case invalid

        /// Reads a field value.
        public static func parse(_ bytes: [UInt8]) -> RangeField {
            var reader = Reader(bytes)
            guard let unit = reader.readToken(), reader.read(0x3D) else { return .invalid }
            guard lowercasedString(bytes, unit) == "bytes" else {
                return isOtherRangeSet(bytes, reader.position..<bytes.count) ? .otherUnit : .invalid
            }
            var ranges: [ByteRange] = []
            while true {
                reader.skipWhitespace()
                if reader.isAtEnd { return ranges.isEmpty ? .invalid : .bytes(ranges) }
                if !reader.read(0x2C) {
                    guard let range = byteRange(&reader) else { return .invalid }
                    ranges.append(range)
                    reader.skipWhitespace()
                    guard reader.isAtEnd || reader.read(0x2C) else { return .invalid }
                }
            }
        }

        /// `int-range / suffix-range`
        private static func byteRange(_ reader: inout Reader) -> ByteRange? {
            if reader.read(0x2D) { return reader.readNumber(clampedTo: .max).map { .last($0) } }
            guard let first = reader.readNumber(clampedTo: .max), reader.read(0x2D) else { return nil }
            guard isDigit(reader.peek) else { return .from(first, through: nil) }
            guard let last = reader.readNumber(clampedTo: .max), last >= first else { return nil }
            return .from(first, through: last)
        }

        /// `1#other-range`, `other-range = 1*( %x21-2B / %x2D-7E )`
        private static func isOtherRangeSet(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
            var reader = Reader(bytes, range)
            var isEmpty = true
            while true {
                reader.skipWhitespace()
                if reader.isAtEnd { return !isEmpty }
                if !reader.read(0x2C) {
                    let start = reader.position
                    while reader.peek >= 0x21 && reader.peek <= 0x7E && reader.peek != 0x2C { reader.position += 1 }
                    reader.skipWhitespace()
                    guard reader.position > start, reader.isAtEnd || reader.read(0x2C) else { return false }
                    isEmpty = false
                }
            }
        }
    }

    /// `Content-Range = range-unit SP ( range-resp / unsatisfied-range )` (RFC 9110, section 14.4), in bytes.
    public struct ContentRange: Equatable, Sendable {
        /// The bytes in the body, both ends included; `nil` for `*/length`.
        public var range: ClosedRange<Int64>?
        /// The length of the whole representation; `nil` for `*`.
        public var completeLength: Int64?

        /// A content range.
        public init(range: ClosedRange<Int64>?, completeLength: Int64?) {
            self.range = range
            self.completeLength = completeLength
        }

        /// Reads a field value; `nil` if it is invalid, has another unit, or contains a position of 2^63 - 1 or more.
        public static func parse(_ bytes: [UInt8]) -> ContentRange? {
            var reader = Reader(bytes)
            guard reader.read(word: Array("bytes ".utf8)) else { return nil }
            if reader.read(0x2A) {
                guard reader.read(0x2F), let length = position(&reader), reader.isAtEnd else { return nil }
                return ContentRange(range: nil, completeLength: length)
            }
            guard let first = position(&reader), reader.read(0x2D), let last = position(&reader), reader.read(0x2F),
                first <= last
            else { return nil }
            if reader.read(0x2A) {
                return reader.isAtEnd ? ContentRange(range: first...last, completeLength: nil) : nil
            }
            guard let length = position(&reader), reader.isAtEnd, last < length else { return nil }
            return ContentRange(range: first...last, completeLength: length)
        }

        /// A number below 2^63 - 1; a clamped one would be a wrong position.
        private static func position(_ reader: inout Reader) -> Int64? {
            reader.readNumber(clampedTo: .max).flatMap { $0 == .max ? nil : $0 }
        }
    }

    /// `If-Range = entity-tag / HTTP-date` (RFC 9110, section 13.1.5).
    public enum IfRange: Equatable, Sendable {
        /// An entity tag.
        case entityTag(EntityTag)
        /// A date, in seconds since 1970.
        case date(Int64)

        /// Reads a field value; `nil` if it is neither.
        public static func parse(_ bytes: [UInt8], now: Int64) -> IfRange? {
            if let tag = EntityTag.parse(bytes) { return .entityTag(tag) }
            return HTTPDate.parse(bytes, now: now).map { .date($0) }
        }
    }
}
