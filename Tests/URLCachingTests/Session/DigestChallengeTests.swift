import LoopbackOrigin
import Platform
import Testing

@testable import URLCaching

/// Digest authentication by RFC 7616.
@Suite(.timeLimit(.minutes(60))) struct DigestChallengeTests {
    private static let mufasa = URLCredential(user: "Mufasa", password: "Circle of Life", persistence: .none)

    @Test(
        "the digests of RFC 1321 and FIPS 180-4",
        arguments: [
            (MessageDigest.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
            (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
            (
                .md5, "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digests(digest: MessageDigest, text: String, expected: String) {
        #expect(digest.hexadecimal(text) == expected)
    }

    @Test(
        "the example of RFC 7616, section 3.9.1, with both algorithms",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func example(algorithm: String, response: String) throws {
        let field =
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
            + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        let challenge = try #require(DigestChallenge(in: field))
        let text = challenge.authorization(
            Self.mufasa, method: "GET", target: "/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(text.contains("response=\"\(response)\"") && text.contains("algorithm=\(algorithm)"))
        #expect(text.contains("nc=00000001") && text.contains("opaque=\"FQhe/"))
    }

    @Test(
        "what cannot be met is no challenge, and the strongest that can is taken",
        arguments: [
            ("Basic realm=\"a\"", nil), ("Digest realm=\"a\"", nil), ("Digest nonce=\"a\"", nil),
            ("Digest realm=\"a\", nonce=\"b\", algorithm=SHA-512-256", nil),
            ("Digest realm=\"a\", nonce=\"b\", qop=\"auth-int\"", nil), ("", nil), ("Digest", nil),
            ("Digest realm=\"a\", nonce=\"b\"", "a"),
            ("Digest realm=\"a\", nonce=\"b\", Digest realm=\"c\", nonce=\"d\", algorithm=SHA-256", "c"),
            ("Basic realm=\"x\", Digest realm=\"a, \\\"b\", nonce=\"c\"", "a, \"b"),
        ] as [(String, String?)])
    func choice(field: String, realm: String?) {
        #expect(DigestChallenge(in: field)?.realm == realm)
    }

    @Test("behind a redirection within the origin Digest is met anew, by the credential that was accepted")
    func redirection() async throws {
        let origin = try LoopbackOrigin { request in
            guard let field = request["Authorization"] else {
                return OriginReply(
                    status: 401, [("WWW-Authenticate", "Digest realm=\"door\", nonce=\"n\", qop=\"auth\"")])
            }
            // RFC 7616, section 3.4.6.
            guard field.contains("uri=\"\(request.path)\"") else { return OriginReply(status: 400) }
            return request.path == "/a" ? OriginReply(status: 302, [("Location", "/b")]) : OriginReply(text: "in")
        }
        let delegate = Answering(.useCredential, Self.mufasa)
        let bench = try SessionBench(delegate: delegate, origin: origin)
        #expect(try await bench.get().body == "in")
        #expect(delegate.challenges.withLock { $0.map(\.previousFailureCount) } == [0, 0])
    }

    @Test("the delegate's credential is sent, once more for a stale nonce, and never without end")
    func flow() async throws {
        let isHostile = Locked(false)
        let origin = try LoopbackOrigin { request in
            let field = request["Authorization"]
            let hasNew = field?.contains("nonce=\"new\"") == true && !isHostile.withLock { $0 }
            if hasNew, field?.hasPrefix("Digest username=\"Mufasa\", realm=\"door\"") == true {
                return OriginReply(text: "in")
            }
            let challenge =
                field == nil
                ? "Digest realm=\"door\", nonce=\"old\", qop=\"auth\""
                : "Digest realm=\"door\", nonce=\"new\", qop=\"auth\", stale=true"
            return OriginReply(status: 401, [("WWW-Authenticate", challenge)])
        }
        let delegate = Answering(.useCredential, Self.mufasa)
        let bench = try SessionBench(delegate: delegate, origin: origin)
        #expect(try await bench.get().body == "in" && origin.count() == 3)
        let space = try #require(delegate.challenges.withLock { $0.first?.protectionSpace })
        #expect(space.authenticationMethod == NSURLAuthenticationMethodHTTPDigest && space.realm == "door")
        #expect(delegate.challenges.withLock { $0.count } == 1)
        #expect(origin.requests.last?["Authorization"]?.contains("uri=\"/a\"") == true)
        isHostile.withLock { $0 = true }
        #expect(try await bench.get("/b").status == 401)
        #expect(origin.count("/b") <= 8)
    }
}
