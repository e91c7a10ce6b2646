import HTTPCache
import HTTPSemantics

/// What a recorder keeps of a request and its answer.
struct RecordedAnswer: Hashable, Sendable {
    var url = ""
    let method: String
    let status: Int
    /// Bytes of the body, if known.
    let size: Int?
    let requestFields: [[String]]
    let responseFields: [[String]]

    init(method: String, status: Int, size: Int?, requestFields: HTTPFields, responseFields: HTTPFields) {
        self.method = method
        self.status = status
        self.size = size
        self.requestFields = Self.picked(requestFields, Self.requestNames)
        self.responseFields = Self.picked(responseFields, Self.responseNames)
    }

    /// A stored response, as it answers a GET.
    init(_ stored: StoredResponse) {
        let response = stored.response
        self.init(
            method: "GET", status: response.status, size: stored.entry.bodyCount, requestFields: HTTPFields(),
            responseFields: response.headerFields)
    }

    /// A cached response, as it answers a GET; `nil` if it is not an HTTP response.
    init?(_ cached: CachedURLResponse) {
        guard let response = HTTPResponse(cached.response) else { return nil }
        self.init(
            method: "GET", status: response.status, size: cached.data.count, requestFields: HTTPFields(),
            responseFields: response.headerFields)
    }

    var isGet: Bool { method == "GET" }

    /// Whether it may stand for a hit of a stored response with this status and size.
    func isStored(status: Int, size: Int) -> Bool {
        self.status == status && self.size == size && requestFields.isEmpty
    }

    /// The bytes of its texts, plus some for each part.
    var byteCount: Int {
        (requestFields + responseFields).reduce(url.utf8.count + 128) {
            $0 + $1.reduce(64) { $0 + $1.utf8.count }
        }
    }

    private static func picked(_ fields: HTTPFields, _ names: Set<String>) -> [[String]] {
        fields.fields.compactMap { field in
            names.contains(field.name.rawName.lowercased()) ? [field.name.rawName, field.value] : nil
        }
    }

    /// The fields that decide about caching. They do not identify a user.
    private static let requestNames: Set = ["cache-control", "pragma", "range"]
    private static let responseNames: Set = [
        "cache-control", "expires", "date", "last-modified", "age", "vary", "pragma",
    ]
}

/// The text of a recorded request: a line of JSON like in Caddy's log, which the harness reads as `json-log`.
enum RequestTrace {
    /// - Parameter time: microseconds since 1970; an earlier time is written as 0.
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
