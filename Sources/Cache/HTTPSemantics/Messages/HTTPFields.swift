/// The header fields of one message, in order, names compared without regard to case (RFC 9110, section 5).
///
/// Shaped like `HTTPFields` of apple/swift-http-types.
public struct HTTPFields: Sendable, Hashable {
    /// A field's name as it was written; equal to any other spelling that differs in the case of ASCII letters alone.
    public struct Name: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name as written.
        public let rawName: String

        /// A name as it stands in a message.
        public init(_ name: String) { rawName = name }
        /// A name as it stands in a message.
        public init(stringLiteral name: String) { rawName = name }

        /// Equal up to the case of ASCII letters.
        public static func == (left: Self, right: Self) -> Bool {
            // Most names differ in length already, and a string knows its own.
            left.rawName.utf8.count == right.rawName.utf8.count
                && left.rawName.utf8.elementsEqual(right.rawName.utf8) { $0 == $1 || lowercased($0) == lowercased($1) }
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
    /// Setting replaces every line of that name by one, in the first one's place; setting `nil` removes them.
    public subscript(name: Name) -> String? {
        get {
            var joined: String?
            for field in fields where field.name == name {
                if joined == nil {
                    joined = field.value
                } else {
                    // In place: a new string for each line would take quadratic time.
                    joined?.append(", ")
                    joined?.append(field.value)
                }
            }
            return joined
        }
        set {
            let first = fields.firstIndex { $0.name == name }
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
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields in the order they are written.
    public init(dictionaryLiteral elements: (Name, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}
