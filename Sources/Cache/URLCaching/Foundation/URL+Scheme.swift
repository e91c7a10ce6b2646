extension URL {
    /// The URL with its scheme in lower case, which stands for the same (RFC 3986, section 3.1). Foundation on Linux
    /// compares schemes as they are written.
    var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
