import HTTPSemantics

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
            // One less instead of one more, because the largest number stands for all lengths that do not fit.
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
        // A weak validator does not identify a body (RFC 9110, section 13.1.5); a date does if it is at least a minute
        // old.
        let old = "Sat, 21 Nov 2026 00:00:00 GMT"
        require(validator(["Date": date, "Last-Modified": old]) == old, "an old date is not a validator")
        require(validator(["Date": date, "Last-Modified": old, "ETag": "W/\"a\""]) == nil, "a weak tag is a validator")
        let young = "Sat, 21 Nov 2026 00:00:01 GMT"
        require(validator(["Date": date, "Last-Modified": young]) == nil, "a young date is a validator")
        require(validator(["Last-Modified": old]) == nil, "a date of unknown age is a validator")
    }
}
