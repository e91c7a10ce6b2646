import GaugeTraces

extension FuzzTarget {
    /// The input is an HTTP archive.
    ///
    /// Oracle: a second reader, which first builds a tree of the whole document (``JSONModel``), accepts the same
    /// documents and finds the same entries, the same ones damaged. Reading whole, in pieces and strictly gives the
    /// same. The reader moves at most as many bytes as there are, and its work is linear in the length.
    static let har = FuzzTarget("har", of: .gauge) { buffer in
        let bytes = [UInt8](buffer)
        let lenient = requireLinear(bytes.count, rate: 100, "an archive") {
            TraceReading(bytes, .har, skipping: .damage)
        }
        lenient.requireSame(in: bytes, .har, pieces: 1 + bytes.count % 13)

        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        guard let entries = JSONModel.parse(text).flatMap(HARModel.entries) else {
            require(
                lenient.ending.error != nil || lenient.ending.skipped > 0, "\(text.quoted) is no archive, and is read")
            return
        }
        let expected = HARModel.inOrder(entries).map(HARModel.request)
        require(lenient.ending.error == nil, "\(text.quoted) is an archive, and refused: \(lenient)")
        require(
            lenient.requests.map(HARModel.Request.init) == expected.compactMap(\.self),
            "\(text.quoted) is read as \(lenient.requests), not as \(expected)")
        require(
            lenient.ending.skipped == expected.count { $0 == nil },
            "\(lenient.ending.skipped) passed over of \(expected)")
    }
}

/// The contents of an archive, read from its tree.
enum HARModel {
    /// The parts of a request that do not depend on how dates are read.
    struct Request: Equatable {
        let url: String?
        let size: Int?
        let method: String?
        let status: Int?
        let requestFields: [HTTPExchange.Field]?
        let responseFields: [HTTPExchange.Field]?

        init(_ request: TraceRequest) {
            url = request.url
            size = request.size
            method = request.exchange?.method
            status = request.exchange?.status
            requestFields = request.exchange?.requestFields
            responseFields = request.exchange?.responseFields
        }

        init(
            url: String, size: Int?, method: String, status: Int, requestFields: [HTTPExchange.Field],
            responseFields: [HTTPExchange.Field]
        ) {
            (self.url, self.size, self.method, self.status) = (url, size, method, status)
            (self.requestFields, self.responseFields) = (requestFields, responseFields)
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

    /// The entries in the order of their dates; those of equal dates as in the file.
    static func inOrder(_ entries: [JSONModel]) -> [JSONModel] {
        let dates = entries.map { LogDate.parseISO8601($0.text("startedDateTime").prefix(64)) ?? 0 }
        return entries.indices.sorted { (dates[$0], $0) < (dates[$1], $1) }.map { entries[$0] }
    }

    /// The request of an entry; `nil` if the entry is damaged.
    static func request(of entry: JSONModel) -> Request? {
        // Two objects of the same name fill each other's gaps.
        let request = merged(entry.members("request"))
        let response = merged(entry.members("response"))
        let content = merged(response.members("content"))
        guard let url = String(validating: request.text("url"), as: UTF8.self), !url.isEmpty,
            let method = String(validating: request.text("method").prefix(64), as: UTF8.self), !method.isEmpty,
            method.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let status = response.number("status").flatMap({ Int(exactly: $0) }), 1...999 ~= status,
            isDate(Array(entry.text("startedDateTime").prefix(64)))
        else { return nil }
        let milliseconds = entry.number("time") ?? 0
        guard milliseconds < 1e12 else { return nil }
        let sizes = [content.number("size"), response.number("bodySize")]
        let size = sizes.lazy.compactMap { $0 }.filter { $0 >= 0 }.compactMap { Int(exactly: $0.rounded()) }.first
        let fields = [request, response].map(fields)
        guard fields.allSatisfy({ $0.count <= 1_000 && $0.bytes <= 1 << 18 }) else { return nil }
        return Request(
            url: url, size: status == 304 || method == "HEAD" ? nil : size, method: method,
            status: status, requestFields: fields[0].fields,
            responseFields: fields[1].fields)
    }

    private static func merged(_ objects: [JSONModel]) -> JSONModel {
        var all: [(name: [UInt8], value: JSONModel)] = []
        for case .object(let members) in objects { all += members }
        return .object(all)
    }

    /// The fields of a message, their number, and the bytes of names and values before spaces are cut off.
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

    /// Whether the text is a date like `2009-07-24T19:20:30.45+01:00`. Splits at the separators and checks the length
    /// of the month.
    private static func isDate(_ text: [UInt8]) -> Bool {
        let separators = Array("0000-00-00T00:00:00".utf8)
        guard text.count > separators.count, zip(text, separators).allSatisfy({ hasShape($0, of: $1) }) else {
            return false
        }
        func number(_ places: Range<Int>) -> Int { text[places].reduce(0) { 10 * $0 + Int($1 & 0xF) } }
        var rest = text.dropFirst(separators.count)
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { isDigit($0) }
            guard !fraction.isEmpty else { return false }
            rest = rest[fraction.endIndex...]
        }
        let zone = Array(rest.dropFirst())
        switch rest.first {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): guard zone.isEmpty else { return false }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let digits = zone.count == 5 && zone[2] == UInt8(ascii: ":") ? zone[..<2] + zone[3...] : zone[...]
            guard digits.count == 4, digits.allSatisfy({ isDigit($0) }) else { return false }
            let values = digits.map { Int($0 & 0xF) }
            guard 10 * values[0] + values[1] < 24, 10 * values[2] + values[3] < 60 else { return false }
        default: return false
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let longest = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        return (1...12).contains(month) && (1...longest).contains(day) && number(11..<13) < 24 && number(14..<16) < 60
            && number(17..<19) <= 60
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether a byte fits the pattern: `0` stands for a digit, `T` for `T` or `t`, every other byte for itself.
    private static func hasShape(_ byte: UInt8, of pattern: UInt8) -> Bool {
        switch pattern {
        case UInt8(ascii: "0"): isDigit(byte)
        case UInt8(ascii: "T"): byte | 0x20 == UInt8(ascii: "t")
        default: byte == pattern
        }
    }
}
