/// JSON (RFC 8259) as a tree, read from an array by plain recursion: a second implementation, for short documents.
indirect enum JSONModel: Equatable {
    case object([(name: [UInt8], value: JSONModel)])
    case array([JSONModel])
    case string([UInt8])
    /// A number, as written.
    case number([UInt8])
    /// `true`, `false` or `null`.
    case word([UInt8])

    /// Reads a whole document; `nil` if it isn't JSON or is nested more than 64 levels deep.
    static func parse(_ text: [UInt8]) -> JSONModel? {
        var parser = Parser(text: text)
        guard let value = parser.value(depth: 0), parser.isAtEnd else { return nil }
        return value
    }

    static func == (one: Self, other: Self) -> Bool { "\(one)" == "\(other)" }

    func members(_ name: String) -> [JSONModel] {
        guard case .object(let members) = self else { return [] }
        return members.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The last member called `name` of an object.
    func member(_ name: String) -> JSONModel? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.elementsEqual(name.utf8) }?.value
    }

    /// The value of the last member called `name`, if it is a string; else empty.
    func text(_ name: String) -> [UInt8] {
        if case .string(let text)? = member(name) { text } else { [] }
    }

    /// The value of the last member called `name`, if it is a number.
    func number(_ name: String) -> Double? {
        if case .number(let digits)? = member(name) { Self.value(of: digits) } else { nil }
    }

    static func value(of digits: [UInt8]) -> Double {
        Double(String(decoding: digits, as: UTF8.self)) ?? .infinity
    }

    private struct Parser {
        let text: [UInt8]
        var at = 0
        private static let words = ["true", "false", "null"].map { Array($0.utf8) }

        init(text: [UInt8]) { self.text = text }

        var isAtEnd: Bool {
            mutating get {
                skipSpace()
                return at == text.count
            }
        }

        private mutating func skipSpace() {
            while at < text.count, text[at] == 0x20 || text[at] == 0x0A || text[at] == 0x0D || text[at] == 0x09 {
                at += 1
            }
        }

        private mutating func take(_ byte: Unicode.Scalar) -> Bool {
            guard at < text.count, text[at] == UInt8(ascii: byte) else { return false }
            at += 1
            return true
        }

        mutating func value(depth: Int) -> JSONModel? {
            skipSpace()
            if take("{") { return depth < 64 ? object(depth: depth + 1) : nil }
            if take("[") { return depth < 64 ? array(depth: depth + 1) : nil }
            if take("\"") { return string().map { .string($0) } }
            for word in Self.words where text[at...].starts(with: word) {
                at += word.count
                return .word(word)
            }
            return number().map { .number($0) }
        }

        private mutating func object(depth: Int) -> JSONModel? {
            var members: [(name: [UInt8], value: JSONModel)] = []
            skipSpace()
            if take("}") { return .object(members) }
            members.reserveCapacity(4)
            while true {
                skipSpace()
                guard take("\""), let name = string() else { return nil }
                skipSpace()
                guard take(":"), let value = value(depth: depth) else { return nil }
                members.append((name, value))
                skipSpace()
                if take("}") { return .object(members) }
                guard take(",") else { return nil }
            }
        }

        private mutating func array(depth: Int) -> JSONModel? {
            var elements: [JSONModel] = []
            skipSpace()
            if take("]") { return .array(elements) }
            elements.reserveCapacity(4)
            while true {
                guard let element = value(depth: depth) else { return nil }
                elements.append(element)
                skipSpace()
                if take("]") { return .array(elements) }
                guard take(",") else { return nil }
            }
        }

        private mutating func number() -> [UInt8]? {
            let start = at
            func digits(_ parser: inout Parser) -> Bool {
                let first = parser.at
                while parser.at < parser.text.count, (0x30...0x39).contains(parser.text[parser.at]) { parser.at += 1 }
                return parser.at > first
            }
            _ = take("-")
            if !take("0") { guard digits(&self) else { return nil } }
            if take(".") { guard digits(&self) else { return nil } }
            if take("e") || take("E") {
                if !take("+") { _ = take("-") }
                guard digits(&self) else { return nil }
            }
            return Array(text[start..<at])
        }

        /// Reads a string from after its opening quote to the closing one.
        private mutating func string() -> [UInt8]? {
            var bytes: [UInt8] = []
            while at < text.count {
                if take("\"") { return bytes }
                guard take("\\") else {
                    guard text[at] >= 0x20 else { return nil }
                    let plain = text[at...].prefix { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
                    bytes += plain
                    at = plain.endIndex
                    continue
                }
                guard at < text.count else { return nil }
                let byte = text[at]
                at += 1
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
                case UInt8(ascii: "b"): bytes.append(0x08)
                case UInt8(ascii: "f"): bytes.append(0x0C)
                case UInt8(ascii: "n"): bytes.append(0x0A)
                case UInt8(ascii: "r"): bytes.append(0x0D)
                case UInt8(ascii: "t"): bytes.append(0x09)
                case UInt8(ascii: "u"):
                    guard let unit = unit(at) else { return nil }
                    at += 4
                    var units = [unit]
                    if UTF16.isLeadSurrogate(unit), at + 1 < text.count, text[at] == 0x5C, text[at + 1] == 0x75,
                        let low = self.unit(at + 2), UTF16.isTrailSurrogate(low)
                    {
                        units.append(low)
                        at += 6
                    }
                    bytes += Array(String(decoding: units, as: UTF16.self).utf8)
                default: return nil
                }
            }
            return nil
        }

        private func unit(_ start: Int) -> UInt16? {
            guard start + 4 <= text.count else { return nil }
            let digits = text[start..<(start + 4)]
            // Int's initialiser would accept a sign too.
            guard digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else { return nil }
            return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        }
    }
}
