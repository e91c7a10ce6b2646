import HTTPSemantics

extension URLRequest {
    var method: String { httpMethod ?? "GET" }

    var canBeStored: Bool { method == "GET" }

    /// Whether it has a field `Host`. Foundation's own search takes four times as long.
    var namesHost: Bool {
        guard let fields = allHTTPHeaderFields, !fields.isEmpty else { return false }
        return fields.keys.contains { $0.utf8.count == 4 && HTTPFields.Name($0) == "Host" }
    }
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

    /// What is known of a response that is not one of HTTP: the type of its content.
    init(ofPlain response: URLResponse) {
        var fields = HTTPFields()
        if let type = response.mimeType {
            fields["Content-Type"] = type + (response.textEncodingName.map { "; charset=\($0)" } ?? "")
        }
        self.init(headerFields: fields)
    }

    init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        if let kept = response.keptFields {
            fields.fields = kept.map { .init(name: .init($0.key), value: $0.value) }
            self.init(status: response.statusCode, headerFields: fields)
            return
        }
        let named = response.allHeaderFields
        fields.fields.reserveCapacity(named.count)
        for (name, value) in named {
            guard let name = text(name.base), let value = text(value) else { continue }
            fields.fields.append(.init(name: .init(name), value: value))
        }
        self.init(status: response.statusCode, headerFields: fields)
    }
}

extension HTTPURLResponse {
    /// `nil` for a status that Foundation refuses.
    convenience init?(_ response: HTTPResponse, url: URL) {
        var fields = response.headerFields.byName
        // Foundation on Linux takes a time by the square of these: a second for 200 KB.
        for (name, value) in fields where value.utf8.count > Self.longestParsed && Self.parsed.contains(.init(name)) {
            fields[name] = String(decoding: value.utf8.prefix(Self.longestParsed), as: UTF8.self)
        }
        self.init(url: url, statusCode: response.status, kept: fields)
    }

    /// The fields that Foundation parses, and how many bytes of them it gets.
    private static let (parsed, longestParsed): ([HTTPFields.Name], Int) = (
        ["Content-Type", "Content-Disposition"], 4_096
    )
}

extension HTTPFields {
    /// Each name once, as Foundation spells it, with the values of its lines. Of names that differ only in case,
    /// Foundation would take one line, and not always the same one.
    fileprivate var byName: [String: String] {
        var byName = [String: String](minimumCapacity: fields.count)
        if fields.count <= 32 {
            // So few are compared faster than hashed.
            for (place, field) in fields.enumerated()
            where !fields[..<place].contains(where: { $0.name == field.name }) {
                let isRepeated = fields[(place + 1)...].contains { $0.name == field.name }
                byName[CapitalisedName.of(field.name.rawName)] = isRepeated ? self[field.name] : field.value
            }
            byName[""] = nil
            return byName
        }
        var first = [Name: String](minimumCapacity: fields.count)
        var repeated: [Name: [String]] = [:]
        for field in fields {
            guard let before = first.updateValue(field.value, forKey: field.name) else { continue }
            repeated[field.name, default: [before]].append(field.value)
        }
        for (name, value) in first {
            byName[CapitalisedName.of(name.rawName)] = repeated[name]?.joined(separator: ", ") ?? value
        }
        byName[""] = nil
        return byName
    }
}

/// A value's text, if it is a `String`. A cast finds that out in 600 instructions, a comparison of types in 50.
private func text(_ value: Any) -> String? {
    func text<Value>(_ value: Value) -> String? {
        Value.self == String.self ? unsafeBitCast(value, to: String.self) : value as? String
    }
    return _openExistential(value, do: text)
}

extension HTTPFields {
    /// A dictionary's entries, sorted by name, so equal dictionaries give equal fields.
    fileprivate init(_ dictionary: [String: String]) {
        self.init()
        if dictionary.isEmpty { return }
        fields = dictionary.sorted { $0.key < $1.key }.map { .init(name: .init($0.key), value: $0.value) }
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
