import CacheTiers
import HTTPSemantics

/// The key bytes of a request.
///
/// Suffixes follow the canonical URL (`KeySuffix`):
///
///     URL                                        the response, or the index of its variants
///     URL hook(TEXT)                             the same, where the application's key hook gave a text
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
        if let addition = hook?(request) { KeySuffix.hook.append(addition.utf8, to: &primary) }
        return ResponseKey(primary: primary)
    }

    var parts: [UInt8] {
        var bytes = primary
        KeySuffix.parts.append([], to: &bytes)
        return bytes
    }

    /// The key of the variant that answers `request`; the selection must match something.
    func variant(_ selection: VarySelection, of request: HTTPRequest, in generation: UInt64) -> [UInt8] {
        let generation = withUnsafeBytes(of: generation.littleEndian) { Array($0) }
        var bytes = primary
        KeySuffix.vary.append(generation + (selection.variantKey(of: request.headerFields) ?? []), to: &bytes)
        return bytes
    }
}
