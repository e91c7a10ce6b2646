import Foundation

/// What a session demands of the servers that it reaches over TLS, and what it shows to them.
package struct TLSSettings: Sendable {
    /// A file of certificates in PEM that are trusted in the place of the system's.
    package var certificateFile: String?
    /// By host, or `*` for the others: the digests of public keys, one of which the server has to have.
    package var pinnedKeys: [String: PublicKeyPins] = [:]
    /// By host, or `*` for the others.
    package var clientCertificates: [String: TLSClientCertificate] = [:]

    /// The system's authorities, and nothing beside them.
    package init() {}

    /// Sets the options of a transfer over TLS.
    ///
    /// - Returns: `false` where the library cannot check a key that is pinned.
    func apply(to easy: CurlLibrary.Handle, _ library: CurlLibrary, url: String) -> Bool {
        guard !pinnedKeys.isEmpty || !clientCertificates.isEmpty else { return true }
        let host = Self.host(url)
        if let pins = pinnedKeys[host] ?? pinnedKeys["*"], !library.set(easy, .pinnedPublicKey, pins.text) {
            return false
        }
        guard let shown = clientCertificates[host] ?? clientCertificates["*"] else { return true }
        library.set(easy, .clientCertificate, shown.certificateFile.path)
        library.set(easy, .clientKey, (shown.keyFile ?? shown.certificateFile).path)
        if let password = shown.password { library.set(easy, .keyPassword, password) }
        return true
    }

    /// In lower case, and without a dot at its end, as `named` has it.
    private static func host(_ url: String) -> String { named(URLComponents(string: url)?.host ?? "") }

    /// The name by which a host is found here.
    package static func named(_ host: String) -> String {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return name
    }
}

/// The public keys that a server may have.
package struct PublicKeyPins: Sendable, Hashable {
    /// As libcurl takes them.
    let text: String

    /// - Parameter digests: SHA-256 of the public key (SubjectPublicKeyInfo in DER) in base64, as RFC 7469 has it, with
    ///   `sha256/` or `sha256//` before it or not.
    /// - Returns: `nil` where one is no such digest, or there is none: nothing may be let through by mistake.
    package init?(_ digests: [String]) {
        let values = digests.map { digest in
            var rest = digest[...]
            if rest.hasPrefix("sha256/") { rest.removeFirst(7) }
            if rest.count == 45, rest.hasPrefix("/") { rest.removeFirst() }
            return String(rest)
        }
        guard !values.isEmpty, values.allSatisfy({ Data(base64Encoded: $0)?.count == 32 }) else { return nil }
        text = values.map { "sha256//\($0)" }.joined(separator: ";")
    }
}

/// A certificate that is shown to a server which asks for one, in the place of an identity of the keychain.
public struct TLSClientCertificate: Sendable, Hashable {
    /// The certificate in PEM, with those between it and the authority behind it.
    public var certificateFile: URL
    /// Its private key in PEM; `nil` where the same file holds it.
    public var keyFile: URL?
    /// The password of the key; `nil` where it has none.
    public var password: String?

    /// A certificate with its key. The files are read for each connection.
    public init(certificateFile: URL, keyFile: URL? = nil, password: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.password = password
    }
}
