extension Reference {
    /// A block of header fields: lines of `field-name ":" OWS field-value OWS`, each ended by CR LF, up to an empty
    /// line or the end (RFC 9112, sections 2.1 and 5).
    public struct FieldBlock: Equatable, Sendable, CustomStringConvertible {
        /// One line.
        public struct Field: Equatable, Sendable, CustomStringConvertible {
            /// The name as written.
            public let name: [UInt8]
            /// The value without the whitespace around it.
            public var value: [UInt8]
            /// The name in lower case, used to find lines.
            let key: String

            /// A line.
            public init(name: [UInt8], value: [UInt8]) {
                self.name = name
                self.value = value
                key = lowercasedString(name, 0..<name.count)
            }

            /// `"name": "value"`
            public var description: String { "\(inWords(name)): \(inWords(value))" }
        }

        /// The limits on the size of a block.
        public struct Limits: Equatable, Sendable {
            /// The most bytes, the empty line included.
            public var bytes: Int
            /// The most bytes of one line, without its CR LF.
            public var lineBytes: Int
            /// The most lines, the empty one not counted.
            public var lines: Int

            /// Limits.
            public init(bytes: Int, lineBytes: Int, lines: Int) {
                self.bytes = bytes
                self.lineBytes = lineBytes
                self.lines = lines
            }
        }

        /// The lines in order.
        public var fields: [Field]

        /// Fields in this order.
        public init(fields: [Field]) { self.fields = fields }

        /// The lines between brackets.
        public var description: String { "\(fields)" }

        /// The lines at the start of `bytes`; `nil` if a line before the empty line is not a field line, or the block
        /// exceeds a limit.
        public static func parse(_ bytes: [UInt8], limits: Limits) -> FieldBlock? {
            var fields: [Field] = []
            var start = 0
            while start < bytes.count {
                guard let end = lineEnd(bytes, from: start), end + 2 <= limits.bytes else { return nil }
                if end == start { return FieldBlock(fields: fields) }
                guard let field = field(bytes, start..<end), end - start <= limits.lineBytes,
                    fields.count < limits.lines
                else { return nil }
                fields.append(field)
                start = end + 2
            }
            return FieldBlock(fields: fields)
        }

        /// The values of all lines called `name`, in order. `name` must be in lower case.
        public func values(of name: String) -> [[UInt8]] {
            var values: [[UInt8]] = []
            for field in fields where field.key == name { values.append(field.value) }
            return values
        }

        /// The same, joined with ", " (RFC 9110, section 5.3); `nil` without such a line.
        public func value(of name: String) -> [UInt8]? {
            var joined: [UInt8]?
            for field in fields where field.key == name {
                if joined == nil {
                    joined = field.value
                } else {
                    // In place: a new array for each line would take quadratic time.
                    joined?.append(contentsOf: [0x2C, 0x20])
                    joined?.append(contentsOf: field.value)
                }
            }
            return joined
        }

        /// The value of the first line called `name`.
        public func first(_ name: String) -> [UInt8]? { fields.first { $0.key == name }?.value }

        /// Where the CR LF at the end of the line is; `nil` if the line contains a CR, LF or NUL, or has no end.
        private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
            var index = start
            while index < bytes.count, bytes[index] != 0x0D, bytes[index] != 0x0A, bytes[index] != 0 { index += 1 }
            guard index + 1 < bytes.count, bytes[index] == 0x0D, bytes[index + 1] == 0x0A else { return nil }
            return index
        }

        /// One line. A line that begins with whitespace, the obsolete folding, has no name.
        private static func field(_ bytes: [UInt8], _ line: Range<Int>) -> Field? {
            var reader = Reader(bytes, line)
            guard let name = reader.readToken(), reader.read(0x3A) else { return nil }
            let value = trimWhitespace(reader.position..<line.upperBound, of: bytes)
            return Field(name: Array(bytes[name]), value: Array(bytes[value]))
        }
    }
}
