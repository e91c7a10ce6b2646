/// Scheme, host and port (RFC 9110, section 4.3.1), which two resources share if one may invalidate the other.
struct Origin: Equatable {
    /// In lower case.
    let scheme: String
    /// In lower case.
    let host: String
    /// The written port, or else the default of the scheme.
    let port: UInt32
}

extension URLReference {
    /// The origin of an absolute http or https URL; `nil` for any other, for one with userinfo, which is never cached,
    /// and for a port that is not a number up to 65535.
    var origin: Origin? {
        guard let scheme, let authority, !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let standardPort: UInt32
        switch scheme {
        case "http": standardPort = 80
        case "https": standardPort = 443
        default: return nil
        }
        let bytes = authority.utf8[...]
        // The colons of an IPv6 address stand in brackets.
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        let colon = bytes[bracket...].firstIndex(of: UInt8(ascii: ":"))
        let host = AsciiCase.lowered(Substring(bytes[..<(colon ?? bytes.endIndex)]))
        let digits = colon.map { bytes[bytes.index(after: $0)...] } ?? bytes[bytes.endIndex...]
        guard !host.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        guard !digits.isEmpty else { return Origin(scheme: scheme, host: host, port: standardPort) }
        guard let port = UInt32(Substring(digits)), port <= 65_535 else { return nil }
        return Origin(scheme: scheme, host: host, port: port)
    }
}
