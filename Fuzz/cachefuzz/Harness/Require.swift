/// Ends the process unless `condition` holds.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
    if !condition { fuzzFailure(promise()) }
}

extension [UInt8] {
    /// The bytes with every ASCII letter in upper case.
    var uppercased: [UInt8] { map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 } }

    /// The bytes with every ASCII letter in lower case.
    var lowercased: [UInt8] { map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 } }

    /// The bytes with whitespace and an empty member at every comma, whether inside quotes or not.
    var spread: [UInt8] {
        var spread: [UInt8] = []
        spread.reserveCapacity(2 * count)
        for byte in self {
            if byte == 0x2C { spread += [0x09, 0x2C, 0x2C, 0x20] } else { spread.append(byte) }
        }
        return spread
    }

    /// The bytes without spaces and tabs at both ends.
    var trimmed: [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return []
        }
        return Array(self[first...last])
    }

    /// The bytes in quotes, for a message.
    var quoted: String { String(decoding: self, as: UTF8.self).debugDescription }
}
