/// The members of a comma-separated list of tokens as text (RFC 9110, section 5.6.1), for the cold paths.
enum ListMembers {
    /// The members, without the whitespace around them and without empty ones.
    static func of(_ value: String) -> [String] {
        withFieldBytes(of: value) { bytes in
            var members: [String] = []
            var place = 0
            while let member = nextListMember(bytes, from: &place) {
                members.append(String(decoding: bytes[member], as: UTF8.self))
            }
            return members
        }
    }
}
