/// A Digest challenge in a `WWW-Authenticate` field (RFC 7616), with MD5 or SHA-256.
struct DigestChallenge: Sendable {
    let realm: String
    /// The last nonce was too old, but the credentials may be right.
    let isStale: Bool
    private let nonce: String
    private let opaque: String?
    /// As the origin spells it; `nil` if it names none, which means MD5.
    private let algorithm: String?
    private let digest: MessageDigest
    private let isOfSession: Bool
    /// The quality of protection is `auth`; otherwise the older form of RFC 2069 applies.
    private let hasQuality: Bool

    /// The strongest Digest challenge in the field that we can meet; `nil` if there is none.
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

    /// The value of `Authorization`.
    ///
    /// - Parameters:
    ///   - target: path and query, as sent.
    ///   - clientNonce: unguessable text of hexadecimal digits or base64.
    func authorization(_ credential: URLCredential, method: String, target: String, clientNonce: String) -> String {
        let user = credential.user ?? ""
        var first = digest.hexadecimal("\(user):\(realm):\(credential.password ?? "")")
        if isOfSession { first = digest.hexadecimal("\(first):\(nonce):\(clientNonce)") }
        let second = digest.hexadecimal("\(method):\(target)")
        // Each nonce is used once, so the count is 1.
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
            // `Digest realm="x"` begins a challenge, `nonce="x"` continues one.
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

/// MD5 (RFC 1321) and SHA-256 (FIPS 180-4) for Digest authentication. Foundation on Linux has neither.
enum MessageDigest: Sendable {
    case md5, sha256

    func hexadecimal(_ text: String) -> String {
        let padded = Self.padded(Array(text.utf8), lengthIsBigEndian: self == .sha256)
        let bytes = self == .md5 ? Self.md5(padded) : Self.sha256(padded)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The message, a one bit, zeros, and its length in bits: whole blocks of 64 bytes.
    private static func padded(_ message: [UInt8], lengthIsBigEndian: Bool) -> [UInt8] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let bits = UInt64(message.count) &* 8
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        return bytes + (lengthIsBigEndian ? length.reversed() : length)
    }

    private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    private static func md5(_ message: [UInt8]) -> [UInt8] {
        let constants = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + word * 4 + $1]) << UInt32(8 * $1) }
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (mixed, word): (UInt32, Int) =
                    switch step / 16 {
                    case 0: ((b & c) | (~b & d), step)
                    case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), 7 * step % 16)
                    }
                let sum = a &+ mixed &+ constants[step] &+ words[word]
                let turn = turns[step / 16 * 4 + step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
            }
            state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
    }

    private static let primes: [Double] = {
        var primes: [Int] = []
        var next = 2
        while primes.count < 64 {
            if primes.allSatisfy({ next % $0 != 0 }) { primes.append(next) }
            next += 1
        }
        return primes.map(Double.init)
    }()

    /// The first 32 bits after the point.
    private static func fraction(_ value: Double) -> UInt32 { UInt32((value - value.rounded(.down)) * 4_294_967_296) }

    private static func sha256(_ message: [UInt8]) -> [UInt8] {
        let constants = primes.map { fraction(cbrt($0)) }
        var state = primes.prefix(8).map { fraction($0.squareRoot()) }
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        for start in stride(from: 0, to: message.count, by: 64) {
            var words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(message[start + word * 4 + $1]) }
            }
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                words.append(
                    words[index - 16] &+ (turned(early, 7) ^ turned(early, 18) ^ early >> 3) &+ words[index - 7]
                        &+ (turned(late, 17) ^ turned(late, 19) ^ late >> 10))
            }
            var now = state
            for step in 0..<64 {
                let (a, e) = (now[0], now[4])
                let first =
                    now[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ ((e & now[5]) ^ (~e & now[6]))
                    &+ constants[step] &+ words[step]
                let second =
                    (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22))
                    &+ ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]))
                now = [first &+ second, a, now[1], now[2], now[3] &+ first, e, now[5], now[6]]
            }
            for index in 0..<8 { state[index] = state[index] &+ now[index] }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }
}
