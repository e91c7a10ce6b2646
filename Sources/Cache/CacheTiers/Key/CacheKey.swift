/// A cache key that can be kept: canonical bytes, and their hash by the hasher of one cache.
///
/// The bytes are those of a canonical URL, followed by a `KeySuffix` for each property that tells the representations
/// of the URL apart.
public struct CacheKey: Hashable, Sendable {
    /// The canonical bytes.
    public let bytes: [UInt8]
    /// The hash of `bytes`.
    public let hash: KeyHash

    /// A key of bytes that are canonical already.
    public init(canonical bytes: [UInt8], hasher: KeyHasher) {
        self.bytes = bytes
        hash = bytes.withUnsafeBytes { hasher.hash($0) }
    }

    /// The key of a URL, canonicalised.
    ///
    /// - Throws: `URLRefusal` when the text cannot be a key.
    public init(url text: UnsafeRawBufferPointer, hasher: KeyHasher) throws(URLRefusal) {
        self.init(canonical: try CanonicalURL.withBytes(of: text) { Array($0) }, hasher: hasher)
    }

    /// The key of a URL, canonicalised.
    ///
    /// - Throws: `URLRefusal` when the text cannot be a key.
    public init(url text: String, hasher: KeyHasher) throws(URLRefusal) {
        var text = text
        // withUTF8 rethrows any error; the way through Result keeps its type.
        let key = text.withUTF8 { bytes in
            Result { () throws(URLRefusal) in try CacheKey(url: UnsafeRawBufferPointer(bytes), hasher: hasher) }
        }
        self = try key.get()
    }

    /// Lends the bytes for the length of the call.
    public func withBytes<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(read)
    }

    /// The 128 bits stand for the bytes; equality compares them all.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash.low) }
}
