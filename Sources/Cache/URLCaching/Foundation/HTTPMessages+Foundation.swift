import HTTPSemantics

extension URLRequest {
    var method: String { httpMethod ?? "GET" }

    var canBeStored: Bool { method == "GET" }
}

extension HTTPRequest {
    /// The request without its body.
    init(_ request: URLRequest) {
        self.init(
            method: request.method, url: request.url?.absoluteString ?? "",
            headerFields: HTTPFields(request.allHTTPHeaderFields ?? [:]))
    }
}

extension URLRequest {
    /// A request without a body; `nil` if Foundation rejects the URL.
    init?(_ request: HTTPRequest) {
        guard let url = URL(string: request.url) else { return nil }
        self.init(url: url)
        httpMethod = request.method
        for field in request.headerFields.fields { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    }
}

extension HTTPResponse {
    /// Status and fields; `nil` if it is not an HTTP response.
    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        self.init(response)
    }

    init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            fields.fields.append(.init(name: .init(name), value: value))
        }
        self.init(status: response.statusCode, headerFields: fields)
    }
}

extension HTTPFields {
    /// A dictionary's entries, sorted by name, so equal dictionaries give equal fields.
    fileprivate init(_ dictionary: [String: String]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { .init(name: .init($0.key), value: $0.value) })
    }
}

extension URL {
    /// The URL with its scheme in lower case, which means the same (RFC 3986, section 3.1). Foundation on Linux
    /// compares schemes as written.
    var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
