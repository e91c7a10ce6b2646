import Foundation
import HTTPCache
import HTTPSemantics

/// A request in the form that libcurl takes. Nothing in it can end a line and begin another (RFC 9110, section 5.5).
struct CurlRequest: Sendable {
    let method: String
    let url: String
    let isEncrypted: Bool
    /// Header lines without their end, each with a NUL byte behind it.
    let lines: [[UInt8]]
    /// It has a field `Expect`.
    let expectsContinue: Bool
    let body: RequestBody?
    let timeout: Double?
    let secondsRunning: (@Sendable () -> Double)?
    let onProgress: (@Sendable () -> Void)?
    let terms: ExchangeTerms

    /// - Throws: `URLError`, when the request cannot be sent as it is.
    init(_ outgoing: OutgoingRequest, defaults: DefaultLines, _ terms: ExchangeTerms = ExchangeTerms()) throws {
        let request = outgoing.request
        func refusal(_ code: URLError.Code, _ reason: String) -> URLError { URLError(code, url: request.url, reason) }

        let scheme = Substring(request.url.utf8.prefix { $0 != UInt8(ascii: ":") }).lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw refusal(.unsupportedURL, "the scheme of \(request.url) is neither http nor https")
        }
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw refusal(.badURL, "the URL holds a space or a control character; percent-encode it")
        }
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(\.isTokenByte), request.method != "CONNECT" else {
            throw refusal(.badURL, "\(request.method.debugDescription) is not a method that can be sent")
        }
        method = request.method
        url = request.url
        isEncrypted = scheme == "https"
        timeout = outgoing.timeout
        secondsRunning = outgoing.secondsRunning
        onProgress = outgoing.onProgress
        self.terms = terms
        body = method == "HEAD" ? nil : outgoing.body

        var lines: [[UInt8]] = []
        for field in request.headerFields.fields {
            let value = field.valueBytes
            guard !field.name.rawName.isEmpty, field.name.rawName.utf8.allSatisfy(\.isTokenByte) else {
                throw refusal(.badURL, "\(field.name.rawName.debugDescription) is not the name of a header field")
            }
            guard value.allSatisfy({ $0 != 0 && $0 != 10 && $0 != 13 }) else {
                throw refusal(.badURL, "the value of \(field.name.rawName) holds a CR, LF or NUL")
            }
            // The transport frames the body.
            guard field.name != "Content-Length", field.name != "Transfer-Encoding" else { continue }
            let isAccepted = field.name == "Accept-Encoding"
            lines.append(Self.line(field.name.rawName, isAccepted ? ContentDecoder.undoable(field.value) : value))
        }
        for (name, line) in defaults.all where !request.headerFields.contains(name) { lines.append(line) }
        if method == "POST", body != nil, !request.headerFields.contains("Content-Type") {
            lines.append(defaults.contentType)
        }
        self.lines = lines
        expectsContinue = request.headerFields["Expect"] != nil
    }

    /// Sending it twice has the effect of sending it once (RFC 9110, section 9.2.2).
    var isIdempotent: Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY": true
        default: false
        }
    }

    /// The method expects a body, so a length of 0 says that there is none (RFC 9110, section 8.6).
    var announcesEmptyBody: Bool { method == "POST" || method == "PUT" || method == "PATCH" }

    /// A field without a value must end with a semicolon, or libcurl leaves it out.
    fileprivate static func line(_ name: String, _ value: [UInt8]) -> [UInt8] {
        let isEmpty = value.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return Array(name.utf8) + (isEmpty ? [UInt8(ascii: ";"), 0] : [UInt8(ascii: ":"), 0x20] + value + [0])
    }
}

/// The header lines for requests that don't have these fields themselves, made once for a transport.
struct DefaultLines: Sendable {
    fileprivate let all: [(name: HTTPFields.Name, line: [UInt8])]
    /// For a POST with a body.
    fileprivate let contentType = CurlRequest.line("Content-Type", Array("application/x-www-form-urlencoded".utf8))

    init(userAgent: String) {
        let values: [(HTTPFields.Name, String?)] = [
            ("Accept", "*/*"), ("Accept-Encoding", ContentDecoder.acceptEncoding), ("User-Agent", userAgent),
        ]
        let lines = values.compactMap { name, value in
            value.map { (name: name, line: CurlRequest.line(name.rawName, Array($0.utf8))) }
        }
        // A line without a value keeps libcurl from adding a field, which would wait a second for 100 (Continue).
        all = lines + [("Expect", Array("Expect:\0".utf8))]
    }
}
