import HTTPCache
import HTTPSemantics

/// The part of a request and its answer that a recorder keeps.
struct RecordedAnswer: Hashable, Sendable {
    var url = ""
    let method: String
    let status: Int
    /// Bytes of the body, where they are known.
    let size: Int?
    let requestFields: [[String]]
    let responseFields: [[String]]

    /// - Parameter size: bytes of the body; `nil` if unknown.
    init(method: String, status: Int, size: Int?, requestFields: HTTPFields, responseFields: HTTPFields) {
        self.method = method
        self.status = status
        self.size = size
        self.requestFields = Self.picked(requestFields, Self.requestNames)
        self.responseFields = Self.picked(responseFields, Self.responseNames)
    }

    /// A stored response, as it answers a GET.
    init(_ stored: StoredResponse) {
        let response = stored.response
        self.init(
            method: "GET", status: response.status, size: stored.entry.bodyCount, requestFields: HTTPFields(),
            responseFields: response.headerFields)
    }

    /// A cached response, as it answers a GET; `nil` if it is not an HTTP response.
    init?(_ cached: CachedURLResponse) {
        guard let response = HTTPResponse(cached.response) else { return nil }
        self.init(
            method: "GET", status: response.status, size: cached.data.count, requestFields: HTTPFields(),
            responseFields: response.headerFields)
    }

    var isGet: Bool { method == "GET" }

    /// It may stand for a hit of a stored response with this status and this many bytes.
    func isStored(status: Int, size: Int) -> Bool {
        self.status == status && self.size == size && requestFields.isEmpty
    }

    /// Bytes of its texts, and some for each of their parts.
    var byteCount: Int {
        (requestFields + responseFields).reduce(url.utf8.count + 128) {
            $0 + $1.reduce(64) { $0 + $1.utf8.count }
        }
    }

    private static func picked(_ fields: HTTPFields, _ names: Set<String>) -> [[String]] {
        fields.fields.compactMap { field in
            names.contains(field.name.rawName.lowercased()) ? [field.name.rawName, field.value] : nil
        }
    }

    /// The fields that decide about caching. They do not identify a user.
    private static let requestNames: Set = ["cache-control", "pragma", "range"]
    private static let responseNames: Set = [
        "cache-control", "expires", "date", "last-modified", "age", "vary", "pragma",
    ]
}
