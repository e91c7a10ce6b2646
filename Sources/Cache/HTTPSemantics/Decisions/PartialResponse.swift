/// A part of a representation: a 206, or the start of a 200 that broke off (RFC 9111, sections 3.3 and 3.4).
package struct PartialResponse: Equatable, Sendable {
    /// The fields of the whole: the response's without `Content-Range` and `Content-Length`.
    package let fields: HTTPFields
    package let offset: Int
    /// How many bytes the response announces.
    package let count: Int
    /// Bytes of the whole representation.
    package let length: Int
    package let validator: String

    /// The part that a response to a GET with `Range` announces: a 206 with one range of known length, or a 200 with
    /// `Content-Length`, received at `responseTime`. `nil` if it cannot be combined with others, e.g. without a strong
    /// validator.
    package init?(_ response: HTTPResponse, responseTime: Int64) {
        let fields = response.headerFields
        let positions: ClosedRange<Int64>
        let length: Int64
        switch response.status {
        case 206:
            guard let range = fields["Content-Range"].flatMap({ ContentRange.parse($0) }),
                let known = range.positions, let completeLength = range.completeLength
            else { return nil }
            (positions, length) = (known, completeLength)
        case 200 where fields["Content-Range"] == nil:
            guard let known = ResponseFieldValues(fields, now: responseTime).contentLength.bytes, known > 0 else {
                return nil
            }
            (positions, length) = (0...known - 1, known)
        default: return nil
        }
        guard let offset = Int(exactly: positions.lowerBound), let last = Int(exactly: positions.upperBound),
            let length = Int(exactly: length), RangeSupport.isGiven(by: fields),
            let validator = StrongValidator.of(fields, now: responseTime)
        else { return nil }
        self.offset = offset
        count = last - offset + 1
        self.length = length
        self.validator = validator
        self.fields = HTTPFields(fields.fields.filter { $0.name != "Content-Range" && $0.name != "Content-Length" })
    }

    /// The fields of the representation once this part is combined with parts whose fields are `known` and came at
    /// `responseTime`; `nil` if those belong to another representation.
    package func fields(combinedWith known: HTTPFields, responseTime: Int64) -> HTTPFields? {
        guard let other = StrongValidator.of(known, now: responseTime), ValidatorMatch.identical(validator, other)
        else {
            return nil
        }
        return FieldUpdate.updated(known, with: fields)
    }

    /// The fields of a whole, received at `responseTime`, once this part is combined with it; `nil` if the part, which
    /// begins with `bytes`, belongs to another representation.
    package func fields(
        combinedWith whole: HTTPResponse, body: UnsafeRawBufferPointer, responseTime: Int64, _ bytes: [UInt8]
    ) -> HTTPFields? {
        guard whole.status == 200, body.count == length, bytes.count <= length - offset,
            RangeSupport.isGiven(by: whole.headerFields),
            body[offset..<offset + bytes.count].elementsEqual(bytes)
        else { return nil }
        return fields(combinedWith: whole.headerFields, responseTime: responseTime)
    }
}

/// A response's strong validator: the same only for the same bytes (RFC 9110, section 8.8.1).
package enum StrongValidator {
    /// A strong `ETag`, or, if there is no `ETag` at all, a strong `Last-Modified`, as received. `now` decides the
    /// century of two-digit years.
    package static func of(_ fields: HTTPFields, now: Int64) -> String? {
        if let tag = fields.firstValue("ETag") { return EntityTag.matchesStrongly(tag, tag) ? tag : nil }
        return lastModified(fields, now: now) == nil ? nil : fields.firstValue("Last-Modified")
    }

    /// `Last-Modified` in seconds since 1970, if it is strong: at least a minute older than `Date`. That tells changes
    /// within a second apart, and allows for clocks that differ (RFC 9110, section 8.8.2.2).
    static func lastModified(_ fields: HTTPFields, now: Int64) -> Int64? {
        guard let date = FieldDate(fields, "Date", now: now).seconds,
            let modified = FieldDate(fields, "Last-Modified", now: now).seconds,
            date.subtractingSaturated(modified) >= 60
        else { return nil }
        return modified
    }
}
