import GaugeSupport

/// The common part of access logs: a method, a target, a status and a number of bytes.
package enum AccessLogLine {
    /// The longest target that is accepted as a URL, bytes.
    package static let longestURL = 1 << 16

    /// Makes a request from the parts of a log line.
    ///
    /// - Parameters:
    ///   - target: an absolute URL, or a path, which is appended to `http://origin.invalid`: a server's log does not
    ///     contain the host name.
    ///   - size: bytes of the body; `nil` if the log has no size. Ignored for responses without a body, to HEAD or with
    ///     status 304.
    package static func request(
        method: ArraySlice<UInt8>, target: ArraySlice<UInt8>, status: Int, size: Int?, time: Double
    ) throws(LineFault) -> TraceRequest {
        guard let name = String(validating: method, as: UTF8.self), isToken(method) else {
            throw LineFault("the method \(QuotedText.of(method)) is no name")
        }
        guard target.count <= longestURL else { throw LineFault("the URL is longer than \(longestURL) bytes") }
        guard var url = String(validating: target, as: UTF8.self), !url.isEmpty else {
            throw LineFault(target.isEmpty ? "the URL is empty" : "the URL is not UTF-8")
        }
        if url.hasPrefix("/") { url = "http://origin.invalid" + url }
        let hasBody = status != 304 && name != "HEAD"
        return TraceRequest(
            id: DecimalText.hash(url.utf8), url: url, size: hasBody ? size : nil, time: time,
            exchange: HTTPExchange(method: name, status: status))
    }

    /// A status of three digits; squid writes 0 if there was no response.
    package static func status(_ text: ArraySlice<UInt8>) -> Int? {
        if text.elementsEqual("000".utf8) { return 0 }
        guard let status = DecimalText.integer(text), status == 0 || status >= 100 && status <= 999 else { return nil }
        return Int(status)
    }

    private static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.count <= 64 && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
