/// The number of a URL, for peers that need one: the standard library's 64-bit hash. Its seed changes with each
/// process, so these peers start empty.
enum URLHash {
    static func of(_ url: [UInt8]) -> UInt64 {
        var hasher = Hasher()
        url.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
