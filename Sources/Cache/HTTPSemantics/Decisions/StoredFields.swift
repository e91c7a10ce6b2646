/// Which fields a stored response keeps, and which an answer made from it has.
package enum StoredFields {
    /// The received fields that are kept: all except those about one connection or one hop.
    package static func storable(_ received: HTTPFields) -> HTTPFields { UnstorableFields.removed(from: received) }

    /// Adds when a message was received, in seconds since 1970, as its `Date` if it has none (RFC 9110, section 6.6.1).
    package static func addDate(to fields: inout HTTPFields, receivedAt: Int64) {
        if !fields.contains("Date") { fields["Date"] = HTTPDate.format(receivedAt) }
    }

    /// The fields of an answer from the store that was not confirmed for this request: the stored ones, with the
    /// current `Age` in seconds in place of any other (RFC 9111, section 4).
    package static func served(_ stored: HTTPFields, age: Int64) -> HTTPFields {
        var fields = stored
        fields["Age"] = String(age)
        return fields
    }

    /// The fields of a 304 made from served fields, without those that describe the body (RFC 9110, section 15.4.5).
    package static func notModified(_ served: HTTPFields) -> HTTPFields {
        HTTPFields(served.fields.filter { !describesBody.contains($0.name) })
    }

    /// The fields of a 206 with a non-empty `range` of the body's bytes, made from served fields (RFC 9110, section
    /// 15.3.7).
    package static func part(_ served: HTTPFields, _ range: Range<Int64>, of length: Int64) -> HTTPFields {
        var fields = served
        fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        fields["Content-Length"] = String(range.upperBound - range.lowerBound)
        return fields
    }

    /// The fields of a 416 for a body of `length` bytes, made from served fields (RFC 9110, section 15.5.17).
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

/// The fields about one connection or one hop, which are not stored (RFC 9111, section 3.1; RFC 9110, section 7.6.1).
/// Every other field is, known or not.
enum UnstorableFields {
    private static let names: [HTTPFields.Name] = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]
    /// One bit for each length of a name. Most other names have none of these lengths.
    private static let lengths = names.reduce(0 as UInt64) { $0 | 1 << UInt64($1.rawName.utf8.count) }

    /// Whether a name of this length may be one of them.
    @inline(__always)
    static func mayBeUnstorable(_ nameCount: Int) -> Bool { lengths >> UInt64(nameCount) & 1 == 1 }

    static func isUnstorable(_ name: HTTPFields.Name) -> Bool {
        mayBeUnstorable(name.rawName.utf8.count) && names.contains(name)
    }

    /// Fields for all recipients of the content: no sender may tie them to one connection. Without them, the response
    /// would be reused by other rules than the origin's.
    private static let forAll: Set<HTTPFields.Name> = [
        "Accept-Ranges", "Age", "Cache-Control", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-Location", "Content-Range", "Content-Type", "Date", "ETag", "Expires", "Last-Modified", "Location",
        "Pragma", "Vary",
    ]

    /// The fields of `message` without these, and without those that its `Connection` names and may name.
    static func removed(from message: HTTPFields) -> HTTPFields {
        guard message.fields.contains(where: { isUnstorable($0.name) }) else { return message }
        let storable = message.fields.filter { !isUnstorable($0.name) }
        guard let connection = message["Connection"] else { return HTTPFields(storable) }
        let named = Set(ListMembers.of(connection).map { HTTPFields.Name($0) })
        return HTTPFields(storable.filter { !named.contains($0.name) || forAll.contains($0.name) })
    }
}

/// How newer fields replace those of a stored response (RFC 9111, section 3.2).
enum FieldUpdate {
    /// The stored fields, where each field of `news` replaces all older lines of its name. Except: `Content-Length`,
    /// `Content-Encoding` and `Content-Range`, on which the integrity of the stored body depends, and fields about one
    /// hop.
    ///
    /// `Accept-Ranges: none` stays: the transport set it when it decoded the body, and the body has not changed.
    ///
    /// An `Age` or `Date` that the news does not repeat is removed, because it was about the earlier response.
    static func updated(_ stored: HTTPFields, with news: HTTPFields) -> HTTPFields {
        let kept = RangeSupport.isDenied(by: stored) ? describesBody.union(["Accept-Ranges"]) : describesBody
        let news = UnstorableFields.removed(from: news).fields.filter { !kept.contains($0.name) }
        let replaced = Set(news.map(\.name)).union(["Age", "Date"])
        return HTTPFields(stored.fields.filter { !replaced.contains($0.name) } + news)
    }

    private static let describesBody: Set<HTTPFields.Name> = ["Content-Length", "Content-Encoding", "Content-Range"]
}
