/// A challenge for Digest authentication in a `WWW-Authenticate` field (RFC 7616), with MD5 or SHA-256.
struct DigestChallenge: Sendable {
    let realm: String
    /// The last nonce was too old, and the credentials may be right.
    let isStale: Bool
    private let nonce: String
    private let opaque: String?
    /// As the origin spells it; `nil` if it names none, which means MD5.
    private let algorithm: String?
    private let digest: MessageDigest
    private let isOfSession: Bool
    /// The quality of protection is `auth`; without it, the older form of RFC 2069 holds.
    private let hasQuality: Bool

    /// The strongest Digest challenge of the field that can be met; `nil` if there is none.
    init?(in field: String) {
        let challenges = Self.challenges(in: field).compactMap(Self.init(parameters:))
        guard let best = challenges.first(where: { $0.digest == .sha256 }) ?? challenges.first else { return nil }
        self = best
    }

    private init?(parameters: [String: String]) {
        guard let realm = parameters["realm"], let nonce = parameters["nonce"] else { return nil }
        algorithm = parameters["algorithm"]
        let name = (algorithm ?? "MD5").uppercased()
        isOfSession = name.hasSuffix("-SESS")
        switch isOfSession ? String(name.dropLast(5)) : name {
        case "MD5": digest = .md5
        case "SHA-256": digest = .sha256
        default: return nil
        }
        let qualities = parameters["qop"]?.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        // auth-int alone would need the body's digest.
        guard qualities?.contains("auth") ?? true else { return nil }
        hasQuality = qualities != nil
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// What `Authorization` has to say.
    ///
    /// - Parameters:
    ///   - target: path and query, as they are sent.
    ///   - clientNonce: unguessable text of hexadecimal digits or base64.
    func authorization(
        _ credential: URLCredential, method: String, target: String, clientNonce: String
    ) -> String {
        let user = credential.user ?? ""
        var first = digest.hexadecimal("\(user):\(realm):\(credential.password ?? "")")
        if isOfSession { first = digest.hexadecimal("\(first):\(nonce):\(clientNonce)") }
        let second = digest.hexadecimal("\(method):\(target)")
        // Each nonce is used once, so that the count is 1.
        let middle = hasQuality ? "\(nonce):00000001:\(clientNonce):auth" : nonce
        let response = digest.hexadecimal("\(first):\(middle):\(second)")
        var members = [
            "username=\(Self.quoted(user))", "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))",
            "uri=\(Self.quoted(target))", "response=\"\(response)\"",
        ]
        if let algorithm { members.append("algorithm=\(algorithm.filter { $0.isASCII && !",\" ".contains($0) })") }
        if let opaque { members.append("opaque=\(Self.quoted(opaque))") }
        if hasQuality { members += ["qop=auth", "nc=00000001", "cnonce=\(Self.quoted(clientNonce))"] }
        return "Digest " + members.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    }

    /// The parameters of each Digest challenge, names in lower case.
    private static func challenges(in field: String) -> [[String: String]] {
        var challenges: [[String: String]] = []
        var isDigest = false
        for member in BasicChallenge.members(of: field) {
            var rest = Substring(member)
            let word = rest.prefix { $0 != " " && $0 != "=" && $0 != "\t" }
            let behind = rest.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
            // `Digest realm="x"` begins a challenge, `nonce="x"` goes on with one.
            if behind.first != "=" {
                isDigest = word.lowercased() == "digest"
                guard isDigest else { continue }
                challenges.append([:])
                rest = behind
            }
            guard isDigest, let equals = rest.firstIndex(of: "="), !challenges.isEmpty else { continue }
            let name = rest[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            guard let value = BasicChallenge.parameter(name, in: rest) else { continue }
            // The first of several counts.
            if challenges[challenges.count - 1][name] == nil { challenges[challenges.count - 1][name] = value }
        }
        return challenges
    }
}
