extension Reference {
    /// A block of header fields: lines of `field-name ":" OWS field-value OWS` that each end with CRLF
    /// (RFC 9112, section 5; RFC 9110, section 5).
    public struct FieldBlock: Equatable, Sendable {
        /// One line.
        public struct Field: Equatable, Sendable {
            /// The name as written.
            public var name: [UInt8]
            /// The value without the whitespace around it.
            public var value: [UInt8]

            /// A line.
            public init(name: [UInt8], value: [UInt8]) {
                self.name = name
                self.value = value
            }
        }

        /// The lines in order.
        public var fields: [Field]

        /// Fields in this order.
        public init(fields: [Field]) { self.fields = fields }

        /// The lines that `bytes` hold; `nil` when one of them is no field line.
        ///
        /// - Parameter requiresEmptyLine: whether an empty line ends the block, with nothing after it.
        public static func parse(_ bytes: [UInt8]) -> FieldBlock? {
            var fields: [Field] = []
            var start = 0
            while start < bytes.count {
                guard let end = lineEnd(bytes, from: start) else { return nil }
                // The empty line ends the block.
                if end == start { return end + 2 == bytes.count ? FieldBlock(fields: fields) : nil }
                guard let field = field(bytes, start..<end) else { return nil }
                fields.append(field)
                start = end + 2
            }
            return FieldBlock(fields: fields)
        }

        /// The values of `name`, in lower case, joined with ", " in order; `nil` when there is none.
        public func value(of name: String) -> [UInt8]? {
            var joined: [UInt8]?
            for field in fields where lowercasedString(field.name, 0..<field.name.count) == name {
                joined = joined.map { $0 + [0x2C, 0x20] + field.value } ?? field.value
            }
            return joined
        }

        /// Where the CRLF that ends the line stands; `nil` when a CR, LF or NUL stands in the line or none ends it.
        private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
            var index = start
            while index < bytes.count, bytes[index] != 0x0D, bytes[index] != 0x0A, bytes[index] != 0 { index += 1 }
            guard index + 1 < bytes.count, bytes[index] == 0x0D, bytes[index + 1] == 0x0A else { return nil }
            return index
        }

        private static func field(_ bytes: [UInt8], _ line: Range<Int>) -> Field? {
            var reader = Reader(bytes, line)
            guard let name = reader.readToken(), reader.read(0x3A) else { return nil }
            let value = trimWhitespace(reader.position..<line.upperBound, of: bytes)
            return Field(name: Array(bytes[name]), value: Array(bytes[value]))
        }
    }
}
