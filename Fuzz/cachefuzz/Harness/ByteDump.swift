/// An input as text, with what is not printable escaped, and as hexadecimal digits.
enum ByteDump {
    /// Bytes shown of a long input.
    static let longest = 65_536

    static func text(of bytes: UnsafeRawBufferPointer) -> String {
        "\(bytes.count) bytes\n" + escaped(bytes.prefix(longest)) + "\n" + hexadecimal(bytes.prefix(longest))
    }

    /// With a new line behind every line feed.
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

    /// Sixteen bytes a line, the place in front.
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
