/// Frames of HTTP/2 as bytes (RFC 9113, section 6), right or wrong. Fields are literals without indexing (RFC 7541,
/// section 6.2.2).
public enum HTTP2Frame {
    /// A flag of DATA and HEADERS.
    public static let endStream: UInt8 = 0x1
    /// A flag of SETTINGS and PING.
    public static let acknowledgement: UInt8 = 0x1
    /// A flag of HEADERS, CONTINUATION and PUSH_PROMISE.
    public static let endHeaders: UInt8 = 0x4
    /// A flag of DATA and HEADERS: the payload begins with the length of the padding.
    public static let padded: UInt8 = 0x8
    /// A flag of HEADERS: a dependency and a weight precede the fields.
    public static let priority: UInt8 = 0x20

    /// A frame of any type.
    ///
    /// - Parameter length: the length that the frame announces; `nil` for that of the payload.
    public static func frame(
        _ type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = [], length: Int? = nil
    ) -> [UInt8] {
        let length = length ?? payload.count
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
            + word(stream) + payload
    }

    /// A DATA frame.
    public static func data(_ text: String, stream: UInt32, ends: Bool = true) -> [UInt8] {
        frame(0, flags: ends ? endStream : 0, stream: stream, Array(text.utf8))
    }

    /// A HEADERS frame with the whole header.
    public static func headers(_ fields: [(String, String)], stream: UInt32, ends: Bool = false) -> [UInt8] {
        frame(1, flags: endHeaders | (ends ? endStream : 0), stream: stream, block(fields))
    }

    /// An RST_STREAM frame.
    public static func reset(_ code: UInt32, stream: UInt32) -> [UInt8] { frame(3, stream: stream, word(code)) }

    /// A SETTINGS frame of identifiers and values.
    public static func settings(_ values: (UInt16, UInt32)...) -> [UInt8] {
        frame(4, stream: 0, values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + word($0.1) })
    }

    /// A PING frame.
    public static func ping(stream: UInt32 = 0) -> [UInt8] { frame(6, stream: stream, [1, 2, 3, 4, 5, 6, 7, 8]) }

    /// A GOAWAY frame that names the last stream, and a code.
    public static func goAway(last: UInt32, _ code: UInt32 = 0) -> [UInt8] {
        frame(7, stream: 0, word(last) + word(code))
    }

    /// A WINDOW_UPDATE frame.
    public static func windowUpdate(_ increment: UInt32, stream: UInt32) -> [UInt8] {
        frame(8, stream: stream, word(increment))
    }

    /// The fields as HPACK has them.
    public static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string(Array($0.0.utf8)) + string(Array($0.1.utf8)) }
    }

    /// Four bytes, the highest first.
    public static func word(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    /// Without Huffman's coding (RFC 7541, section 5.2).
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var length: [UInt8] = [127]
        var rest = bytes.count - 127
        while rest >= 128 {
            length.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }
}
