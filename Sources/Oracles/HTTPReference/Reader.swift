/// Reads bytes from left to right, one production of the grammar at a time (RFC 9110, section 5.6).
struct Reader {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// The byte at the position, 0 at the end (no production of a field value contains a NUL).
    var peek: UInt8 { position < end ? bytes[position] : 0 }

    mutating func read(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func read(word: [UInt8]) -> Bool {
        guard end - position >= word.count, matches(word, at: position) else { return false }
        position += word.count
        return true
    }

    /// Reads one of `words` and returns its index. The longest is not preferred, so no word of a list may begin with
    /// another.
    mutating func read(oneOf words: [[UInt8]]) -> Int? {
        var index = 0
        while index < words.count {
            if read(word: words[index]) { return index }
            index += 1
        }
        return nil
    }

    mutating func readDigits(_ count: Int) -> Int? {
        guard end - position >= count else { return nil }
        var number = 0
        var index = position
        while index < position + count {
            guard isDigit(bytes[index]) else { return nil }
            number = number * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        position = index
        return number
    }

    /// Reads `1*DIGIT`; a number above `maximum` becomes `maximum`.
    mutating func readNumber(clampedTo maximum: Int64) -> Int64? {
        guard isDigit(peek) else { return nil }
        var number: Int64 = 0
        while isDigit(peek) {
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeToo) = tens.addingReportingOverflow(Int64(peek - 0x30))
            number = isTooLarge || isTooLargeToo ? maximum : min(sum, maximum)
            position += 1
        }
        return number
    }

    /// Reads `OWS = *( SP / HTAB )`.
    mutating func skipWhitespace() {
        while isWhitespace(peek) { position += 1 }
    }

    /// Reads `token = 1*tchar`.
    mutating func readToken() -> Range<Int>? {
        let start = position
        while isTokenCharacter(peek) { position += 1 }
        return start < position ? start..<position : nil
    }

    private func matches(_ word: [UInt8], at start: Int) -> Bool {
        var index = 0
        while index < word.count {
            guard lowercase(bytes[start + index]) == lowercase(word[index]) else { return false }
            index += 1
        }
        return true
    }
}

func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// `tchar = "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "." / "^" / "_" / "`" / "|" / "~" / DIGIT / ALPHA`
func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
}

func lowercase(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte }
