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
