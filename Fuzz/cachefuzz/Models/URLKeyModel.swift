import Platform

/// The key of a URL, by the text of RFC 3986 and each row of the rule in turn. It splits arrays instead of scanning
/// once.
enum URLKeyModel {
    private static let unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
    private static let subDelimiters = "!$&'()*+,;="
    private static let nameBytes = Set((unreserved + subDelimiters).utf8)
    private static let restBytes = Set((unreserved + subDelimiters + ":@/?").utf8)
    private static let hexDigits = Set("0123456789abcdefABCDEF".utf8)
    private static let digits = Set("0123456789".utf8)

    /// The canonical bytes; `nil` if the URL is refused.
    static func key(of url: [UInt8]) -> [UInt8]? {
        guard url.count <= 65_535 else { return nil }
        let (beforeFragment, fragment) = cut(url, at: "#")
        let (scheme, hierarchy) = cut(beforeFragment, at: ":")
        let lowercaseScheme = String(decoding: scheme.lowercased, as: UTF8.self)
        guard let hierarchy, hierarchy.starts(with: "//".utf8), ["http", "https"].contains(lowercaseScheme) else {
            return nil
        }
        let afterSlashes = Array(hierarchy.dropFirst(2))
        let authority = Array(afterSlashes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        var rest = Array(afterSlashes.dropFirst(authority.count))
        guard isRest(rest), isRest(fragment ?? []), let (host, port) = hostAndPort(authority) else { return nil }

        if rest.first != UInt8(ascii: "/") { rest.insert(UInt8(ascii: "/"), at: 0) }
        let isDefault = port == nil || port == (lowercaseScheme == "http" ? 80 : 443)
        let portText = isDefault ? "" : ":\(port ?? 0)"
        return Array((lowercaseScheme + "://").utf8) + host.lowercased + Array(portText.utf8) + rest
    }

    /// The bytes before the first `separator` and those after it.
    private static func cut(_ bytes: [UInt8], at separator: Character) -> (before: [UInt8], after: [UInt8]?) {
        guard let place = bytes.firstIndex(where: { $0 == separator.asciiValue }) else { return (bytes, nil) }
        return (Array(bytes[..<place]), Array(bytes[(place + 1)...]))
    }

    /// Whether the bytes may form a path, query or fragment.
    private static func isRest(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        return parts[0].allSatisfy(restBytes.contains)
            && parts.dropFirst().allSatisfy { part in
                part.count >= 2 && part.prefix(2).allSatisfy(hexDigits.contains)
                    && part.dropFirst(2).allSatisfy(restBytes.contains)
            }
    }

    /// Host and port; the port is `nil` if absent or empty.
    private static func hostAndPort(_ authority: [UInt8]) -> (host: [UInt8], port: Int?)? {
        guard !authority.contains(UInt8(ascii: "@")) else { return nil }
        let host: [UInt8]
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")), isLiteral(Array(authority[1..<end])) else {
                return nil
            }
            host = Array(authority[...end])
        } else {
            host = cut(authority, at: ":").before
            guard !host.isEmpty, host.allSatisfy(nameBytes.contains) else { return nil }
        }
        let rest = authority.dropFirst(host.count)
        guard let colon = rest.first else { return (host, nil) }
        let port = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), port.allSatisfy(digits.contains) else { return nil }
        let number = port.drop { $0 == UInt8(ascii: "0") }
        guard number.count <= 5, let value = number.isEmpty ? 0 : Int(String(decoding: number, as: UTF8.self)) else {
            return nil
        }
        return value <= 65_535 ? (host, port.isEmpty ? nil : value) : nil
    }

    /// Whether this is an IPv6 address that the C library accepts, or an `IPvFuture`.
    private static func isLiteral(_ bytes: [UInt8]) -> Bool {
        if bytes.first == UInt8(ascii: "v") || bytes.first == UInt8(ascii: "V") {
            let (version, address) = cut(Array(bytes.dropFirst()), at: ".")
            guard let address else { return false }
            return !version.isEmpty && version.allSatisfy(hexDigits.contains) && !address.isEmpty
                && address.allSatisfy { nameBytes.contains($0) || $0 == UInt8(ascii: ":") }
        }
        guard !bytes.contains(0) else { return false }
        var address = in6_addr()
        return inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    }
}
