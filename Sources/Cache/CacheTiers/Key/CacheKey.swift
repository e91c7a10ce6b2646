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
    /// - Throws: `URLRefusal` when the text cannot be a key, e.g. because it has more than 65,535 bytes.
    public init(url text: UnsafeRawBufferPointer, hasher: KeyHasher) throws(URLRefusal) {
        self.init(canonical: try CanonicalURL.withBytes(of: text) { Array($0) }, hasher: hasher)
    }

    /// The key of a URL, canonicalised.
    ///
    /// - Throws: `URLRefusal` when the text cannot be a key, e.g. because it has more than 65,535 bytes.
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

/// Tells the representations of one URL apart, behind the URL in the bytes of a key.
///
/// A suffix is a zero byte, its kind, the length of its value (32 bits, big-endian), and the value. A canonical URL
/// contains no zero byte and a suffix says how long it is, so no two keys made of different parts are the same bytes,
/// whatever an application or a request puts into a value.
public enum KeySuffix: UInt8, Sendable {
    /// The result of the application's key hook for the request, for servers that send no `Vary`.
    case hook = 1
    /// The values of the request fields that the response's `Vary` names (RFC 9111 section 4.1).
    case vary = 2
    /// Marks the entry that holds parts of a representation; the value is empty (RFC 9111 section 3.4).
    case parts = 3
    /// The host and port of the request's `Host`, where they are not the URL's (RFC 9110 section 7.1).
    case host = 4

    /// Appends the suffix to the bytes of a key.
    ///
    /// - Parameters:
    ///   - value: fewer than 2³² bytes.
    ///   - key: the bytes of the key so far.
    public func append(_ value: some Collection<UInt8>, to key: inout [UInt8]) {
        key.reserveCapacity(key.count + 6 + value.count)
        key.append(0)
        key.append(rawValue)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value.count).bigEndian) { key.append(contentsOf: $0) }
        key.append(contentsOf: value)
    }
}
