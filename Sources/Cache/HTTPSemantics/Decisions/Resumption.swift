/// How to continue an interrupted download (RFC 9110, sections 13.1.5 and 14; RFC 9111, sections 3.3 and 3.4).
package enum Resumption {
    /// The fields that make a request ask for the rest of a representation: `Range: bytes=N-`, and `If-Range` with the
    /// validator, so the origin sends the whole if it has changed.
    ///
    /// - Parameters:
    ///   - received: bytes of the body received so far.
    ///   - response: the response that brought them, a 200.
    ///   - responseTime: when it was received, seconds since 1970.
    /// - Returns: `nil` if only starting over is safe: no byte or every byte was received; the status is not 200; the
    ///   origin sent `Accept-Ranges: none`; the body is coded, so we may have counted other bytes than were sent; or
    ///   there is no `StrongValidator`.
    package static func fields(received: Int64, of response: HTTPResponse, responseTime: Int64) -> [HTTPFields.Field]? {
        let fields = response.headerFields
        let values = ResponseFieldValues(fields, now: responseTime)
        guard response.status == 200, received > 0, received < values.contentLength.bytes ?? .max,
            RangeSupport.isGiven(by: fields), let validator = StrongValidator.of(fields, now: responseTime)
        else { return nil }
        return [.init(name: "Range", value: "bytes=\(received)-"), .init(name: "If-Range", value: validator)]
    }

    package enum Answer: Equatable, Sendable {
        /// The rest, or the beginning of it (`isRest`). The body follows the bytes received before, and the fields
        /// update those of the response (`joined`).
        case continues
        /// The whole from its first byte: drop the bytes received before.
        case startsOver
        /// Bytes that do not follow those received before: drop both, and send the request again without `Range`.
        case doesNotFit
        /// A redirection or an error, to be handled as such. The download may be continued later.
        case other
    }

    /// Classifies the answer to a request for the rest after `received` bytes of a response with `fields`.
    ///
    /// A 206 continues if its `Content-Range` begins right after the last received byte, has the same length and as
    /// many bytes as the answer, and the answer names no other representation: no other `ETag`, `Last-Modified` or
    /// coding.
    package static func decide(_ answer: HTTPResponse, received: Int64, of fields: HTTPFields) -> Answer {
        switch answer.status {
        case 200: .startsOver
        case 206: fits(answer.headerFields, received: received, of: fields) ? .continues : .doesNotFit
        case 416: .doesNotFit
        default: .other
        }
    }

    /// The response's fields once a continuation is appended; it stays a 200 (RFC 9111, section 3.4).
    package static func joined(_ fields: HTTPFields, with continuation: HTTPFields) -> HTTPFields {
        FieldUpdate.updated(fields, with: continuation)
    }

    /// Whether a continuation reaches the end of the whole, or nothing tells where that is. An origin may send less
    /// than it was asked for (RFC 9110, section 15.3.7).
    package static func isRest(_ continuation: HTTPFields, of fields: HTTPFields) -> Bool {
        guard let last = range(continuation)?.positions?.upperBound,
            let length = length(continuation) ?? ResponseFieldValues(fields, now: 0).contentLength.bytes
        else { return true }
        return last + 1 >= length
    }

    /// The length of the whole that a continuation states.
    package static func length(_ continuation: HTTPFields) -> Int64? { range(continuation)?.completeLength }

    private static func range(_ part: HTTPFields) -> ContentRange? {
        part.firstValue("Content-Range").flatMap { ContentRange.parse($0) }
    }

    private static func fits(_ part: HTTPFields, received: Int64, of fields: HTTPFields) -> Bool {
        guard let range = range(part), let positions = range.positions, positions.lowerBound == received else {
            return false
        }
        let count = ResponseFieldValues(part, now: 0).contentLength.bytes
        if let count, count - 1 != positions.upperBound - positions.lowerBound { return false }
        let length = ResponseFieldValues(fields, now: 0).contentLength.bytes
        if let length, let completeLength = range.completeLength, length != completeLength { return false }
        if let tag = part.firstValue("ETag"), let known = fields.firstValue("ETag"),
            !ValidatorMatch.strongly(tag, known)
        {
            return false
        }
        return ["Last-Modified", "Content-Encoding"].allSatisfy { (name: HTTPFields.Name) in
            part.firstValue(name).map { ValidatorMatch.identical($0, fields.firstValue(name)) } ?? true
        }
    }

}
