// Invariant of the pointers: libcurl lends a line for the call of `read`; `read` copies the parts it keeps.

import HTTPSemantics

/// Reads an answer's header line by line (RFC 9112, sections 4 and 5; RFC 9110, section 15.2).
///
/// Interim answers (1xx) are read and dropped. Lines behind the header, the trailers, are counted and dropped.
struct ResponseHeadReader {
    struct Malformed: Error {
        let reason: String
        var isTooLong = false
    }

    private let limit: Int
    /// No body follows, whatever the header says.
    private let isHead: Bool
    private var expectsContinue: Bool
    private var byteCount = 0
    private var status: Int?
    private var fields: [HTTPFields.Field] = []
    /// The last field line, which the next line may fold.
    private var line: HTTPFields.Field?
    /// Its value with those of the lines that fold it, if any.
    private var foldedValue: [UInt8]?
    private(set) var response: HTTPResponse?
    /// The last status line was of HTTP/2, or later.
    private(set) var isHTTP2 = false

    /// - Parameters:
    ///   - limit: bytes of header to read, including interim answers and trailers.
    ///   - expectsContinue: the request has `Expect: 100-continue`.
    init(limit: Int, isHead: Bool, expectsContinue: Bool) {
        self.limit = limit
        self.isHead = isHead
        self.expectsContinue = expectsContinue
    }

    /// The answer is a 417 (Expectation Failed), after which libcurl may send the request again without `Expect`
    /// (RFC 9110, section 10.1.1). The next answer then replaces it, unless `settle` was called before.
    var isProvisional: Bool { expectsContinue && response?.status == 417 }

    var isUntouched: Bool { byteCount == 0 }

    /// A body may follow the final answer's header.
    var hasBody: Bool { hasBody(response?.status) }

    private func hasBody(_ status: Int?) -> Bool { !isHead && status != 204 && status != 304 }

    /// The answer is the last one.
    mutating func settle() { expectsContinue = false }

    /// Reads a line, with or without the bytes that end it.
    ///
    /// - Returns: whether it completes the header of the final answer.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> Bool {
        byteCount += bytes.count
        guard byteCount <= limit else {
            throw Malformed(reason: "the header is longer than \(limit) bytes; raise largestHeader", isTooLong: true)
        }
        let line = Self.withoutEnd(bytes)
        if response != nil {
            guard isProvisional, line.starts(with: "HTTP/".utf8) else { return false }
            response = nil
        }
        var isASCII = true
        for byte in line {
            if byte == 0 || byte == 10 || byte == 13 {
                throw Malformed(reason: "a header line holds a CR, LF or NUL")
            }
            if byte >= 0x80 { isASCII = false }
        }
        if status == nil {
            status = try Self.status(in: line)
            isHTTP2 = line.count > 5 && 0x32...0x39 ~= line[5]
            return false
        }
        if line.isEmpty { return try complete() }
        if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
            // A folded line counts as a space (RFC 9112, section 5.2).
            guard let folded = self.line else { throw Malformed(reason: "a folded line follows the status line") }
            if foldedValue == nil { foldedValue = folded.valueBytes }
            foldedValue?.append(UInt8(ascii: " "))
            foldedValue?.append(contentsOf: Self.trimmed(line))
            return false
        }
        takeLine()
        var colon = 0
        while colon < line.count, line[colon].isTokenByte { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else {
            throw Malformed(reason: "a header line has no field name")
        }
        let name = HTTPFields.Name(Self.text(line[..<colon]))
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        // Most values are ASCII, where there is no need to look at each character.
        self.line =
            isASCII
            ? HTTPFields.Field(name: name, value: Self.text(value))
            : HTTPFields.Field(name: name, valueBytes: Array(value))
        return false
    }

    private mutating func takeLine() {
        guard let line = line.take() else { return }
        if fields.isEmpty { fields.reserveCapacity(16) }
        fields.append(foldedValue.take().map { HTTPFields.Field(name: line.name, valueBytes: $0) } ?? line)
    }

    private mutating func complete() throws(Malformed) -> Bool {
        takeLine()
        defer { (status, fields) = (nil, []) }
        guard let status else { return false }
        guard status != 101 else { throw Malformed(reason: "the origin changes to another protocol") }
        guard status >= 200 else { return false }
        var response = HTTPResponse(status: status, headerFields: HTTPFields(fields))
        let hasBody = hasBody(status)
        if hasBody { try Self.checkTransferCoding(response) }
        try Self.settleLength(&response, hasBody: hasBody)
        self.response = response
        return true
    }

    /// libcurl undoes `chunked`, but would hand out the bytes of any other transfer coding as the body (RFC 9112,
    /// section 6.1).
    private static func checkTransferCoding(_ response: HTTPResponse) throws(Malformed) {
        guard let field = response.headerFields["Transfer-Encoding"] else { return }
        let codings = field.split(separator: ",").map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard codings.isEmpty || codings == ["chunked"] else {
            throw Malformed(reason: "Transfer-Encoding \"\(field.prefix(80))\" was not asked for; only chunked is read")
        }
    }

    /// Leaves one usable `Content-Length`, or none (RFC 9112, section 6.3).
    private static func settleLength(_ response: inout HTTPResponse, hasBody: Bool) throws(Malformed) {
        guard let text = response.headerFields["Content-Length"] else { return }
        guard response.headerFields["Transfer-Encoding"] == nil else {
            response.headerFields["Content-Length"] = nil
            return
        }
        // Nearly always it is already one number.
        if 49...57 ~= text.utf8.first ?? 0, text.utf8.count < 19, text.utf8.allSatisfy({ 48...57 ~= $0 }) { return }
        if let length = ContentLength.parse(ContiguousArray(text.utf8).span.bytes).bytes {
            response.headerFields["Content-Length"] = String(length)
        } else if hasBody {
            throw Malformed(reason: "Content-Length \"\(text.prefix(80))\" is not one length")
        }
    }

    // MARK: Bytes

    /// `HTTP/1.1 200 OK`, `HTTP/2 200`.
    private static func status(in line: UnsafeRawBufferPointer) throws(Malformed) -> Int {
        guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: UInt8(ascii: " ")) else {
            throw Malformed(reason: "the answer does not begin with an HTTP status line")
        }
        let rest = line[(space + 1)...]
        let digits = rest.prefix { $0 != UInt8(ascii: " ") }
        guard digits.count == 3, digits.allSatisfy({ 48...57 ~= $0 }), digits[digits.startIndex] != 48 else {
            throw Malformed(reason: "the status line has no status code of three digits")
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    private static func withoutEnd(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = bytes.count
        if end > 0, bytes[end - 1] == 10 {
            end -= 1
            if end > 0, bytes[end - 1] == 13 { end -= 1 }
        }
        return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var rest = bytes[...]
        while rest.first?.isBlank == true { rest = rest.dropFirst() }
        while rest.last?.isBlank == true { rest = rest.dropLast() }
        return rest
    }
}

extension UInt8 {
    /// A byte of a token (RFC 9110, section 5.6.2).
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
