/// A cache key that can be kept: canonical bytes, and their hash by the hasher of one cache.
public struct CacheKey: Hashable, Sendable {
    /// The canonical bytes: of a URL, or of a URL and what tells its variants apart.
    public let bytes: [UInt8]
    /// The hash of `bytes`.
    public let hash: KeyHash

    /// A key of bytes that are canonical already.
    public init(canonical bytes: [UInt8], hasher: KeyHasher) {
        self.bytes = bytes
        hash = bytes.withUnsafeBytes { hasher.hash($0) }
    }

    /// Lends the bytes for the length of the call.
    public func withBytes<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(read)
    }

    /// The hash stands for the bytes; equality compares them all.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash.low) }
}
