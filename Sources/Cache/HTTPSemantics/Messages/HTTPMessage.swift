/// A request as a cache sees it: everything but its body. Shaped like `HTTPRequest` of apple/swift-http-types.
public struct HTTPRequest: Sendable, Hashable {
    /// The method, case-sensitive (RFC 9110, section 9.1).
    public var method: String
    /// The absolute target URI.
    public var url: String
    /// The header fields.
    public var headerFields: HTTPFields

    /// A request.
    public init(method: String = "GET", url: String, headerFields: HTTPFields = HTTPFields()) {
        self.method = method
        self.url = url
        self.headerFields = headerFields
    }
}

/// A response as a cache sees it: everything but its body. Shaped like `HTTPResponse` of apple/swift-http-types.
public struct HTTPResponse: Sendable, Hashable {
    /// The three-digit status code (RFC 9110, section 15).
    public var status: Int
    /// The header fields.
    public var headerFields: HTTPFields

    /// A response.
    public init(status: Int = 200, headerFields: HTTPFields = HTTPFields()) {
        self.status = status
        self.headerFields = headerFields
    }
}
