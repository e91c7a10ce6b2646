/// How an interrupted download goes on (RFC 9110, sections 13.1.5 and 14; RFC 9111, sections 3.3 and 3.4).
package enum Resumption {
    /// The fields that turn the request for a representation into one for its rest: `Range: bytes=N-`, and in `If-Range`
    /// the validator that makes the origin send the whole if it has changed.
    ///
    /// - Parameters:
    ///   - received: bytes of the body received so far.
    ///   - response: the response that brought them, a 200.
    ///   - responseTime: when that was received, seconds since 1970.
    /// - Returns: `nil` if only starting over is safe: no byte or every byte was received; the status is another; the
    ///   origin sent `Accept-Ranges: none`; the body is coded, so that the bytes counted may not be those sent; there is
    ///   no `StrongValidator`.
    package static func fields(
        received: Int64, of response: HTTPResponse, responseTime: Int64
    ) -> [HTTPFields.Field]? {
        let fields = response.headerFields
        let values = ResponseFieldValues(fields, now: responseTime)
        guard response.status == 200, received > 0, received < values.contentLength.bytes ?? .max,
            RangeSupport.isGiven(by: fields), let validator = StrongValidator.of(fields, now: responseTime)
        else { return nil }
        return [.init(name: "Range", value: "bytes=\(received)-"), .init(name: "If-Range", value: validator)]
    }

    /// The kinds of answer to such a request.
    package enum Answer: Equatable, Sendable {
        /// The rest, or more of it: its body follows the bytes received before, and its fields update those of the response
        /// (`joined`).
        case continues
        /// The whole from its first byte: the bytes received before are dropped.
        case startsOver
        /// Bytes that do not follow those received before: both are dropped, and the request is sent again without
        /// `Range`.
        case doesNotFit
        /// A redirection or an error, to be handled as such. The download may be continued later.
        case other
    }

    /// Classifies an answer.
    ///
    /// A 206 continues if its `Content-Range` begins at the byte after the last one received, within the same length, and
    /// it names no other representation: no other `ETag`, `Last-Modified` or coding.
    ///
    /// - Parameters:
    ///   - answer: status and fields of the answer.
    ///   - received: bytes received before.
    ///   - fields: the fields of the response that brought them.
    package static func decide(_ answer: HTTPResponse, received: Int64, of fields: HTTPFields) -> Answer {
        switch answer.status {
        case 200: .startsOver
        case 206: fits(answer.headerFields, received: received, of: fields) ? .continues : .doesNotFit
        case 416: .doesNotFit
        default: .other
        }
    }

    /// The fields of the response once a continuation has been appended to it; it stays a 200 (RFC 9111, section 3.4).
    package static func joined(_ fields: HTTPFields, with continuation: HTTPFields) -> HTTPFields {
        FieldUpdate.updated(fields, with: continuation)
    }

    private static func fits(_ part: HTTPFields, received: Int64, of fields: HTTPFields) -> Bool {
        guard let range = part.firstValue("Content-Range").flatMap({ ContentRange.parse($0) }),
            range.positions?.lowerBound == received
        else { return false }
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
