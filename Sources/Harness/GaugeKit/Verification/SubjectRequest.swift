/// A request for which something is stored or looked up, by a subject that knows more of it than the URL.
public struct SubjectRequest: Hashable, Sendable {
    /// `GET`, `POST`, `HEAD`.
    public var method: String
    /// The URL as an application writes it.
    public var url: String
    /// The request's header fields.
    public var fields: [HeaderField]
    /// The value of `Vary` in the response that is stored for it; empty for none.
    public var vary: String

    /// A request.
    public init(_ url: String, method: String = "GET", fields: [HeaderField] = [], vary: String = "") {
        self.method = method
        self.url = url
        self.fields = fields
        self.vary = vary
    }

    /// Nothing but a GET of a URL.
    var isPlain: Bool { method == "GET" && fields.isEmpty && vary.isEmpty }

    /// For people.
    var text: String {
        var text = method == "GET" ? url : "\(method) \(url)"
        for field in fields { text += ", \(field.name): \(field.value)" }
        return vary.isEmpty ? text : text + ", answered with Vary: \(vary)"
    }
}
