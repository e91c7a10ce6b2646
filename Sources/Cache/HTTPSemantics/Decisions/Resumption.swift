/// How an interrupted download goes on (RFC 9110, sections 13.1.5 and 14; RFC 9111, sections 3.3 and 3.4).
package enum Resumption {
    /// What turns the request for a representation into one for its rest: `Range: bytes=N-`, and in `If-Range` the
    /// validator that makes the origin send the whole if it has changed.
    ///
    /// - Parameters:
    ///   - received: bytes of the body received so far.
    ///   - response: the response that brought them, a 200.
    ///   - responseTime: when that was received, seconds since 1970.
    /// - Returns: `nil` when only starting over is safe: nothing was received, or all of it; the status is another; the
    ///   origin said `Accept-Ranges: none`; the body is coded, so that the bytes counted may not be those sent; there is
    ///   no strong validator, which is a strong `ETag`, or a `Last-Modified` at least a minute older than `Date`.
    package static func fields(
        received: Int64, of response: HTTPResponse, responseTime: Int64
    ) -> [HTTPFields.Field]? {
        let fields = response.headerFields
        let values = ResponseFieldValues(fields, now: responseTime)
        guard response.status == 200, received > 0, received < values.contentLength.bytes ?? .max,
            !fields.contains("Content-Encoding"),
            !ListMembers.of(fields["Accept-Ranges"] ?? "").contains(where: { AsciiCase.lowered($0) == "none" }),
            let validator = strongValidator(fields, values)
        else { return nil }
        return [.init(name: "Range", value: "bytes=\(received)-"), .init(name: "If-Range", value: validator)]
    }

    /// What the answer to such a request is.
    package enum Answer: Equatable, Sendable {
        /// The rest, or more of it: its body goes behind what was received, its fields into those of the response
        /// (`joined`).
        case continues
        /// The whole, anew: what was received is dropped.
        case startsOver
        /// Bytes that do not fit behind what was received: both are dropped, and the request is sent again without
        /// `Range`.
        case doesNotFit
        /// Neither: a redirection or an error, to be handled as such. What was received may be continued later.
        case other
    }

    /// Decides what an answer is.
    ///
    /// A 206 continues when its `Content-Range` begins at the byte after the last one received, within the same length,
    /// and nothing in it names another representation: no other `ETag`, `Last-Modified` or coding.
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

    private static func strongValidator(_ fields: HTTPFields, _ values: ResponseFieldValues) -> String? {
        if let tag = fields.firstValue("ETag") { return values.entityTag?.isWeak == false ? tag : nil }
        // Two changes within a second have one Last-Modified; a minute between it and Date also covers clocks that
        // differ (RFC 9110, section 8.8.2.2).
        guard let date = values.date.seconds, let lastModified = values.lastModified.seconds,
            date.subtractingSaturated(lastModified) >= 60
        else { return nil }
        return fields.firstValue("Last-Modified")
    }
}
