/// Case as HTTP defines it, for the 26 letters alone (RFC 9110, section 2.1).
enum AsciiCase {
    static func lowered(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
