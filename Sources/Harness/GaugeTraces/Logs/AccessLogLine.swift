import GaugeSupport

// Invariant of the pointer: both parts are initialised within the buffer's capacity, their joint length.

/// What access logs have in common: a method, a target, a status and a number of bytes.
package enum AccessLogLine {
    /// The longest target accepted as a URL, bytes.
    package static let longestURL = 1 << 16

    /// Makes a request from the parts of a log line.
    ///
    /// - Parameters:
    ///   - target: an absolute URL, or a path, which is appended to `origin`; percent-encoded where needed
    ///     (``TraceURL``).
    ///   - origin: scheme and host; ``unknownOrigin`` where the log has no host name.
    ///   - size: the logged bytes; `nil` if the log has none. Responses to HEAD or with status 304 have no body, so
    ///     that theirs only tells what the log counts.
    ///   - counted: what the log counts, if its format tells.
    package static func request(
        method: ArraySlice<UInt8>, target: ArraySlice<UInt8>, origin: String = unknownOrigin, status: Int, size: Int?,
        time: Double?, counted: CountedBytes = .body
    ) throws(LineFault) -> TraceRequest {
        guard let name = name(of: method) else {
            throw LineFault("the method \(QuotedText.of(method)) is not a method's name")
        }
        guard target.count <= longestURL else { throw LineFault("the URL is longer than \(longestURL) bytes") }
        guard !target.isEmpty else { throw LineFault("the URL is empty") }
        let url: String
        if TraceURL.isPlain(target) {
            url = Self.url(target, origin: origin)
        } else {
            guard String(validating: target, as: UTF8.self) != nil else { throw LineFault("the URL is not UTF-8") }
            guard target.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw LineFault("the URL \(QuotedText.of(target)) has control characters")
            }
            url = Self.url(TraceURL.encoded(target).map { $0[...] } ?? target, origin: origin)
        }
        guard target.first != UInt8(ascii: "e") || !url.hasPrefix("error:") else {
            throw LineFault("no request was received (\(QuotedText.of(target)))")
        }
        let hasBody = status != 304 && name != "HEAD"
        var request = TraceRequest(
            id: URLIdentity.hash(of: url.utf8), url: url, size: hasBody ? size : nil, time: time,
            exchange: HTTPExchange(method: name, status: status))
        request.counted = counted
        if counted == .unknown, !hasBody, let size { request.counted = size == 0 ? .body : .response }
        return request
    }

    /// The method's name; `nil` if it isn't valid. The usual ones need no check.
    private static func name(of method: ArraySlice<UInt8>) -> String? {
        if method.elementsEqual("GET".utf8) { return "GET" }
        return isToken(method) ? String(decoding: method, as: UTF8.self) : nil
    }

    /// The URL of a target in UTF-8, a path being the origin's.
    static func url(_ target: ArraySlice<UInt8>, origin: String = unknownOrigin) -> String {
        guard target.first == UInt8(ascii: "/") else { return String(decoding: target, as: UTF8.self) }
        // Written in one piece: each line of a log makes one.
        let (first, count) = (origin.utf8.count, origin.utf8.count + target.count)
        return String(unsafeUninitializedCapacity: count) { buffer in
            _ = buffer.initialize(from: origin.utf8)
            _ = UnsafeMutableBufferPointer(rebasing: buffer[first...]).initialize(from: target)
            return count
        }
    }

    /// A status of three digits, or `200.0` as data frames write it; squid writes 0 if there was no response.
    package static func status(_ text: ArraySlice<UInt8>) -> Int? {
        if text.elementsEqual("000".utf8) { return 0 }
        let digits = text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text
        guard let status = DecimalText.integer(digits), status == 0 || status >= 100 && status <= 999 else {
            return nil
        }
        return Int(status)
    }

    /// The origin of the paths of a log without host names.
    package static let unknownOrigin = "http://origin.invalid"

    /// The origin of a host name, or of a virtual host as in Apache's `vhost_combined` (`shop.example:443`).
    ///
    /// - Returns: `nil` if the text is no host.
    package static func origin(ofHost text: ArraySlice<UInt8>, scheme: String? = nil) -> String? {
        var host = text
        var port = ""
        if let colon = text.lastIndex(of: UInt8(ascii: ":")), text.last != UInt8(ascii: "]") {
            host = text[..<colon]
            guard let number = DecimalText.integer(text[(colon + 1)...]), number < 65_536 else { return nil }
            port = "\(number)"
        }
        guard !host.isEmpty, host.count <= 255, isHost(host) else { return nil }
        let name = String(decoding: host, as: UTF8.self).lowercased()
        let scheme = scheme ?? (port == "443" ? "https" : "http")
        let isDefault = port.isEmpty || port == (scheme == "https" ? "443" : "80")
        return "\(scheme)://\(name)\(isDefault ? "" : ":\(port)")"
    }

    private static func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
            return isAddress(text.dropFirst().dropLast())
        }
        return text.allSatisfy {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || "-._".utf8.contains($0)
        } && text.contains { $0 != UInt8(ascii: "-") }
    }

    /// Whether a text looks like an IP address.
    package static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        if text.count(where: { $0 == UInt8(ascii: ":") }) >= 2 {
            return text.allSatisfy {
                $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66 || $0 >= 0x30 && $0 <= 0x3A || $0 == UInt8(ascii: ".")
            }
        }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { DecimalText.integer($0).map { $0 < 256 } ?? false }
    }

    /// A method: a token (RFC 9110, section 5.6.2).
    private static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.count <= 64
            && text.allSatisfy {
                $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39
                    || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }
}

/// A request line as logs quote it: `GET /path HTTP/1.1`. The version may be missing, and the target may contain
/// spaces, since servers log what clients sent.
struct RequestLine {
    let method: ArraySlice<UInt8>
    let target: ArraySlice<UInt8>

    /// `nil` without a method and a target.
    init?(_ text: ArraySlice<UInt8>) {
        var fields = TextFields(text)
        guard let method = fields.next() else { return nil }
        var target = CSVFields.trimmed(text[method.endIndex...])
        let version = target[(target.lastIndex(where: Self.isSpace).map { $0 + 1 } ?? target.startIndex)...]
        if version.starts(with: "HTTP/".utf8) { target = CSVFields.trimmed(target[..<version.startIndex]) }
        guard !target.isEmpty else { return nil }
        (self.method, self.target) = (method, target)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
