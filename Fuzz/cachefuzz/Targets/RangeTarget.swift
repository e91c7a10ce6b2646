import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is a `Range`, a `Content-Range` and an `If-Range` field.
    ///
    /// Oracle: the reference reads each the same; the unit may change its case; whitespace around commas and empty
    /// members change nothing; ranges that are read, written and read again stay what they were, and are in order; an
    /// interrupted download continues with the bytes behind those received, of the same length and tag, and with no other;
    /// and reading takes work linear in the length.
    static let range = FuzzTarget("range") { buffer in
        let bytes = [UInt8](buffer)
        require(.range(bytes))
        require(.contentRange(bytes))
        require(.ifRange(bytes, now: 1_795_219_200))
        require(.contentLength(bytes))

        let ranges = requireLinear(bytes.count, rate: 40, "Range") { members(of: bytes) }
        for other in [bytes.uppercased, bytes.lowercased, bytes.spread] {
            require(members(of: other) == ranges, "\(bytes.quoted) is something else as \(other.quoted)")
        }
        if let ranges {
            let text = "bytes=" + ranges.map(\.text).joined(separator: ",")
            require(
                members(of: Array(text.utf8)) == ranges, "\(bytes.quoted) is read back from \(text) as something else")
            for case .closed(let first, let last) in ranges {
                require(0 <= first && first <= last, "\(bytes.quoted) has the range \(first) to \(last)")
            }
        }

        guard let part = ContentRange.parse(bytes.span.bytes) else { return }
        let positions = part.positions.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        let text = "BYTES \(positions)/\(part.completeLength.map { "\($0)" } ?? "*")"
        require(ContentRange.parse(text) == part, "\(bytes.quoted) is read back from \(text) as something else")
        require(
            (part.positions?.upperBound ?? -1) < part.completeLength ?? .max, "\(bytes.quoted) ends behind its length")
        checkResumption(part, String(decoding: bytes, as: UTF8.self))
    }

    /// A 206 with this `Content-Range`, as the answer to the request for the rest.
    private static func checkResumption(_ part: ContentRange, _ text: String) {
        let received = part.positions?.lowerBound ?? 7
        let length = part.completeLength
        let known: HTTPFields = ["ETag": "\"a\"", "Content-Length": "\(length ?? 1 << 40)"]
        func answer(_ status: Int, _ fields: HTTPFields = [:], received: Int64 = received) -> Resumption.Answer {
            let fields = HTTPFields([.init(name: "Content-Range", value: text)] + fields.fields)
            return Resumption.decide(HTTPResponse(status: status, headerFields: fields), received: received, of: known)
        }
        let continues: Resumption.Answer = part.positions == nil ? .doesNotFit : .continues
        require(answer(206) == continues, "\(text) behind \(received) bytes: \(answer(206))")
        require(answer(206, ["ETag": "\"a\""]) == continues, "\(text) with the same tag does not continue")
        require(answer(206, ["ETag": "\"b\""]) == .doesNotFit, "\(text) of another tag continues")
        require(answer(206, ["ETag": "W/\"a\""]) == .doesNotFit, "\(text) of a weak tag continues")
        require(answer(206, ["Content-Encoding": "gzip"]) == .doesNotFit, "\(text) of another coding continues")
        require(answer(206, received: received ^ 1) == .doesNotFit, "\(text) continues behind other bytes")
        require(answer(200) == .startsOver && answer(416) == .doesNotFit && answer(404) == .other, "\(text): status")

        let whole = HTTPResponse(status: 200, headerFields: known)
        let asked = Resumption.fields(received: received, of: whole, responseTime: 0)
        let isPartial = received > 0 && received < length ?? 1 << 40
        require((asked != nil) == isPartial, "\(received) bytes of \(length ?? 1 << 40) ask for \(asked as Any)")
        if let asked {
            require(asked.first?.value == "bytes=\(received)-" && asked.last?.value == "\"a\"", "asked for \(asked)")
        }
    }

    /// The ranges, `nil` when the field is to be ignored.
    private static func members(of bytes: [UInt8]) -> [ByteRange]? {
        var list = ByteRangeList()
        var ranges: [ByteRange] = []
        while let range = list.next(in: bytes.span.bytes) { ranges.append(range) }
        return list.isMalformed ? nil : ranges
    }
}

extension ByteRange {
    fileprivate var text: String {
        switch self {
        case .from(let first): "\(first)-"
        case .closed(let first, let last): "\(first)-\(last)"
        case .suffix(let length): "-\(length)"
        }
    }
}
