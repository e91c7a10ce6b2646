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
