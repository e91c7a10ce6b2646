/// The fields that a stored response keeps, and the fields of answers that are made from it.
package enum StoredFields {
    /// The fields of a received response that are kept: all but those that concern one connection or one hop.
    package static func storable(_ received: HTTPFields) -> HTTPFields { UnstorableFields.removed(from: received) }

    /// The fields of an answer from the store that was not confirmed for this request: those stored, and the current
    /// `Age` in place of any other (RFC 9111, section 4).
    ///
    /// - Parameter age: `StoredFacts.currentAge(at:)`; seconds.
    package static func served(_ stored: HTTPFields, age: Int64) -> HTTPFields {
        var fields = stored
        fields["Age"] = String(age)
        return fields
    }

    /// The fields of a 304 made from served fields: those that describe the body are left out (RFC 9110, section
    /// 15.4.5).
    package static func notModified(_ served: HTTPFields) -> HTTPFields {
        HTTPFields(served.fields.filter { !describesBody.contains($0.name) })
    }

    /// The fields of a 206 made from served fields (RFC 9110, section 15.3.7).
    ///
    /// - Parameters:
    ///   - range: the bytes in the answer; not empty.
    ///   - length: the length of the whole body, bytes.
    package static func part(_ served: HTTPFields, _ range: Range<Int64>, of length: Int64) -> HTTPFields {
        var fields = served
        fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        fields["Content-Length"] = String(range.upperBound - range.lowerBound)
        return fields
    }

    /// The fields of a 416 made from served fields (RFC 9110, section 15.5.17).
    ///
    /// - Parameter length: the length of the whole body, bytes.
    package static func notSatisfiable(_ served: HTTPFields, length: Int64) -> HTTPFields {
        var fields = notModified(served)
        fields["Content-Range"] = "bytes */\(length)"
        fields["Content-Length"] = "0"
        return fields
    }

    private static let describesBody: Set<HTTPFields.Name> = [
        "Content-Length", "Content-Encoding", "Content-Type", "Content-Range", "Content-Language",
    ]
}
