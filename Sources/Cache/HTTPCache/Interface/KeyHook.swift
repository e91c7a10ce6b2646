import HTTPSemantics

/// Distinguishes representations of one URL for which the server sends no `Vary`: the text that it returns for a request
/// becomes part of the cache key. `nil` adds nothing. A removal, and the invalidation by an unsafe request, is of the
/// responses under the text for its request.
public typealias KeyHook = @Sendable (HTTPRequest) -> String?
