/// Which stored responses an answer invalidates (RFC 9111, section 4.4).
package enum Invalidation {
    /// The URLs whose stored responses, all variants, must be removed: the request's own, plus `Location` and
    /// `Content-Location` if they have the same origin. None if the method is safe or the answer is an error.
    ///
    /// The request's origin is the one that its `Host` names (RFC 9110, section 7.1). What is stored for that origin is
    /// found with the same `Host` under the URL's authority, which is why the targets have that.
    ///
    /// - Returns: absolute URLs without fragment; the request's own is as the request has it, without user information,
    ///   which is sent as a field (RFC 9110, section 4.2.4).
    package static func targets(_ request: HTTPRequest, _ response: HTTPResponse) -> [String] {
        guard MethodClass(request.method) == .unsafe, StatusRules.isNonError(response.status) else { return [] }
        guard var base = URLReference(request.url) else { return [request.url] }
        let authority = base.authorityWithoutUserInfo
        var targets = [request.url]
        if authority != base.authority {
            base.authority = authority
            targets = [base.text]
        }
        let host = request.headerFields["Host"]
        if let host { base.authority = host }
        guard let origin = base.origin else { return targets }
        for name in ["Location", "Content-Location"] as [HTTPFields.Name] {
            guard let reference = response.headerFields.firstValue(name).flatMap(URLReference.init) else { continue }
            var target = reference.resolved(against: base)
            // If one origin could remove another's responses, that would be a denial of service.
            guard target.origin == origin else { continue }
            if host != nil { target.authority = authority }
            guard !targets.contains(target.text) else { continue }
            targets.append(target.text)
        }
        return targets
    }
}

/// A URI or relative reference in its five parts (RFC 3986, appendix B), without the fragment. An absent part differs
/// from an empty one.
struct URLReference: Equatable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?

    /// Splits a reference; `nil` if it contains a byte that no URI has (controls, space, non-ASCII, `"<>\^`{|}`).
    init?(_ text: String) {
        guard text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        var rest = text.utf8[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(rest[rest.index(after: mark)...]))
            rest = rest[..<mark]
        }
        let colon = rest.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        if let colon, rest[colon] == UInt8(ascii: ":"), Self.isScheme(rest[..<colon]) {
            scheme = AsciiCase.lowered(Substring(rest[..<colon]))
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(Substring(rest[..<end]))
            rest = rest[end...]
        }
        path = String(Substring(rest))
    }

    /// The parts joined again (RFC 3986, section 5.3).
    var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        return text
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy {
            isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

extension URLReference {
    /// This reference resolved against `base` (RFC 3986, section 5.2.2).
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil || authority != nil {
            target.scheme = scheme ?? base.scheme
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            target.path = Self.withoutDotSegments(merged(with: base))
        }
        return target
    }

    /// This relative path in place of the last segment of the base's path (RFC 3986, section 5.2.3).
    private func merged(with base: URLReference) -> String {
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return base.authority == nil ? path : "/" + path
        }
        return String(base.path[...slash]) + path
    }

    /// The path without `.` and `..` segments (RFC 3986, section 5.2.4). Linear in the length.
    static func withoutDotSegments(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        let isAbsolute = path.utf8.first == slash
        let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
        var kept: [Substring.UTF8View] = []
        var endsInDot = false
        for segment in segments {
            let isDot = segment.elementsEqual(".".utf8)
            let isDotDot = segment.elementsEqual("..".utf8)
            if isDotDot { _ = kept.popLast() }
            if !isDot && !isDotDot { kept.append(segment) }
            endsInDot = isDot || isDotDot
        }
        if endsInDot { kept.append("".utf8[...]) }
        return (isAbsolute ? "/" : "") + kept.map { String(Substring($0)) }.joined(separator: "/")
    }
}

/// Scheme, host and port (RFC 9110, section 4.3.1). A resource may invalidate only others of its origin.
struct Origin: Equatable {
    /// In lower case.
    let scheme: String
    /// In lower case.
    let host: String
    /// The port as written, or the scheme's default.
    let port: UInt32
}

extension URLReference {
    fileprivate var authorityWithoutUserInfo: String? {
        guard let authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return authority }
        return String(authority[authority.utf8.index(after: at)...])
    }

    /// The origin of an absolute http or https URL. `nil` for any other URL, for one with userinfo, which is never
    /// cached, and for a port that is not a number up to 65535.
    var origin: Origin? {
        guard let scheme, let authority, !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let standardPort: UInt32
        switch scheme {
        case "http": standardPort = 80
        case "https": standardPort = 443
        default: return nil
        }
        let bytes = authority.utf8[...]
        // The colons of an IPv6 address are inside brackets.
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
