/// Case as HTTP knows it: that of the 26 letters (RFC 9110, section 2.1).
enum AsciiCase {
    static func lowered(_ text: Substring) -> String {
        String(decoding: text.utf8.map(lowered), as: UTF8.self)
    }

    static func lowered(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
