import CacheTiers
import HTTPSemantics

/// The key bytes of a request.
///
/// Suffixes follow the canonical URL (`KeySuffix`):
///
///     URL                                        the response, or the index of its variants
///     URL host(AUTHORITY)                        the same, where the request's `Host` is not the URL's authority
///     … hook(TEXT)                               the same, where the application's key hook gave a text
///     … vary(GENERATION(8 bytes) VARIANT)        one variant: VARIANT as `VarySelection.variantKey` makes it
///     … parts()                                  the parts of a representation that is not complete
///
/// A generation belongs to one list of `Vary` names. When a response varies by another list, a new index with a new
/// generation replaces the old one, whose variants can no longer be reached.
struct ResponseKey {
    /// The key of a response that does not vary, or of the index of its variants.
    let primary: [UInt8]

    /// - Throws: if the URL cannot be a key.
    static func make(_ request: HTTPRequest, _ hook: KeyHook?) throws(URLRefusal) -> ResponseKey {
        var url = request.url
        let made = url.withUTF8 { text in
            Result { () throws(URLRefusal) in
                try CanonicalURL.withBytes(of: UnsafeRawBufferPointer(text)) { Array($0) }
            }
        }
        var primary = try made.get()
        if let other = otherAuthority(of: request, primary) { KeySuffix.host.append(other, to: &primary) }
        if let addition = hook?(request) { KeySuffix.hook.append(addition.utf8, to: &primary) }
        return ResponseKey(primary: primary)
    }

    /// Whether it has a field `Host`, so that its key may be another than its URL's. Allocates nothing.
    static func namesHost(_ request: HTTPRequest) -> Bool {
        request.headerFields.contains("Host")
    }

    /// What the request's `Host` names in the place of the URL's authority, as the URL would have it; `nil` where the
    /// two are the same. The target of a request is made with `Host` (RFC 9110, section 7.1), and several sites may be
    /// behind one address.
    private static func otherAuthority(of request: HTTPRequest, _ url: [UInt8]) -> [UInt8]? {
        guard let host = request.headerFields["Host"], let colon = url.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        // Scheme and slashes, and where the authority ends: the path begins with a slash.
        let start = colon + 3
        let end = url[start...].firstIndex(of: UInt8(ascii: "/")) ?? url.endIndex
        var named = "\(String(decoding: url[..<start], as: UTF8.self))\(host)/"
        let authority = named.withUTF8 { text in
            try? CanonicalURL.withBytes(of: UnsafeRawBufferPointer(text)) { Array($0[start...].dropLast()) }
        }
        guard let authority, !host.utf8.contains(where: { "/?#".utf8.contains($0) }) else {
            return Array(host.lowercased().utf8)
        }
        return authority.elementsEqual(url[start..<end]) ? nil : authority
    }

    var parts: [UInt8] {
        var bytes = primary
        KeySuffix.parts.append([], to: &bytes)
        return bytes
    }

    /// The key of the variant that answers `request`; the selection must match something.
    func variant(_ selection: VarySelection, of request: HTTPRequest, in generation: UInt64) -> [UInt8] {
        variant(selection.variantKey(of: request.headerFields) ?? [], in: generation)
    }

    /// The key of a variant, by its part of the key.
    func variant(_ variant: some Collection<UInt8>, in generation: UInt64) -> [UInt8] {
        let generation = withUnsafeBytes(of: generation.littleEndian) { Array($0) }
        var bytes = primary
        KeySuffix.vary.append(generation + variant, to: &bytes)
        return bytes
    }
}
