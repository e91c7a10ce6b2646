extension ResponseValues {
    /// Reads the values from a response's header fields.
    ///
    /// Of a field that may be sent once only, the first line counts; `Cache-Control` and `Vary` are lists, and all their
    /// lines count as one.
    ///
    /// - Parameter responseTime: when the response was received, seconds since 1970; it decides the century of a date
    ///   with a two-digit year.
    public init(_ response: HTTPResponse, responseTime: Int64) {
        let fields = response.headerFields
        let vary = VarySelection(fields["Vary"])
        let date = { (name: HTTPFields.Name) -> FieldDate in
            guard let value = fields.firstLine(name) else { return .absent }
            return HTTPDate.parse(value, now: responseTime).map(FieldDate.at) ?? .invalid
        }
        // An empty value is no validator, which is all that an unreadable Last-Modified is good for.
        let lastModified = fields.firstLine("Last-Modified")?.isEmpty == false ? date("Last-Modified") : .absent
        self.init(
            status: response.status, cacheControl: CacheControl(fields), date: date("Date"), expires: date("Expires"),
            lastModified: lastModified, age: Self.age(fields["Age"]),
            hasEntityTag: fields.firstLine("ETag")?.isEmpty == false,
            hasVary: !vary.isEmpty, variesOnEverything: vary.matchesNothing)
    }

    /// The first member (RFC 9111, section 5.1).
    private static func age(_ value: String?) -> DeltaSeconds {
        guard let value else { return .absent }
        guard let first = ListMembers.of(value).first else { return .invalid }
        var seconds: Int64 = 0
        for byte in first.utf8 {
            guard byte &- UInt8(ascii: "0") < 10 else { return .invalid }
            seconds = min(seconds * 10 + Int64(byte &- UInt8(ascii: "0")), 1 << 31)
        }
        return .seconds(seconds)
    }
}
