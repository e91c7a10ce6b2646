import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is read as a `Range`, as a `Content-Range` and as an `If-Range` field.
    ///
    /// Oracle: the reference reads each the same. The unit's case, whitespace around commas and empty members change
    /// nothing. Ranges read, written and read again stay the same and are in order. An interrupted download continues
    /// only with the bytes after those received, of the same length and tag. Parts are combined into an array of bytes
    /// with holes. A stored response answers the range as the reference says. Reading is linear in the length.
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

    /// A request with this `Range` and `If-Range`, to stored responses of several lengths.
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

extension FuzzTarget {
    /// The input as operations on the parts of one representation: its first byte is the length; every three bytes
    /// after it are a position, a count and a kind.
    ///
    /// Oracle: an array of bytes with holes.
    static func checkParts(_ bytes: [UInt8]) {
        let length = Int(bytes.first ?? 0)
        guard var parts = RepresentationParts(length: length) else {
            return require(length == 0, "no parts of \(length)")
        }
        var known = [UInt8?](repeating: nil, count: length)
        var place = 1
        while place + 2 < bytes.count {
            let (offset, count, kind) = (Int(bytes[place]), Int(bytes[place + 1]), bytes[place + 2])
            place += 3
            // A byte tells its position, so a misplaced one is seen; a few parts are of another representation.
            let salt: UInt8 = kind > 0xF0 ? kind : 0
            let content = (0..<count).map { UInt8(truncatingIfNeeded: offset + $0) ^ salt }
            let fits = count > 0 && offset + count <= length
            require(parts.add(content, at: offset) == fits, "\(count) bytes at \(offset) of \(length)")
            guard fits else { continue }
            // Under one validator, bytes that contradict known ones show another representation.
            if (0..<count).contains(where: { known[offset + $0] != nil && known[offset + $0] != content[$0] }) {
                known = [UInt8?](repeating: nil, count: length)
            }
            for index in 0..<count { known[offset + index] = content[index] }
            checkPart(parts, known)
        }
    }

    private static func checkPart(_ parts: RepresentationParts, _ known: [UInt8?]) {
        var shown = [UInt8?](repeating: nil, count: known.count)
        var end = -1
        for part in parts.parts {
            require(part.offset > end && !part.bytes.isEmpty, "parts overlap, touch or are empty")
            end = part.offset + part.bytes.count
            for (index, byte) in part.bytes.enumerated() { shown[part.offset + index] = byte }
        }
        require(shown == known, "the parts are \(shown), not \(known)")
        require(parts.byteCount == known.count { $0 != nil }, "\(parts.byteCount) bytes are known")
        require(
            parts.whole == (known.contains(nil) ? nil : known.compactMap { $0 }), "the whole is \(parts.whole as Any)")
        let decoded = parts.encoded.withUnsafeBytes { RepresentationParts(decoding: $0) }
        require(decoded == parts, "the parts are read back as \(decoded as Any)")
    }

    /// The input as the encoded form of parts, perhaps from a damaged disk: it gives nothing, or parts with exactly
    /// this form.
    static func checkEncodedParts(_ buffer: UnsafeRawBufferPointer) {
        guard let parts = RepresentationParts(decoding: buffer) else { return }
        require(parts.encoded.elementsEqual(buffer), "\(parts) has another form")
    }
}

extension FuzzTarget {
    /// Checks a 206 with this `Content-Range` as the answer to the request for the rest.
    static func checkResumption(_ part: ContentRange, _ text: String) {
        let received = part.positions?.lowerBound ?? 7
        let length = part.completeLength
        let known: HTTPFields = ["ETag": "\"a\"", "Content-Length": "\(length ?? 1 << 40)"]
        func answer(
            _ status: Int, _ fields: HTTPFields = [:], received: Int64 = received, to known: HTTPFields = known
        ) -> Resumption.Answer {
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

        checkValidators(received: received)
        let dated = "Sat, 21 Nov 2026 00:00:00 GMT"
        require(answer(206, ["Last-Modified": dated]) == .doesNotFit, "\(text) of another date continues")
        require(
            answer(206, ["Last-Modified": dated], to: ["Last-Modified": dated]) == continues, "\(text) of the same date"
        )
        if let length {
            // One less, not one more, because the largest number stands for all lengths that don't fit.
            let known: HTTPFields = ["Content-Length": "\(length > 0 ? length - 1 : 1)"]
            require(answer(206, to: known) == .doesNotFit, "\(text) continues another length")
        }
        let joined = Resumption.joined(known, with: ["Content-Range": text, "Content-Length": "1", "X": "1"])
        require(joined == HTTPFields(known.fields + [.init(name: "X", value: "1")]), "\(text) joined: \(joined)")

        let whole = HTTPResponse(status: 200, headerFields: known)
        let asked = Resumption.fields(received: received, of: whole, responseTime: 0)
        let isPartial = received > 0 && received < length ?? 1 << 40
        require((asked != nil) == isPartial, "\(received) bytes of \(length ?? 1 << 40) ask for \(asked as Any)")
        if let asked {
            require(asked.first?.value == "bytes=\(received)-" && asked.last?.value == "\"a\"", "asked for \(asked)")
        }
    }

    /// Checks the conditional fields of the request for the rest, for each validator of the interrupted response.
    static func checkValidators(received: Int64) {
        guard received > 0 else { return }
        let date = "Sat, 21 Nov 2026 00:01:00 GMT"
        func validator(_ fields: HTTPFields, status: Int = 200) -> String? {
            let response = HTTPResponse(status: status, headerFields: fields)
            return Resumption.fields(received: received, of: response, responseTime: 0)?.last?.value
        }
        require(validator(["ETag": "\"a\""]) == "\"a\"", "a download of unknown length is not continued")
        require(validator(["ETag": "\"a\""], status: 206) == nil, "a part is continued")
        require(validator(["ETag": "\"a\"", "Content-Encoding": "gzip"]) == nil, "a coded body is continued")
        require(validator(["ETag": "\"a\"", "Accept-Ranges": "x, NONE"]) == nil, "a range is asked in vain")
        // A weak validator doesn't identify a body (RFC 9110, section 13.1.5); a date does if it is at least a minute
        // old.
        let old = "Sat, 21 Nov 2026 00:00:00 GMT"
        require(validator(["Date": date, "Last-Modified": old]) == old, "an old date is not a validator")
        require(validator(["Date": date, "Last-Modified": old, "ETag": "W/\"a\""]) == nil, "a weak tag is a validator")
        let young = "Sat, 21 Nov 2026 00:00:01 GMT"
        require(validator(["Date": date, "Last-Modified": young]) == nil, "a young date is a validator")
        require(validator(["Last-Modified": old]) == nil, "a date of unknown age is a validator")
    }
}
