import LoopbackOrigin

/// Frames and header blocks (RFC 9113, sections 4, 6 and 8; RFC 7541).
extension HTTP2Misbehaviour {
    static let lengths: [Self] = [
        .init("announces more than it sends", .failure) { answer($0, [("content-length", "14")]) },
        .init("announces less than it sends", .failure) { answer($0, [("content-length", "5")]) },
        .init("announces a length, and ends by the header", .failure) {
            head($0, [("content-length", "13")], ends: true)
        },
        .init("announces two lengths", .failure) { answer($0, [("content-length", "13"), ("content-length", "5")]) },
        .init("announces one length twice", either) {
            answer($0, [("content-length", "13"), ("content-length", "13")])
        },
        .init("announces a length in words", .failure) { answer($0, [("content-length", "many")]) },
        .init("announces a negative length", .failure) { answer($0, [("content-length", "-13")]) },
        .init("announces 2^63 bytes", .failure) { answer($0, [("content-length", "9223372036854775808")]) },
        .init("sends a body with a 204", .failure) {
            head($0, status: "204") + Frame.data(body, stream: $0)
        },
        .init("sends a 304 with a length", .answer(304, "")) {
            head($0, [("content-length", "13")], status: "304", ends: true)
        },
        .init("answers a HEAD with a length", .answer(200, "")) {
            head($0, [("content-length", "13")], ends: true)
        }.with { $0.method = "HEAD" },
        .init("answers a HEAD with a body", .answerOrFailure(200, "")) { answer($0) }.with { $0.method = "HEAD" },
        .init("cuts a coded body", .failure) {
            head($0, [("content-encoding", "gzip")])
                + Frame.frame(0, flags: Frame.endStream, stream: $0, Array(gzip(Array(body.utf8)).dropLast(3)))
        },
    ]

    static let sequences: [Self] = [
        .init("sends data behind the end", either) { answer($0) + Frame.data("more", stream: $0) },
        .init("sends a header behind the end", either) { answer($0) + head($0) },
        .init("sends data before the header", .failure) { Frame.data(body, stream: $0, ends: false) + answer($0) },
        .init("sends data on stream 0", .failureOrTimeout) { head($0) + Frame.data(body, stream: 0) },
        .init("sends data on a stream that is not open", .failure) {
            Frame.data("no", stream: $0 + 100) + answer($0)
        },
        .init("sends a header on stream 0", .failure) { head(0) + answer($0) },
        .init("sends a header on a stream that is not open", .failure) { head($0 + 100) + answer($0) },
        .init("sends a header on a stream of its own", .failure) { head(2) + answer($0) },
        .init("sends two headers", .failure) { head($0) + answer($0) },
        .init("sends a trailer", .answer(200, body, fields: ["X-Trailer": ""])) {
            head($0) + Frame.data(body, stream: $0, ends: false)
                + Frame.headers([("x-trailer", "late")], stream: $0, ends: true)
        },
        .init("sends a trailer with a length", either) {
            head($0) + Frame.data(body, stream: $0, ends: false)
                + Frame.headers([("content-length", "3")], stream: $0, ends: true)
        },
        .init("sends a trailer with a status", .failure) {
            head($0) + Frame.data(body, stream: $0, ends: false)
                + Frame.headers([(":status", "500")], stream: $0, ends: true)
        },
        .init("sends a trailer that does not end the stream", .failure) {
            head($0) + Frame.data(body, stream: $0, ends: false) + Frame.headers([("x-trailer", "late")], stream: $0)
        },
        .init("sends 103 first", .answer(200, body, fields: ["Link": ""])) {
            Frame.headers([(":status", "103"), ("link", "</a>")], stream: $0) + answer($0)
        },
        .init("sends 100 first", ok) { Frame.headers([(":status", "100")], stream: $0) + answer($0) },
        .init("sends 103 a hundred times", ok) { stream in
            (0..<100).flatMap { _ in Frame.headers([(":status", "103"), ("link", "</a>")], stream: stream) }
                + answer(stream)
        },
        .init("ends by a 103", .failure) { Frame.headers([(":status", "103")], stream: $0, ends: true) },
        .init("sends 103 and no more", .timeout) { Frame.headers([(":status", "103")], stream: $0) },
        .after("sends 103 and closes", .failure) {
            [.send(Frame.headers([(":status", "103")], stream: $0)), .close(tells: true)]
        },
        .init("sends 103 and data", .failure) {
            Frame.headers([(":status", "103")], stream: $0) + Frame.data(body, stream: $0)
        },
        .init("changes the protocol", .failure) { Frame.headers([(":status", "101")], stream: $0) + answer($0) },
        .init("ends by an empty frame", ok) {
            head($0) + Frame.data(body, stream: $0, ends: false) + Frame.data("", stream: $0)
        },
        .init("ends by the header", .answer(200, "")) { head($0, ends: true) },
    ]

    static let blocks: [Self] = [
        .init("splits the header over six frames", ok) { continued($0, size: 8) + Frame.data(body, stream: $0) },
        .init("splits the header at every byte", either) { continued($0, size: 1) + Frame.data(body, stream: $0) },
        .init("continues the header by empty frames", either) { stream in
            Frame.frame(1, stream: stream, Frame.block([(":status", "200"), ("cache-control", "max-age=1000000")]))
                + (0..<100).flatMap { _ in Frame.frame(9, stream: stream) }
                + Frame.frame(9, flags: Frame.endHeaders, stream: stream) + Frame.data(body, stream: stream)
        },
        .init("continues the header without end", .failure) { stream in
            let line = Frame.block([("x-line", String(repeating: "a", count: 8_000))])
            return Frame.frame(1, stream: stream, Frame.block([(":status", "200")]))
                + (0..<1_000).flatMap { _ in Frame.frame(9, stream: stream, line) }
        },
        .init("continues the header by 100,000 empty frames", .failure) { stream in
            Frame.frame(1, stream: stream, Frame.block([(":status", "200")]))
                + (0..<100_000).flatMap { _ in Frame.frame(9, stream: stream) }
        },
        .init("ends within the header", .failure) {
            Frame.frame(1, stream: $0, Frame.block([(":status", "200")])) + Frame.data(body, stream: $0)
        },
        .init("continues without a header", .failure) {
            Frame.frame(9, flags: Frame.endHeaders, stream: $0, Frame.block([(":status", "200")])) + answer($0)
        },
        .init("continues the header on another stream", .failure) {
            Frame.frame(1, stream: $0, Frame.block([(":status", "200")]))
                + Frame.frame(9, flags: Frame.endHeaders, stream: $0 + 2, Frame.block([("a", "b")])) + answer($0)
        },
        .init("sends a megabyte of header", .failure) { stream in
            let lines = (0..<128).map { ("x-\($0)", String(repeating: "a", count: 8_192)) }
            return continued(stream, lines, size: 16_384) + Frame.data(body, stream: stream)
        },
        .init("sends a field of 200 KB", .failure) {
            continued($0, [("x-long", String(repeating: "a", count: 200_000))], size: 16_384)
                + Frame.data(body, stream: $0)
        },
        .init("sends 1,000 fields", .answer(200, body, fields: ["X-999": "999"])) { stream in
            continued(stream, (0..<1_000).map { ("x-\($0)", "\($0)") }, size: 16_384) + Frame.data(body, stream: stream)
        },
        .init("names an entry that the table lacks", .failure) {
            Frame.frame(1, flags: Frame.endHeaders, stream: $0, [0x88, 0xFF, 0x80, 0x01]) + answer($0)
        },
        .init("names entry 0", .failure) {
            Frame.frame(1, flags: Frame.endHeaders, stream: $0, [0x88, 0x80]) + answer($0)
        },
        .init("sends a number without end", .failure) {
            Frame.frame(1, flags: Frame.endHeaders, stream: $0, [0x88, 0xFF] + [UInt8](repeating: 0xFF, count: 64))
                + answer($0)
        },
        .init("ends within a text", .failure) {
            Frame.frame(1, flags: Frame.endHeaders, stream: $0, [0x88, 0x00, 0x05, 0x61]) + answer($0)
        },
        .init("sends a text that is not of Huffman's code", .failure) {
            Frame.frame(1, flags: Frame.endHeaders, stream: $0, [0x88, 0x00, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) + answer($0)
        },
        .init("makes the table larger than was allowed", .failure) {
            Frame.frame(1, flags: Frame.endHeaders, stream: $0, [0x3F, 0xE1, 0xFF, 0xFF, 0x07, 0x88]) + answer($0)
        },
    ]

    static let fields = forbidden + statuses + heads

    private static let forbidden: [Self] = names.map { field in
        let name = "sends the field \(field.0.debugDescription): \(field.1.debugDescription)"
        return Self(name, .failure) { answer($0, [field]) }
    }

    private static let names: [(String, String)] = [
        ("connection", "close"), ("transfer-encoding", "chunked"), ("keep-alive", "timeout=5"), ("upgrade", "x"),
        ("proxy-connection", "close"), ("X-Upper", "a"), ("", "a"), ("a b", "c"), ("a\r\nb", "c"), ("x-nul", "a\0b"),
        ("x-cr", "a\rb"), ("x-lf", "a\nset-cookie: a=b"), (":late", "a"), (":path", "/"), (":status", "404"),
    ]

    private static let statuses: [Self] = ["", "99", "099", "1000", "000", "20x", "+20", " 200", "-20"].map { status in
        Self("has the status \(status.debugDescription)", .failure) {
            head($0, status: status) + Frame.data(body, stream: $0)
        }
    }

    private static let heads: [Self] = [
        .init("has no status", .failure) {
            Frame.headers([("cache-control", "max-age=1000000")], stream: $0) + Frame.data(body, stream: $0)
        },
        .init("has an empty header", .failure) { Frame.headers([], stream: $0) + Frame.data(body, stream: $0) },
        .init("has the status behind a field", .failure) {
            Frame.headers([("x", "y"), (":status", "200")], stream: $0) + Frame.data(body, stream: $0)
        },
        .init("has the status 999", .answer(999, body)) { head($0, status: "999") + Frame.data(body, stream: $0) },
    ]

    /// A header in parts of so many bytes.
    private static func continued(_ stream: UInt32, _ fields: [(String, String)] = [], size: Int) -> [UInt8] {
        let block = Frame.block([(":status", "200"), ("cache-control", "max-age=1000000")] + fields)
        let starts = Array(stride(from: 0, to: block.count, by: size))
        return starts.flatMap { start in
            Frame.frame(
                start == 0 ? 1 : 9, flags: start == starts.last ? Frame.endHeaders : 0, stream: stream,
                Array(block[start..<min(start + size, block.count)]))
        }
    }
}
