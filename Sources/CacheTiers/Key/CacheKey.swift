/// A cache key that can be kept: canonical bytes, and their hash by the hasher of one cache.
///
/// The bytes are those of a canonical URL, and after them, where one URL has several representations, a suffix for each
/// thing that tells them apart: a zero byte, the kind, the length of its bytes (32 bits, big-endian), its bytes. A
/// canonical URL contains no zero byte and a suffix says how long it is, so that no two keys made of different parts
/// are the same bytes.
public struct CacheKey: Hashable, Sendable {
    /// What a suffix holds.
    public enum Suffix: UInt8, Sendable {
        /// What the application's key hook made of the request, for servers that send no `Vary`.
        case hook = 1
        /// The values of the request fields that the response's `Vary` names (RFC 9111 section 4.1).
        case vary = 2
    }

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

    /// The key of one representation among those that share this key.
    public func appending(_ suffix: Suffix, _ value: UnsafeRawBufferPointer, hasher: KeyHasher) -> CacheKey {
        var longer = bytes
        longer.reserveCapacity(bytes.count + 6 + value.count)
        longer.append(0)
        longer.append(suffix.rawValue)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value.count).bigEndian) { longer.append(contentsOf: $0) }
        longer.append(contentsOf: value)
        return CacheKey(canonical: longer, hasher: hasher)
    }

    /// The URL alone, without what tells its representations apart.
    public var url: ArraySlice<UInt8> { bytes.prefix { $0 != 0 } }

    /// Lends the bytes for the length of the call.
    public func withBytes<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(read)
    }

    /// The 128 bits stand for the bytes; equality compares them all.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash.low) }
}
