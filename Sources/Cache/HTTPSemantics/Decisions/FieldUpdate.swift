/// How newer fields of a stored response take the place of older ones (RFC 9111, section 3.2).
enum FieldUpdate {
    /// The stored fields with every field of `news` in place of all its older lines, save `Content-Length`, `-Encoding`,
    /// `-Type` and `-Range`, which describe the stored body, and what speaks of one hop.
    ///
    /// An `Age` or `Date` that the news does not repeat goes: they told when the response was last generated or
    /// confirmed, which is now.
    static func updated(_ stored: HTTPFields, with news: HTTPFields) -> HTTPFields {
        let news = UnstorableFields.removed(from: news).fields.filter { !describesBody.contains($0.name) }
        let replaced = Set(news.map(\.name)).union(["Age", "Date"])
        return HTTPFields(stored.fields.filter { !replaced.contains($0.name) } + news)
    }

    private static let describesBody: Set<HTTPFields.Name> = [
        "Content-Length", "Content-Encoding", "Content-Type", "Content-Range",
    ]
}
