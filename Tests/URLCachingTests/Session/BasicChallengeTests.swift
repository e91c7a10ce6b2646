import Testing

@testable import URLCaching

@Suite("Challenges for Basic authentication") struct BasicChallengeTests {
    @Test(
        "the realm is the one of the Basic challenge, wherever it stands",
        arguments: [
            ("Basic realm=\"a\"", "a"),
            ("basic realm=a", "a"),
            ("Basic\trealm=\"a\"", "a"), ("Basic charset=x, realm\t=\"a\"", "a"),
            ("Basic", ""),
            ("Basic charset=\"UTF-8\", realm=\"a\"", "a"),
            ("Digest realm=\"d\", nonce=\"n\", Basic realm=\"b\"", "b"),
            ("Basic charset=\"UTF-8\", Digest realm=\"d\"", ""),
            ("Basic realm=\"a, b\"", "a, b"),
            ("Basic realm=\"say \\\"a, b\\\" twice\"", "say \"a, b\" twice"),
            ("Basic realm=\"back\\\\slash\"", "back\\slash"),
            ("Digest realm=\"Basic realm=\\\"x\\\", y\"", nil),
            ("Digest realm=\"d\"", nil),
            ("", nil),
        ] as [(String, String?)])
    func realm(field: String, expected: String?) {
        #expect(BasicChallenge.realm(in: field) == expected)
    }
}
