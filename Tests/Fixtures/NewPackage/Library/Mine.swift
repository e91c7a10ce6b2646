/// The name of a cache.
public let name = "mine"
