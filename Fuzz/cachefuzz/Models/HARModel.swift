import GaugeTraces

/// The contents of an HTTP archive, read from the tree of the whole document.
enum HARModel {
    struct Request: Equatable {
        let url: String?
        let size: Int?
        let method: String?
        let status: Int?
        /// Seconds since 1970; `nil` until taken from another entry.
        var time: Double?
        let requestFields: [HTTPExchange.Field]?
        let responseFields: [HTTPExchange.Field]?
    }

    /// The tree of an archive: JSON alone, or the argument of a call, `name({…});`, perhaps without the semicolon.
    static func document(_ text: [UInt8]) -> JSONModel? {
        func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let start = text.drop(while: isSpace)
        guard let bracket = start.prefix(129).firstIndex(of: UInt8(ascii: "(")),
            start[..<bracket].allSatisfy({ isSpace($0) || isOfName($0) })
        else { return JSONModel.parse(text) }
        var argument = start[(bracket + 1)...]
        func cutSpaces() { while let last = argument.last, isSpace(last) { argument.removeLast() } }
        cutSpaces()
        if argument.last == UInt8(ascii: ";") { argument.removeLast() }
        cutSpaces()
        guard argument.popLast() == UInt8(ascii: ")") else { return nil }
        return JSONModel.parse(Array(argument))
    }

    /// Letters, digits, `$`, `_` and `.`: `window.parent.load_1`.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39: true
        default: [UInt8(ascii: "$"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
        }
    }

    /// The first array called `entries` in an object called `log`.
    static func entries(of document: JSONModel) -> [JSONModel]? {
        guard case .object = document else { return nil }
        for log in document.members("log") {
            for entries in log.members("entries") { if case .array(let entries) = entries { return entries } }
        }
        return nil
    }

    /// The requests by time; those of equal times as in the file. One without a time gets that of the request before it
    /// in the file; the first ones get that of the first request with one, or 0 if none has.
    static func inOrder(_ requests: [Request]) -> [Request] {
        var requests = requests
        var time = requests.lazy.compactMap(\.time).first ?? 0
        for index in requests.indices {
            time = requests[index].time ?? time
            requests[index].time = time
        }
        return requests.enumerated().sorted {
            ($0.element.time ?? 0, $0.offset) < ($1.element.time ?? 0, $1.offset)
        }.map(\.element)
    }

    /// The request of an entry; `nil` if the entry is damaged.
    static func request(of entry: JSONModel) -> Request? {
        // Two objects of the same name fill each other's gaps, but a word that follows, such as null, is no response.
        if case .word(_)? = entry.member("response") { return nil }
        let request = merged(entry.members("request"))
        let response = merged(entry.members("response"))
        let content = merged(response.members("content"))
        guard let url = String(validating: request.text("url"), as: UTF8.self), !url.isEmpty, isHTTP(url),
            var method = String(validating: request.text("method").prefix(64), as: UTF8.self),
            method.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let status = looseNumber(response, "status").flatMap({ Int(exactly: $0) }), 1...999 ~= status
        else { return nil }
        if method.isEmpty { method = "GET" }
        let started = scalar(entry.member("startedDateTime"))
        let time = DateModel.seconds(started)
        guard started.isEmpty || time != nil, (looseNumber(entry, "time") ?? 0) < 1e12 else { return nil }
        let sizes = [looseNumber(content, "size"), looseNumber(response, "bodySize")]
        let size = sizes.lazy.compactMap { $0 }.filter { $0 >= 0 }.compactMap { Int(exactly: $0.rounded()) }.first
        let fields = [request, response].map(fields)
        guard fields.allSatisfy({ $0.count <= 1_000 && $0.bytes <= 1 << 18 }) else { return nil }
        return Request(
            url: URLModel.encoded(url), size: status == 304 || method == "HEAD" ? nil : size, method: method,
            status: status, time: time,
            requestFields: fields[0].fields, responseFields: fields[1].fields)
    }

    /// Whether a URL has no other scheme than http and https, in any case.
    private static func isHTTP(_ url: String) -> Bool {
        let parts = url.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return true }
        let isScheme = parts[0].allSatisfy {
            "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8.contains($0)
        }
        return !isScheme || ["http", "https"].contains(String(decoding: parts[0], as: UTF8.self).lowercased())
    }

    /// The number called `name`, or the one in the text of that name, of at most 64 bytes.
    private static func looseNumber(_ object: JSONModel, _ name: String) -> Double? {
        guard case .string(let text)? = object.member(name) else { return object.number(name) }
        guard text.count <= 64, case .number(let digits)? = JSONModel.parse(text) else { return nil }
        return JSONModel.value(of: digits)
    }

    /// The text of a string or number; empty for anything else.
    private static func scalar(_ value: JSONModel?) -> [UInt8] {
        switch value {
        case .string(let text), .number(let text): text
        default: []
        }
    }

    private static func merged(_ objects: [JSONModel]) -> JSONModel {
        var all: [(name: [UInt8], value: JSONModel)] = []
        for case .object(let members) in objects { all += members }
        return .object(all)
    }

    /// A message's fields, their number, and the bytes of names and values before spaces are cut off.
    private static func fields(of message: JSONModel) -> (fields: [HTTPExchange.Field], count: Int, bytes: Int) {
        guard case .array(let elements)? = message.member("headers") else { return ([], 0, 0) }
        var bytes = 0
        let fields = elements.flatMap { element -> [HTTPExchange.Field] in
            // If a name or value occurs twice, the last one that is a string counts.
            func text(_ name: String) -> [UInt8] {
                var last: [UInt8] = []
                for case .string(let text) in element.members(name) { last = text }
                return last
            }
            let name = text("name")
            guard !name.isEmpty, name[0] != UInt8(ascii: ":") else { return [] }
            return text("value").split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
                bytes += name.count + line.count
                let spaces: Set<UInt8> = [0x20, 0x09, 0x0D]
                let value = line.drop { spaces.contains($0) }.reversed().drop { spaces.contains($0) }.reversed()
                return HTTPExchange.Field(name: name, value: Array(value))
            }
        }
        return (fields, fields.count, bytes)
    }
}

extension HARModel.Request {
    init(_ request: TraceRequest) {
        self.init(
            url: request.url, size: request.size, method: request.exchange?.method, status: request.exchange?.status,
            time: request.time, requestFields: request.exchange?.requestFields,
            responseFields: request.exchange?.responseFields)
    }
}
