import Testing
import URLCaching

/// Trust in servers beyond their certificates' validity, and certificates of the client. Skipped where nginx is not
/// installed.
@Suite(.serialized, .timeLimit(.minutes(60)), .enabled(if: Nginx.executable != nil, "nginx is not installed"))
struct ServerTrustTests {
    /// Of the key of all servers here; made by the command that the documentation of `pinnedPublicKeys` has.
    private static let key = "cf3GOTc8oyH9CHxFOiuTtkv3TubVdZndg2Dtd+Bq70E="
    private static let otherKey = "AAAAOTc8oyH9CHxFOiuTtkv3TubVdZndg2Dtd+Bq70E="

    private let nginx: Nginx

    init() throws { nginx = try Nginx(executable: #require(Nginx.executable)) }

    private func ask(
        _ edit: (inout CachingSession.Configuration) -> Void
    ) async throws -> (text: String, client: String?) {
        var configuration = CachingSession.Configuration.patient
        configuration.certificateFile = Nginx.authority
        edit(&configuration)
        let session = CachingSession(configuration: configuration, cache: nil)
        let url = try #require(URL(string: nginx.https(.trusted) + "/plain/text"))
        let (data, response) = try await session.data(from: url)
        return (
            String(decoding: data, as: UTF8.self),
            (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Client")?
                .trimmingCharacters(in: .whitespaces)
        )
    }

    @Test(
        "a server whose public key is pinned is trusted",
        arguments: [
            ["localhost": [key]], ["LocalHost.": [otherKey, key]], ["*": ["sha256/" + key]],
            ["localhost": ["sha256//" + key], "*": [otherKey]], ["other.test": [otherKey]],
        ])
    func pinned(pins: [String: [String]]) async throws {
        #expect(try await ask { $0.pinnedPublicKeys = pins }.text == Nginx.text)
    }

    @Test(
        "a valid certificate with another key is refused, and nothing is sent",
        arguments: [
            ["localhost": [otherKey]], ["LocalHost.": [otherKey]], ["*": [otherKey]],
            ["localhost": [otherKey], "*": [key]],
        ])
    func anotherKey(pins: [String: [String]]) async throws {
        let error = await thrown { _ = try await ask { $0.pinnedPublicKeys = pins } }
        #expect(error?.code == .serverCertificateUntrusted)
        #expect(try await ask { _ in }.text == Nginx.text)
        #expect(try nginx.statuses("/plain/text", count: 1).count == 1)
    }

    @Test("a host is found however a URL writes it", arguments: ["LOCALHOST", "%6cocalhost"])
    func spellings(host: String) async throws {
        var configuration = CachingSession.Configuration.patient
        configuration.certificateFile = Nginx.authority
        let url = try #require(URL(string: nginx.https(.trusted).replacing("localhost", with: host) + "/plain/text"))
        let free = CachingSession(configuration: configuration, cache: nil)
        #expect(Got(try await free.data(from: url)).body == Nginx.text)
        configuration.pinnedPublicKeys = ["localhost": [Self.otherKey]]
        let bound = CachingSession(configuration: configuration, cache: nil)
        #expect(await thrown { _ = try await bound.data(from: url) }?.code == .serverCertificateUntrusted)
    }

    @Test(
        "pins that are no digests let nothing through",
        arguments: [[], ["abc"], [key, "sha256/abc"], [String(key.dropLast())]])
    func noDigests(digests: [String]) async throws {
        let error = await thrown { _ = try await ask { $0.pinnedPublicKeys = ["localhost": digests] } }
        #expect(error?.code == .secureConnectionFailed)
        #expect(error?.localizedDescription.contains("pinnedPublicKeys[\"localhost\"]") == true)
    }

    @Test("a request that is rewritten to an address is sent under its host's name: certificate, pins, Host")
    func rewritten() async throws {
        // No resolver knows the name of this server's certificate.
        let url = try #require(
            URL(string: nginx.https(.wrongHost).replacing("localhost", with: "other.example") + "/plain/text"))
        @Sendable func toAddress(_ request: URLRequest) -> URLRequest {
            var request = request
            let text = url.absoluteString.replacing("other.example", with: "127.0.0.1")
            request.url = URL(string: text)
            return request
        }
        func ask(
            pin: String, _ rewrite: @escaping CachingSession.Configuration.Rewrite = { toAddress($0) }
        ) async throws -> Got {
            var configuration = CachingSession.Configuration.patient
            configuration.certificateFile = Nginx.authority
            configuration.rewrite = rewrite
            configuration.pinnedPublicKeys = ["other.example": [pin], "127.0.0.1": [Self.key]]
            configuration.clientCertificates = ["other.example": Self.certificate]
            let session = CachingSession(configuration: configuration, cache: nil)
            return Got(try await session.data(from: url))
        }
        let answer = try await ask(pin: Self.key)
        #expect(answer.body == Nginx.text && answer.response.url == url)
        #expect(answer["X-Client"]?.hasPrefix("SUCCESS CN=trusted") == true)
        #expect(await thrown { _ = try await ask(pin: Self.otherKey) }?.code == .serverCertificateUntrusted)
        // Asked under the address's own name, the server has no certificate for it.
        let error = await thrown {
            _ = try await ask(pin: Self.key) { request in
                var request = toAddress(request)
                request.setValue("127.0.0.1", forHTTPHeaderField: "Host")
                return request
            }
        }
        #expect(error?.code == .serverCertificateUntrusted)
    }

    private static let certificate = CachingSession.ClientCertificate(
        certificateFile: Nginx.authority.deletingLastPathComponent().appending(path: "trusted.pem"),
        keyFile: Nginx.authority.deletingLastPathComponent().appending(path: "server.key"))

    @Test("a client's certificate is shown to the host that it is for, and to no other")
    func clientCertificate() async throws {
        #expect(
            try await ask { $0.clientCertificates = ["localhost": Self.certificate] }.client == "SUCCESS CN=trusted")
        #expect(try await ask { $0.clientCertificates = ["*": Self.certificate] }.client == "SUCCESS CN=trusted")
        #expect(try await ask { $0.clientCertificates = ["other.test": Self.certificate] }.client == "NONE")
        #expect(try await ask { _ in }.client == "NONE")
    }

    @Test("a client's certificate that cannot be read is an error") func unreadableCertificate() async {
        let missing = CachingSession.ClientCertificate(certificateFile: URL(filePath: "/nowhere/client.pem"))
        let error = await thrown { _ = try await ask { $0.clientCertificates = ["*": missing] } }
        #expect(error?.code == .clientCertificateRejected)
    }

    @Test("an exchange over TLS has the times of its handshake") func times() async throws {
        var configuration = CachingSession.Configuration.patient
        (configuration.certificateFile, configuration.carrier) = (Nginx.authority, .libcurl)
        let session = CachingSession(configuration: configuration, cache: nil)
        let url = try #require(URL(string: nginx.https(.trusted) + "/plain/text"))
        let exchange = try #require(
            try await session.answer(for: URLRequest(url: url)).times.transactions.first)
        let (start, end) = try (
            #require(exchange.secureConnectionStartDate), #require(exchange.secureConnectionEndDate)
        )
        #expect(start < end && exchange.connectEndDate == end && exchange.networkProtocolName == "h2")
    }
}
