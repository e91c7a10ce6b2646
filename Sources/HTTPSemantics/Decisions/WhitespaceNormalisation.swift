/// Brings a field value to the one spelling that stands for all that differ in optional whitespace alone.
enum WhitespaceNormalisation {
    /// Drops whitespace at the ends and around commas, makes one space of every other run of it, and leaves alone what
    /// is quoted. Linear in the length.
    static func normalised(_ value: String) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(value.utf8.count)
        var isQuoted = false
        var isEscaped = false
        var hasSpaceBefore = false
        for byte in value.utf8 {
            if isQuoted {
                result.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isQuoted = false
                }
                continue
            }
            if isWhitespace(byte) {
                hasSpaceBefore = true
                continue
            }
            let comma = UInt8(ascii: ",")
            if hasSpaceBefore, byte != comma, let last = result.last, last != comma { result.append(0x20) }
            hasSpaceBefore = false
            result.append(byte)
            isQuoted = byte == UInt8(ascii: "\"")
        }
        return result
    }
}
