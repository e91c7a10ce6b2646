/// The fields that speak of one connection or one hop and are not stored (RFC 9111, section 3.1; RFC 9110, section
/// 7.6.1). Every other field is, known or not.
enum UnstorableFields {
    private static let names: Set<HTTPFields.Name> = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]

    /// The fields of `message` without these, and without those that its `Connection` names.
    static func removed(from message: HTTPFields) -> HTTPFields {
        var unstorable = names
        if let connection = message["Connection"] {
            unstorable.formUnion(ListMembers.of(connection).map { HTTPFields.Name($0) })
        }
        return HTTPFields(message.fields.filter { !unstorable.contains($0.name) })
    }
}
