/// The text of a recorded request: a line of JSON in the manner of Caddy's log, which the harness reads as `json-log`.
enum RequestTrace {
    /// - Parameter time: microseconds since 1970; an earlier one is written as 0.
    static func append(_ answer: RecordedAnswer, at time: Int64, to text: inout [UInt8]) {
        let time = max(0, time)
        let fraction = String(time % 1_000_000 + 1_000_000).dropFirst()
        text += "{\"ts\":\(time / 1_000_000).\(fraction),\"request\":{\"method\":".utf8
        appendQuoted(answer.method, to: &text)
        text += ",\"uri\":".utf8
        appendQuoted(answer.url, to: &text)
        text += ",\"headers\":{".utf8
        appendFields(answer.requestFields, to: &text)
        text += "}},\"status\":\(answer.status)".utf8
        if let size = answer.size { text += ",\"size\":\(size)".utf8 }
        text += ",\"resp_headers\":{".utf8
        appendFields(answer.responseFields, to: &text)
        text += "}}\n".utf8
    }

    private static func appendFields(_ fields: [[String]], to text: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            appendQuoted(field[0], to: &text)
            text += ":[".utf8
            appendQuoted(field[1], to: &text)
            text.append(UInt8(ascii: "]"))
        }
    }

    private static func appendQuoted(_ value: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                text += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            } else {
                text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
