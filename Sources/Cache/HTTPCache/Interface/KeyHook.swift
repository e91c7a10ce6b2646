import HTTPSemantics

/// Distinguishes representations of one URL for which the server sends no `Vary`: the text that it returns for a request
/// becomes part of the cache key. `nil` adds nothing.
public typealias KeyHook = @Sendable (HTTPRequest) -> String?
