/// Something that an origin serves as RFC 9110 has it: by validators, ranges and methods.
public struct OriginResource: Sendable {
    /// The representation.
    public var body: [UInt8]
    /// Fields beside the validators.
    public var fields: [(String, String)]
    /// `ETag`, quotes included.
    public var entityTag: String?
    /// Compared as text, as many servers do.
    public var lastModified: String?

    /// A text.
    public init(
        _ text: String, _ fields: [(String, String)] = [], entityTag: String? = nil, lastModified: String? = nil
    ) {
        self.init(body: Array(text.utf8), fields, entityTag: entityTag, lastModified: lastModified)
    }

    /// Any bytes.
    public init(
        body: [UInt8], _ fields: [(String, String)] = [], entityTag: String? = nil, lastModified: String? = nil
    ) {
        self.body = body
        self.fields = fields
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// 200, 206 or 304.
    public func reply(to request: OriginRequest) -> OriginReply {
        var fields = fields
        if let entityTag { fields.append(("ETag", entityTag)) }
        if let lastModified { fields.append(("Last-Modified", lastModified)) }
        if isCurrent(request) { return OriginReply(status: 304, fields) }
        let ifRange = request["If-Range"]
        if let range = request["Range"], ifRange == nil || ifRange == entityTag || ifRange == lastModified,
            range.hasPrefix("bytes="), range.hasSuffix("-"), let first = Int(range.dropFirst(6).dropLast()),
            first < body.count
        {
            fields.append(("Content-Range", "bytes \(first)-\(body.count - 1)/\(body.count)"))
            return OriginReply(status: 206, fields, body: Array(body[first...]))
        }
        return OriginReply(fields, body: body)
    }

    private func isCurrent(_ request: OriginRequest) -> Bool {
        if let tags = request["If-None-Match"] { return tags == entityTag }
        if let date = request["If-Modified-Since"] { return date == lastModified }
        return false
    }
}
