extension RequestFacts {
    /// The facts of a request, read from its method and header fields.
    ///
    /// - Parameter policy: the policy in force: the request's own, or else its session's.
    public init(_ request: HTTPRequest, policy: RequestPolicy = .useProtocolCachePolicy) {
        let fields = request.headerFields
        self.init(
            method: MethodClass(request.method), policy: policy,
            cacheControl: fields.contains("Cache-Control") ? CacheControl(fields) : nil,
            pragmaNoCache: Pragma.isNoCache(fields),
            isConditional: fields.fields.contains { ConditionalFields.names.contains($0.name) },
            hasRange: fields.contains("Range"))
    }
}
