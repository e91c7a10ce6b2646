/// Ends the process unless `condition` holds.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
    if !condition { fuzzFailure(promise()) }
}

extension [UInt8] {
    /// With every ASCII letter in upper case.
    var uppercased: [UInt8] { map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 } }

    /// With every ASCII letter in lower case.
    var lowercased: [UInt8] { map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 } }

    /// With whitespace on both sides of every comma, and an empty member there too; quotes are not looked at.
    var spread: [UInt8] { flatMap { $0 == 0x2C ? [0x09, 0x2C, 0x2C, 0x20] : [$0] } }

    /// For a message.
    var quoted: String { String(decoding: self, as: UTF8.self).debugDescription }
}
