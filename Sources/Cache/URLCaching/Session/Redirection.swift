import HTTPSemantics

/// The request that follows from a 3xx (RFC 9110, section 15.4).
enum Redirection {
    /// The next request, whatever its scheme; `nil` if there is no redirection to follow: another status, or no usable
    /// `Location`.
    static func request(after response: HTTPResponse, to request: URLRequest) -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status), let old = request.url,
            let location = location(response.headerFields),
            let relative = URL(string: urlText(location), relativeTo: old)?.absoluteURL,
            let target = inheritingFragment(relative, from: old)
        else { return nil }
        var next = request
        next.url = target
        let method = request.method
        if (response.status == 303 && method != "HEAD") || (response.status < 303 && method == "POST") {
            next.httpMethod = "GET"
            next.httpBody = nil
            // Everything about the body (RFC 9110, section 15.4, and 10.1.1 for `Expect`).
            for name in [
                "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Expect",
            ] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        if !isSameOrigin(old, target) {
            // They were meant for the other origin (RFC 9110, section 15.4, point 1).
            for name in ["Authorization", "Cookie", "Host", "Proxy-Authorization"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return next
    }

    /// - Throws: `unsupportedURL` if a request leads out of http and https, or names no host.
    static func check(_ next: URLRequest, after request: URLRequest) throws {
        let scheme = next.url?.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", next.url?.host != nil else {
            let (old, target) = (request.url?.absoluteString ?? "", next.url?.absoluteString ?? "")
            throw URLError(
                .unsupportedURL, request,
                "\(old) redirects to \(target), not an http or https URL with a host; a delegate may refuse to follow")
        }
    }

    /// The value of `Location`; `nil` if there is none, or several that differ. A transport may have joined lines.
    private static func location(_ fields: HTTPFields) -> String? {
        let values = Set(fields.fields.filter { $0.name == "Location" }.map(\.value))
        guard values.count == 1, let value = values.first else { return nil }
        let bytes = Array(value.utf8)
        let half = (bytes.count - 2) / 2
        let isTwice =
            bytes.count > 2 && bytes.count.isMultiple(of: 2) && bytes[half] == UInt8(ascii: ",")
            && bytes[half + 1] == UInt8(ascii: " ") && bytes[..<half].elementsEqual(bytes[(half + 2)...])
        return isTwice ? String(decoding: bytes[..<half], as: UTF8.self) : value
    }

    /// A URL reference with every byte above ASCII percent-encoded as it came, in UTF-8 or not. Foundation encodes a
    /// host in UTF-8 itself, by other rules (RFC 3492).
    private static func urlText(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 >= 0x80 }) else { return value }
        let bytes = value.fieldBytes
        let host = host(in: bytes)
        guard let name = String(validating: bytes[host], as: UTF8.self) else { return encoded(bytes[...]) }
        return encoded(bytes[..<host.lowerBound]) + name + encoded(bytes[host.upperBound...])
    }

    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// Where a reference's host and port are, behind `//` at the start or behind a scheme; empty if it has none
    /// (RFC 3986, section 4.2).
    private static func host(in bytes: [UInt8]) -> Range<Int> {
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        let afterScheme = bytes.dropFirst(scheme.count).first == UInt8(ascii: ":") ? scheme.count + 1 : 0
        guard bytes[afterScheme...].starts(with: "//".utf8) else { return 0..<0 }
        let authority = bytes[(afterScheme + 2)...].prefix { !"/?#".utf8.contains($0) }
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        return start..<authority.endIndex
    }

    /// The new URL inherits the fragment unless it has one (RFC 9110, section 10.2.2).
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

/// The requests in a chain of redirections.
///
/// If a chain returns to one of them, it may consist of stored redirections that the site has since reversed, and would
/// go round for ever. So the second visit asks the origin.
struct Visits {
    private var requests = Set<String>()
    /// The current request was sent before.
    private(set) var isBack = false

    mutating func follow(from old: URLRequest, to new: URLRequest) {
        requests.insert(Self.name(old))
        isBack = !requests.insert(Self.name(new)).inserted
    }

    private static func name(_ request: URLRequest) -> String {
        let url = request.url?.absoluteString ?? ""
        return "\(request.method) \(url.prefix { $0 != "#" })"
    }
}

extension RequestPolicy {
    /// This policy without stored answers, if it allows a connection.
    var passingStoredRedirections: Self {
        switch self {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad, .reloadRevalidatingCacheData:
            .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .returnCacheDataDontLoad: self
        }
    }
}
