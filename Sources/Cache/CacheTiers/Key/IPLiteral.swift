/// The inside of `[…]` in a URL's authority (RFC 3986 section 3.2.2).
enum IPLiteral {
    /// Whether the bytes are an IPv6 address, without a zone, or an `IPvFuture`.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return false }
        return first | 0x20 == UInt8(ascii: "v") ? isFuture(bytes) : isIPv6(bytes)
    }

    /// `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`
    private static func isFuture(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")), dot > 1, dot + 1 < bytes.count else { return false }
        return bytes[1..<dot].allSatisfy(URLBytes.isHexDigit)
            && bytes[(dot + 1)...].allSatisfy {
                URLBytes.isLowercaseName($0) || URLBytes.isCapital($0) || $0 == UInt8(ascii: ":")
            }
    }

    /// Eight groups of up to four hexadecimal digits; one `::` may stand for one or more groups of zeros, and the last
    /// two groups may be written as an IPv4 address.
    private static func isIPv6(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var groups = 0
        var hasGap = false
        var index = 0
        if bytes.starts(with: "::".utf8) {
            hasGap = true
            index = 2
        }
        while index < bytes.count {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            let group = bytes[index..<end]
            if end == bytes.count, group.contains(UInt8(ascii: ".")) {
                guard isIPv4(group) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(group.count), group.allSatisfy(URLBytes.isHexDigit) else { return false }
            groups += 1
            guard end < bytes.count else { break }
            index = end + 1
            guard index < bytes.count else { return false }
            if bytes[index] == UInt8(ascii: ":") {
                guard !hasGap else { return false }
                hasGap = true
                index += 1
            }
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    /// Four decimal numbers up to 255, without leading zeros.
    private static func isIPv4(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let numbers = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { digits in
                guard (1...3).contains(digits.count), digits.allSatisfy(URLBytes.isDigit) else { return false }
                guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
                return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
            }
    }
}
