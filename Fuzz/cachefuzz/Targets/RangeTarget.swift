import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is read as a `Range`, as a `Content-Range` and as an `If-Range` field.
    ///
    /// Oracle: the reference reads each the same. The case of the unit, whitespace around commas and empty members
    /// change nothing. Ranges read, written and read again stay the same and are in order. An interrupted download
    /// continues only with the bytes after those received, of the same length and tag. Parts are combined to an
    /// array of bytes with holes. A stored response answers the range as the reference says. The work of reading is linear
    /// in the length.
    static let range = FuzzTarget("range") { buffer in
        let bytes = [UInt8](buffer)
        require(.range(bytes))
        require(.contentRange(bytes))
        require(.ifRange(bytes, now: 1_795_219_200))
        require(.contentLength(bytes))
        checkParts(bytes)
        checkEncodedParts(buffer)
        checkSelection(bytes)

        let ranges = requireLinear(bytes.count, rate: 40, "Range") { members(of: bytes) }
        for other in [bytes.uppercased, bytes.lowercased, bytes.spread] {
            require(members(of: other) == ranges, "\(bytes.quoted) is something else as \(other.quoted)")
        }
        if let ranges {
            let text = "bytes=" + ranges.map(\.text).joined(separator: ",")
            require(
                members(of: Array(text.utf8)) == ranges, "\(bytes.quoted) is read back from \(text) as something else")
            require(
                ByteRange.parse(text) == (ranges.count == 1 ? ranges[0] : nil), "\(text) is another range by itself")
            for case .closed(let first, let last) in ranges {
                require(0 <= first && first <= last, "\(bytes.quoted) has the range \(first) to \(last)")
            }
        }

        guard let part = ContentRange.parse(ContiguousArray(bytes).span.bytes) else { return }
        let positions = part.positions.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        let text = "BYTES \(positions)/\(part.completeLength.map { "\($0)" } ?? "*")"
        require(ContentRange.parse(text) == part, "\(bytes.quoted) is read back from \(text) as something else")
        require(
            (part.positions?.upperBound ?? -1) < part.completeLength ?? .max, "\(bytes.quoted) ends behind its length")
        checkResumption(part, String(decoding: bytes, as: UTF8.self))
    }

    /// A request with this `Range`, and with this `If-Range`, to stored responses of several lengths.
    private static func checkSelection(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let stored = HTTPResponse(
            headerFields: ["ETag": "\"xyzzy\"", "Date": "Sun, 06 Nov 1994 08:50:37 GMT", "Last-Modified": text])
        for length in [0, 1, 500, 1 << 40] as [Int64] {
            for request in [["Range": text], ["Range": "bytes=0-", "If-Range": text]] as [HTTPFields] {
                require(
                    .preconditions(request, method: "GET", stored, receivedAt: 1_795_219_200, length: length))
            }
        }
    }

    /// The ranges; `nil` if the field must be ignored.
    private static func members(of bytes: [UInt8]) -> [ByteRange]? {
        var list = ByteRangeList()
        var ranges: [ByteRange] = []
        while let range = list.next(in: ContiguousArray(bytes).span.bytes) { ranges.append(range) }
        require(list.next(in: ContiguousArray(bytes).span.bytes) == nil, "\(bytes.quoted) goes on behind its end")
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
