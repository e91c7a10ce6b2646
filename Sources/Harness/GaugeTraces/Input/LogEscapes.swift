/// The escapes of Apache and nginx in access logs: `\"`, `\\`, `\x22`, and the letters of C.
enum LogEscapes {
    /// The text with its escapes resolved.
    static func resolved(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "\\")) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            if escaped == UInt8(ascii: "x"), let value = hexadecimal(rest.prefix(2)) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(controls[escaped] ?? escaped)
            }
        }
        return bytes[...]
    }

    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "v"): 0x0B, UInt8(ascii: "f"): 0x0C,
    ]

    private static func hexadecimal(_ text: ArraySlice<UInt8>) -> UInt8? {
        guard text.count == 2 else { return nil }
        return UInt8(String(decoding: text, as: UTF8.self), radix: 16)
    }
}
