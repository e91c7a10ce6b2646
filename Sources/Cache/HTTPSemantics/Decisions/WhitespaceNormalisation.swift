/// Brings a field value to the one spelling that stands for all that differ in optional whitespace alone.
enum WhitespaceNormalisation {
    /// Appends the value without whitespace at the ends and around commas, one space for every other run of it, and
    /// quoted text as it is. Linear in the length.
    static func append(_ value: String, to result: inout [UInt8]) {
        withFieldBytes(of: value) { append($0, to: &result) }
    }

    private static func append(_ value: UnsafeRawBufferPointer, to result: inout [UInt8]) {
        let comma = UInt8(ascii: ",")
        var isQuoted = false
        var isEscaped = false
        var hasSpaceBefore = false
        // Before the first byte it is as after a comma: no space is kept.
        var last = comma
        for byte in value {
            if isQuoted {
                isQuoted = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if isWhitespace(byte) {
                hasSpaceBefore = true
                continue
            } else {
                if hasSpaceBefore, byte != comma, last != comma { result.append(0x20) }
                hasSpaceBefore = false
                isQuoted = byte == UInt8(ascii: "\"")
            }
            result.append(byte)
            last = byte
        }
    }
}
