import HTTPSemantics

/// The request that follows from a 3xx (RFC 9110, section 15.4).
enum Redirection {
    /// The request to send next; `nil` when the response is no redirection to follow: another status, or no usable
    /// `Location`.
    ///
    /// - Throws: `unsupportedURL` where it leads out of http and https, or names no host.
    static func request(after response: HTTPResponse, to request: URLRequest) throws -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status), let old = request.url,
            let location = response.headerFields["Location"],
            let relative = URL(string: urlText(location), relativeTo: old)?.absoluteURL,
            let target = inheritingFragment(relative, from: old)
        else { return nil }
        let scheme = target.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", target.host != nil else {
            throw URLError(
                .unsupportedURL, request, "\(old) redirects to \(target), not an http or https URL with a host")
        }
        var next = request
        next.url = target
        let method = request.method
        if (response.status == 303 && method != "HEAD") || (response.status < 303 && method == "POST") {
            next.httpMethod = "GET"
            next.httpBody = nil
            // All that is of the body (RFC 9110, section 15.4, and 10.1.1 for `Expect`).
            for name in [
                "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Expect",
            ] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        if !isSameOrigin(old, target) {
            // They were for the other one (RFC 9110, section 15.4, point 1).
            for name in ["Authorization", "Cookie", "Host", "Proxy-Authorization"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return next
    }

    /// A URL reference with every byte above ASCII percent-encoded as it came, in UTF-8 or not.
    private static func urlText(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 >= 0x80 }) else { return value }
        return value.fieldBytes.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// A fragment is inherited unless the new URL has one (RFC 9110, section 10.2.2).
    private static func inheritingFragment(_ target: URL, from old: URL) -> URL? {
        guard target.fragment == nil, let fragment = old.fragment else { return target }
        return URL(string: "\(target.absoluteString)#\(fragment)")
    }

    private static func isSameOrigin(_ one: URL, _ other: URL) -> Bool {
        one.scheme?.lowercased() == other.scheme?.lowercased() && one.host?.lowercased() == other.host?.lowercased()
            && port(one) == port(other)
    }

    private static func port(_ url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }
}
