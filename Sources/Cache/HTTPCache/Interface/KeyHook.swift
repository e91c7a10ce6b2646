import HTTPSemantics

/// Distinguishes representations of one URL for which the server sends no `Vary`: the text that it returns for a request
/// becomes part of the cache key. `nil` adds nothing. Where there is one, the removal or invalidation of a URL's responses is
/// linear in the entries.
public typealias KeyHook = @Sendable (HTTPRequest) -> String?
