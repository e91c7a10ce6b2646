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

/// The fields that speak of one connection or one hop and are not stored (RFC 9111, section 3.1; RFC 9110, section
/// 7.6.1). Every other field is, known or not.
enum UnstorableFields {
    /// Few enough to be compared one by one, mostly by their lengths alone, which takes less time than a hash.
    private static let names: [HTTPFields.Name] = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]

    /// No sender may call these fields of one connection, since they are for all recipients of the content. Without them
    /// the response would be reused by other rules than those of the origin.
    private static let forAll: Set<HTTPFields.Name> = [
        "Accept-Ranges", "Age", "Cache-Control", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-Location", "Content-Range", "Content-Type", "Date", "ETag", "Expires", "Last-Modified", "Location",
        "Pragma", "Vary",
    ]

    /// The fields of `message` without these, and without those that its `Connection` names and may name.
    static func removed(from message: HTTPFields) -> HTTPFields {
        let storable = message.fields.filter { !names.contains($0.name) }
        guard let connection = message["Connection"] else { return HTTPFields(storable) }
        let named = Set(ListMembers.of(connection).map { HTTPFields.Name($0) })
        return HTTPFields(storable.filter { !named.contains($0.name) || forAll.contains($0.name) })
    }
}

/// How newer fields of a stored response take the place of older ones (RFC 9111, section 3.2).
enum FieldUpdate {
    /// The stored fields, with every field of `news` in place of all older lines of its name. Excepted are
    /// `Content-Length`, `Content-Encoding` and `Content-Range`, on which the integrity of the stored body depends, and
    /// fields that concern one hop.
    ///
    /// `Accept-Ranges: none` stays, since the transport sets it when it has decoded the body, which has not changed.
    ///
    /// An `Age` or `Date` that the news does not repeat is removed: they told when the response was generated or
    /// confirmed before.
    static func updated(_ stored: HTTPFields, with news: HTTPFields) -> HTTPFields {
        let kept = RangeSupport.isDenied(by: stored) ? describesBody.union(["Accept-Ranges"]) : describesBody
        let news = UnstorableFields.removed(from: news).fields.filter { !kept.contains($0.name) }
        let replaced = Set(news.map(\.name)).union(["Age", "Date"])
        return HTTPFields(stored.fields.filter { !replaced.contains($0.name) } + news)
    }

    private static let describesBody: Set<HTTPFields.Name> = ["Content-Length", "Content-Encoding", "Content-Range"]
}
