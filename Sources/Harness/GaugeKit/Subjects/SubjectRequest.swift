/// A request to store or look up, for a subject that uses more than the URL.
public struct SubjectRequest: Hashable, Sendable {
    /// `GET`, `POST`, `HEAD`.
    public var method: String
    /// The URL as an application writes it.
    public var url: String
    /// The request's header fields.
    public var fields: [HeaderField]
    /// The value of `Vary` in the stored response; empty for none.
    public var vary: String

    /// Creates a request.
    public init(_ url: String, method: String = "GET", fields: [HeaderField] = [], vary: String = "") {
        (self.method, self.url, self.fields, self.vary) = (method, url, fields, vary)
    }

    /// Whether the request is a GET of a URL, without fields or `Vary`.
    package var isPlain: Bool { method == "GET" && fields.isEmpty && vary.isEmpty }

    package var text: String {
        var text = method == "GET" ? url : "\(method) \(url)"
        for field in fields { text += ", \(field.name): \(field.value)" }
        return vary.isEmpty ? text : text + ", answered with Vary: \(vary)"
    }
}

/// A header field.
public struct HeaderField: Hashable, Sendable {
    /// The name as written.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A restriction on where a response may be stored.
public enum SubjectStoragePolicy: String, Hashable, Sendable {
    /// In memory only, never on disk.
    case memoryOnly = "for memory only"
    /// Nowhere; the response that it supersedes is still removed.
    case notAllowed = "not to be kept"
}
