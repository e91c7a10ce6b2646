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
