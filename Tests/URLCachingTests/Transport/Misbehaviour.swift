import LoopbackOrigin
import Testing

/// A misbehaviour of an origin, and its expected result.
struct Misbehaviour: Sendable, CustomTestStringConvertible {
    /// The only outcomes that are right. `failure` is a `URLError` that names its reason.
    enum Outcome: Sendable {
        case answer(Int, [UInt8], fields: [String: String] = [:])
        case failure
        /// Lenient and strict readings are both right.
        case answerOrFailure(Int, [UInt8])
    }

    let name: String
    let steps: [RawOrigin.Step]
    let outcome: Outcome

    var testDescription: String { name }

    /// No answer is right.
    var isFailure: Bool { if case .failure = outcome { true } else { false } }

    init(_ name: String, _ text: String, _ more: RawOrigin.Step..., outcome: Outcome) {
        self.init(name, Array(text.utf8), more, outcome: outcome)
    }

    init(_ name: String, _ bytes: [UInt8], _ more: [RawOrigin.Step] = [], outcome: Outcome) {
        self.name = name
        steps = [.send(bytes)] + more
        self.outcome = outcome
    }

    init(_ name: String, steps: [RawOrigin.Step], outcome: Outcome) {
        self.name = name
        self.steps = steps
        self.outcome = outcome
    }

    static let all = connections + lengths + chunks + interims + lines + heads + codings
}

private let body = "hello, origin"
private let ok = Misbehaviour.Outcome.answer(200, Array(body.utf8))

/// A whole and right answer that may be stored, with further lines.
private func answer(_ lines: String = "", _ content: String = body) -> String {
    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(lines)Content-Length: \(content.utf8.count)\r\n\r\n\(content)"
}

/// A header without framing.
private func head(_ lines: String) -> String { "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(lines)\r\n" }

/// A coded answer with the right length.
private func coded(_ coding: String, _ content: [UInt8]) -> [UInt8] {
    Array(head("Content-Encoding: \(coding)\r\nContent-Length: \(content.count)\r\n").utf8) + content
}

extension Misbehaviour {
    static let connections: [Misbehaviour] = [
        .init("closes without a byte", steps: [], outcome: .failure),
        .init("resets without a byte", steps: [.reset], outcome: .failure),
        .init("closes behind the status line", "HTTP/1.1 200 OK\r\n", outcome: .failure),
        .init("closes within the header", "HTTP/1.1 200 OK\r\nX-Field: a\r\n", outcome: .failure),
        .init("resets within the header", "HTTP/1.1 200 OK\r\nX-Field", .reset, outcome: .failure),
        .init("closes within the body", head("Content-Length: 100\r\n") + body, outcome: .failure),
        .init("resets within the body", head("Content-Length: 100\r\n") + body, .reset, outcome: .failure),
        .init("tells the end by closing", head("") + body, outcome: ok),
        .init("tells the end by closing, and resets", head("") + body, .reset, outcome: .failure),
        .init("hangs before the header", steps: [.hang], outcome: .failure),
        .init("hangs within the header", "HTTP/1.1 200 OK\r\nX: ", .hang, outcome: .failure),
        .init("hangs within the body", head("Content-Length: 100\r\n") + body, .hang, outcome: .failure),
        .init("drips", steps: [.drip(Array(answer().utf8))], outcome: ok),
        .init("keeps the connection open behind the body", answer(), .hang, outcome: ok),
        .init("sends a second answer at once", answer() + answer("", "another"), outcome: ok),
        .init("sends garbage behind the answer", answer() + "\u{0}\u{1}garbage", outcome: ok),
    ]

    static let lengths: [Misbehaviour] = [
        .init(
            "announces less than it sends", head("Content-Length: 5\r\n") + body,
            outcome: .answer(200, Array("hello".utf8))),
        .init("announces two lengths", head("Content-Length: 13\r\nContent-Length: 5\r\n") + body, outcome: .failure),
        .init("announces two lengths in a list", head("Content-Length: 13, 5\r\n") + body, outcome: .failure),
        .init("announces one length twice", head("Content-Length: 13\r\nContent-Length: 13\r\n") + body, outcome: ok),
        .init("announces one length twice in a list", head("Content-Length: 13, 13\r\n") + body, outcome: ok),
        .init("announces a negative length", head("Content-Length: -5\r\n") + body, outcome: .failure),
        .init("announces a length with a sign", head("Content-Length: +13\r\n") + body, outcome: .failure),
        .init("announces a length in words", head("Content-Length: many\r\n") + body, outcome: .failure),
        .init("announces a length in hex", head("Content-Length: 0xD\r\n") + body, outcome: .failure),
        .init("announces an empty length", head("Content-Length:\r\n") + body, outcome: .failure),
        .init("announces 2^63 bytes", head("Content-Length: 9223372036854775808\r\n") + body, outcome: .failure),
        .init("announces 10^20 bytes", head("Content-Length: 100000000000000000000\r\n") + body, outcome: .failure),
        .init("announces almost 2^63 bytes", head("Content-Length: 9223372036854775806\r\n") + body, outcome: .failure),
        .init(
            "sends a body with a 204", "HTTP/1.1 204 No\r\nContent-Length: 13\r\n\r\n\(body)", outcome: .answer(204, [])
        ),
        .init(
            "sends a 304 that was not asked for", "HTTP/1.1 304 Not\r\nContent-Length: 13\r\n\r\n",
            outcome: .answer(304, [])),
        .init(
            "redirects without a place", "HTTP/1.1 302 Found\r\nLocation:\r\nContent-Length: 13\r\n\r\n\(body)",
            outcome: .answer(302, Array(body.utf8))),
    ]

    static let chunks: [Misbehaviour] = [
        .init("sends chunks", chunked("5\r\nhello\r\n8\r\n, origin\r\n0\r\n\r\n"), outcome: ok),
        .init(
            "sends a trailer", chunked("d\r\n\(body)\r\n0\r\nX-Trailer: a\r\nContent-Length: 3\r\n\r\n"),
            outcome: .answer(200, Array(body.utf8), fields: ["X-Trailer": ""])),
        .init("extends chunks", chunked("D;name=\"value\"\r\n\(body)\r\n0;last\r\n\r\n"), outcome: ok),
        .init(
            "sends chunks and a length",
            head("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n") + "d\r\n\(body)\r\n0\r\n\r\n",
            outcome: .answer(200, Array(body.utf8), fields: ["Content-Length": ""])),
        .init(
            "codes the transfer unasked", head("Transfer-Encoding: gzip, chunked\r\n") + "d\r\n\(body)\r\n0\r\n\r\n",
            outcome: .failure),
        .init("names an unknown transfer coding", head("Transfer-Encoding: x\r\n") + body, outcome: .failure),
        .init(
            "codes the transfer in chunks twice",
            head("Transfer-Encoding: chunked, chunked\r\n") + "d\r\n\(body)\r\n0\r\n\r\n", outcome: .failure),
        .init("closes within the size of a chunk", chunked("d"), outcome: .failure),
        .init("closes within a chunk", chunked("d\r\nhello"), outcome: .failure),
        .init("closes behind a chunk", chunked("d\r\n\(body)\r\n"), outcome: .failure),
        .init("closes within the last chunk", chunked("d\r\n\(body)\r\n0\r\n"), outcome: .failure),
        .init("closes within a trailer", chunked("d\r\n\(body)\r\n0\r\nX-Trailer: a\r\n"), outcome: .failure),
        .init("resets behind a chunk", Array(chunked("d\r\n\(body)\r\n").utf8), [.reset], outcome: .failure),
        .init("sends a chunk size that is not a number", chunked("zz\r\n\(body)\r\n0\r\n\r\n"), outcome: .failure),
        .init("sends a negative chunk size", chunked("-d\r\n\(body)\r\n0\r\n\r\n"), outcome: .failure),
        .init(
            "sends a chunk size beyond 64 bits", chunked("fffffffffffffffff\r\n\(body)\r\n0\r\n\r\n"), outcome: .failure
        ),
        .init(
            "sends trailers without end",
            chunked(
                "d\r\n\(body)\r\n0\r\n"
                    + String(repeating: "X-Line: \(String(repeating: "a", count: 1_000))\r\n", count: 4_096)),
            outcome: .failure),
        .init("names the transfer coding identity", head("Transfer-Encoding: identity\r\n") + body, outcome: ok),
        .init("sends a chunk that is longer than its size", chunked("5\r\n\(body)\r\n0\r\n\r\n"), outcome: .failure),
    ]

    static let interims: [Misbehaviour] = [
        .init("sends 100 first", "HTTP/1.1 100 Continue\r\n\r\n" + answer(), outcome: ok),
        .init("sends 102 first", "HTTP/1.1 102 Processing\r\n\r\n" + answer(), outcome: ok),
        .init(
            "sends 103 first", "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" + answer(),
            outcome: .answer(200, Array(body.utf8), fields: ["Link": ""])),
        .init(
            "sends 103 a hundred times",
            String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 100) + answer(), outcome: ok),
        .init("closes behind a 103", "HTTP/1.1 103 Early Hints\r\n\r\n", outcome: .failure),
        .init("changes the protocol", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n" + answer(), outcome: .failure),
    ]

    static let lines: [Misbehaviour] = [
        .init("folds a line", answer("X-Folded: one\r\n \t two\r\n"), outcome: .answerOrFailure(200, Array(body.utf8))),
        .init(
            "folds the first line", "HTTP/1.1 200 OK\r\n folded\r\nContent-Length: 13\r\n\r\n\(body)", outcome: .failure
        ),
        .init("sends a NUL in a value", answer("X-Zero: a\u{0}b\r\n"), outcome: .failure),
        .init("sends a CR in a value", answer("X-Return: a\rb\r\n"), outcome: .failure),
        .init(
            "ends lines by LF alone", answer().replacing("\r\n", with: "\n"),
            outcome: .answerOrFailure(200, Array(body.utf8))),
        .init("sends a line without a colon", answer("no colon\r\n"), outcome: .failure),
        .init("sends a line without a name", answer(": value\r\n"), outcome: .failure),
        .init("sends a space before a colon", answer("Name : value\r\n"), outcome: .failure),
        .init(
            "sends bytes outside UTF-8",
            Array("HTTP/1.1 200 OK\r\nX-Latin: caf".utf8) + [0xE9]
                + Array("\r\nContent-Length: 13\r\n\r\n\(body)".utf8), outcome: ok),
        .init(
            "sends 4,000 fields", answer((0..<4_000).map { "X-\($0): \($0)\r\n" }.joined()),
            outcome: .answer(200, Array(body.utf8), fields: ["X-3999": "3999"])),
        .init("sends one name 4,000 times", answer(String(repeating: "X-Same: value\r\n", count: 4_000)), outcome: ok),
        // Newer versions of libcurl take 5,000.
        .init(
            "sends 20,000 fields", answer((0..<20_000).map { "X-\($0): \($0)\r\n" }.joined()),
            outcome: .answerOrFailure(200, Array(body.utf8))),
        .init(
            "sends a line of 200 KB", answer("X-Long: \(String(repeating: "a", count: 200_000))\r\n"),
            outcome: .answerOrFailure(200, Array(body.utf8))),
        .init(
            "sends more than a megabyte of header",
            answer(String(repeating: "X-Line: \(String(repeating: "a", count: 1_000))\r\n", count: 1_100)),
            outcome: .failure),
        .init(
            "sends header without end",
            "HTTP/1.1 200 OK\r\n"
                + String(repeating: "X-Line: \(String(repeating: "a", count: 1_000))\r\n", count: 4_096),
            outcome: .failure),
        .init(
            "sends broken dates and directives",
            answer("Expires: never\r\nAge: -5\r\nDate: yesterday\r\nETag: unquoted\r\nVary: ,,\r\n"), outcome: ok),
    ]

    static let heads: [Misbehaviour] = [
        .init("sends no status line", "garbage\r\n\r\n", outcome: .failure),
        .init("answers as HTTP/0.9", "<html>hello</html>", outcome: .failure),
        .init("answers as HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n\(body)", outcome: ok),
        .init(
            "answers as HTTP/1.0, and keeps the connection open",
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 13\r\n\r\n\(body)", .hang, outcome: ok),
        .init(
            "answers as HTTP/1.0, in chunks",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n\(body)\r\n0\r\n\r\n",
            outcome: .answerOrFailure(200, Array(body.utf8))),
        .init("answers without a version", "HTTP/ 200 OK\r\nContent-Length: 13\r\n\r\n\(body)", outcome: .failure),
        .init("sends a status line of spaces", "HTTP/1.1     \r\nContent-Length: 13\r\n\r\n\(body)", outcome: .failure),
        .init(
            "sends status 999", "HTTP/1.1 999 X\r\nContent-Length: 13\r\n\r\n\(body)",
            outcome: .answer(999, Array(body.utf8))),
        .init(
            "sends a reason of 90 KB",
            "HTTP/1.1 200 \(String(repeating: "a", count: 90_000))\r\nContent-Length: 13\r\n\r\n\(body)", outcome: ok),
        .init("sends a status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: 13\r\n\r\n\(body)", outcome: .failure),
        .init(
            "sends a status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 13\r\n\r\n\(body)", outcome: .failure),
        .init("sends a status in words", "HTTP/1.1 fine OK\r\nContent-Length: 13\r\n\r\n\(body)", outcome: .failure),
        .init("sends status 000", "HTTP/1.1 000 OK\r\nContent-Length: 13\r\n\r\n\(body)", outcome: .failure),
        .init("sends no reason", "HTTP/1.1 200\r\nContent-Length: 13\r\n\r\n\(body)", outcome: ok),
        .init(
            "sends a version that does not exist", "HTTP/7.3 200 OK\r\nContent-Length: 13\r\n\r\n\(body)",
            outcome: .failure),
    ]

    static let codings: [Misbehaviour] = [
        .init("codes by gzip", coded("gzip", zipped), outcome: ok),
        .init(
            "codes by gzip in two files", coded("gzip", gzip(Array("hello".utf8)) + gzip(Array(", origin".utf8))),
            outcome: ok),
        .init("sends garbage behind a gzip file", coded("x-gzip", zipped + [1, 2, 3]), outcome: ok),
        .init(
            "cuts a gzip file, with the length of the rest", coded("gzip", Array(zipped.dropLast(12))),
            outcome: .failure),
        .init("cuts the sum of a gzip file", coded("gzip", Array(zipped.dropLast(4))), outcome: .failure),
        .init("cuts a second gzip file", coded("gzip", zipped + zipped.prefix(5)), outcome: .failure),
        .init(
            "cuts a gzip file by closing", Array(head("Content-Encoding: gzip\r\n").utf8) + zipped.dropLast(12),
            outcome: .failure),
        .init(
            "breaks the sum of a gzip file", coded("gzip", zipped.dropLast(8) + [0, 0, 0, 0, 0, 0, 0, 0]),
            outcome: .failure),
        .init("says gzip, and it is not", coded("gzip", Array(body.utf8)), outcome: .failure),
        .init("codes nothing by gzip", coded("gzip", []), outcome: .answer(200, [])),
        .init(
            "codes by deflate without zlib's header", coded("deflate", Array(zipped.dropFirst(10).dropLast(8))),
            outcome: ok),
        .init("names the coding identity", coded("identity", Array(body.utf8)), outcome: ok),
        .init(
            "codes by br unasked", coded("br", [0x8B, 0x06, 0x80, 1, 2, 3]),
            outcome: .answer(200, [0x8B, 0x06, 0x80, 1, 2, 3], fields: ["Content-Encoding": "br"])),
        .init(
            "codes by gzip twice", coded("gzip, gzip", gzip(zipped)),
            outcome: .answer(200, gzip(zipped), fields: ["Content-Encoding": "gzip, gzip"])),
        .init(
            "names a coding that does not exist", coded("utf-8", Array(body.utf8)),
            outcome: .answer(200, Array(body.utf8), fields: ["Content-Encoding": "utf-8"])),
    ]

    private static let zipped = gzip(Array(body.utf8))

    private static func chunked(_ text: String) -> String { head("Transfer-Encoding: chunked\r\n") + text }
}
