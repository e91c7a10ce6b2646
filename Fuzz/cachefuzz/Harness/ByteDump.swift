/// An input as text, with unprintable bytes escaped, and as hexadecimal digits.
enum ByteDump {
    /// The number of bytes shown of a longer input.
    static let longest = 65_536

    static func text(of bytes: UnsafeRawBufferPointer) -> String {
        "\(bytes.count) bytes\n" + escaped(bytes.prefix(longest)) + "\n" + hexadecimal(bytes.prefix(longest))
    }

    /// The bytes as text, with a line break after every line feed.
    static func escaped(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case 0x0A: text += "\\n\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0x5C: text += "\\\\"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x" + digits(UInt64(byte), 2)
            }
        }
        return text
    }

    /// The bytes as text on one line.
    static func escaped(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { escaped($0.prefix(longest)).replacing("\n", with: "") }
    }

    /// The bytes as hexadecimal digits: sixteen to a line, after their offset.
    static func hexadecimal(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var lines: [String] = []
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 16) {
            let line = bytes[start..<min(start + 16, bytes.endIndex)]
            let place = digits(UInt64(start - bytes.startIndex), 8)
            lines.append(place + " " + line.map { " " + digits(UInt64($0), 2) }.joined())
        }
        return lines.joined(separator: "\n")
    }

    static func digits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
