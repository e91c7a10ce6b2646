/// The name under which the peers that need a number for a URL keep it: the standard library's hash, 64 bits. The seed
/// is the process's, and so these peers start empty.
enum URLHash {
    static func of(_ url: [UInt8]) -> UInt64 {
        var hasher = Hasher()
        url.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
