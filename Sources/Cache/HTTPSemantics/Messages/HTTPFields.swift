/// The header fields of one message, in order. Names are compared without regard to case (RFC 9110, section 5).
///
/// Shaped like `HTTPFields` of apple/swift-http-types.
public struct HTTPFields: Sendable, Hashable {
    /// A field's name as written. Equal to any other spelling that differs only in the case of ASCII letters.
    public struct Name: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name as written.
        public let rawName: String

        /// A name as written in a message.
        public init(_ name: String) { rawName = name }
        /// A name as written in a message.
        public init(stringLiteral name: String) { rawName = name }

        /// Equal up to the case of ASCII letters.
        public static func == (left: Self, right: Self) -> Bool {
            // Most names already differ in length, which a string knows.
            guard left.rawName.utf8.count == right.rawName.utf8.count else { return false }
            return withFieldBytes(of: left.rawName) { left in
                withFieldBytes(of: right.rawName) { right in
                    left.indices.allSatisfy { lowercased(left[$0]) == lowercased(right[$0]) }
                }
            }
        }

        /// Hashes the lower-case spelling.
        public func hash(into hasher: inout Hasher) {
            // Eight bytes at once: a call of the hasher costs more than a byte.
            var word: UInt64 = 0
            var count = 0
            for byte in rawName.utf8 {
                word = word << 8 | UInt64(Self.lowercased(byte))
                count &+= 1
                if count & 7 == 0 { hasher.combine(word) }
            }
            hasher.combine(word)
            hasher.combine(count)
        }

        private static func lowercased(_ byte: UInt8) -> UInt8 {
            byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
        }
    }

    /// One field line.
    public struct Field: Sendable, Hashable {
        /// The name.
        public var name: Name
        /// The value, without the whitespace around it.
        public var value: String

        /// A field line.
        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The field lines, in the order of the message.
    public var fields: [Field]

    /// Fields in this order.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The value of `name`, its lines joined with `, ` in order (RFC 9110, section 5.3); `nil` without such a line.
    ///
    /// Setting it replaces all lines of that name by one, in the first one's place; setting `nil` removes them.
    public subscript(name: Name) -> String? {
        get {
            guard var place = place(of: name) else { return nil }
            var joined = fields[place].value
            while let next = self.place(of: name, from: place + 1) {
                // In place: a new string for each line would take quadratic time.
                joined.append(", ")
                joined.append(fields[next].value)
                place = next
            }
            return joined
        }
        set {
            let first = place(of: name)
            guard let newValue else { return fields.removeAll { $0.name == name } }
            guard let first else { return fields.append(Field(name: name, value: newValue)) }
            fields[first].value = newValue
            var seen = 0
            fields.removeAll { field in
                guard field.name == name else { return false }
                seen += 1
                return seen > 1
            }
        }
    }

    /// The place of the first line of that name, from `start` on.
    func place(of name: Name, from start: Int = 0) -> Int? {
        let count = name.rawName.utf8.count
        // Walking the array itself would retain the strings of each line.
        return fields.withUnsafeBufferPointer { fields in
            var place = start
            while place < fields.count {
                if fields[place].name.rawName.utf8.count == count, fields[place].name == name { return place }
                place += 1
            }
            return nil
        }
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields in the order written.
    public init(dictionaryLiteral elements: (Name, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

/// Field values as bytes. A value may hold bytes that are not UTF-8 (RFC 9110, section 5.5, obs-text), and a cache must
/// send a validator back exactly as it came.
///
/// In `value`, a byte outside well-formed UTF-8 appears as the private-use scalar U+10FF00 plus the byte (U+10FF80 to
/// U+10FFFF). If a value contains those scalars itself, their bytes are written the same way. That way any bytes
/// survive the way through `value` and back.
extension HTTPFields.Field {
    /// A field line with the bytes of a value, without the whitespace around it.
    public init(name: HTTPFields.Name, valueBytes: some Collection<UInt8>) {
        self.init(name: name, value: String(fieldBytes: valueBytes))
    }

    /// The value as sent over the wire.
    public var valueBytes: [UInt8] { value.fieldBytes }
}

extension String {
    package init(fieldBytes bytes: some Collection<UInt8>) {
        if !bytes.contains(firstByteOfEscape), let text = String(validating: bytes, as: UTF8.self) {
            self = text
            return
        }
        self.init()
        var rest = bytes[...]
        while let first = rest.first {
            if let scalar = Self.scalar(at: rest) {
                unicodeScalars.append(scalar)
                rest = rest.dropFirst(scalar.utf8.count)
            } else {
                unicodeScalars.append(Unicode.Scalar(escapes.lowerBound & ~0xFF | UInt32(first)) ?? "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
    }

    package var fieldBytes: [UInt8] {
        guard utf8.contains(firstByteOfEscape) else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            escapes.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(scalar.utf8)
        }
    }

    /// The scalar at the start of `bytes`; `nil` if they are not UTF-8, or are an escape.
    private static func scalar(at bytes: some Collection<UInt8>) -> Unicode.Scalar? {
        guard let first = bytes.first else { return nil }
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard let scalar = String(validating: bytes.prefix(length), as: UTF8.self)?.unicodeScalars.first,
            scalar.utf8.count == length, !escapes.contains(scalar.value)
        else { return nil }
        return scalar
    }
}

/// The scalars that stand for the bytes 0x80 to 0xFF.
private let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
/// Their first byte in UTF-8.
private let firstByteOfEscape: UInt8 = 0xF4

/// Calls `body` with the UTF-8 bytes of `text`. Copies them only if the string does not keep them in one piece.
@inline(__always)
func withFieldBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
    return Array(text.utf8).withUnsafeBytes(body)
}
