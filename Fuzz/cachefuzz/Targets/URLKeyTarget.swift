import CacheTiers

extension FuzzTarget {
    /// The input is the text of a URL.
    ///
    /// Oracle: a second reading of RFC 3986 (``URLKeyModel``) accepts the same texts and makes the same keys. The key
    /// of a key is itself. The case of scheme and host and the fragment change nothing. No variant key is a URL's key.
    /// A refusal gives a position in the text and the reason. A `String` reads the same. The hash of bytes doesn't
    /// depend on where they are read from. Reading is linear in the length.
    static let urlKey = FuzzTarget("url_key") { buffer in
        let text = [UInt8](buffer)
        require(hasher.hash(ContiguousArray(text).span.bytes) == hasher.hash(buffer), "\(text.quoted) has two hashes")
        let expected = URLKeyModel.key(of: text)
        let key: CacheKey
        do throws(URLRefusal) {
            key = try requireLinear(text.count, rate: 40, "a URL") { () throws(URLRefusal) in
                try CacheKey(url: buffer, hasher: hasher)
            }
        } catch {
            require(expected == nil, "\(text.quoted) is refused (\(error)), but \((expected ?? []).quoted) by the RFC")
            require(error.offset <= text.count, "\(text.quoted) is refused at byte \(error.offset)")
            require(!error.description.isEmpty, "\(text.quoted) is refused without a word")
            return
        }
        require(
            key.bytes == expected,
            "the key of \(text.quoted) is \(key.bytes.quoted), not \(expected?.quoted ?? "refused")")
        require(keyBytes(key.bytes) == key.bytes, "\(key.bytes.quoted) is not its own key")
        let fragment = text.firstIndex(of: UInt8(ascii: "#")).map { Array(text[..<$0]) } ?? text + Array("#x?/%41".utf8)
        if fragment.count <= CanonicalURL.longest {
            require(keyBytes(fragment) == key.bytes, "a fragment changes the key of \(text.quoted)")
        }
        require(key.bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the key of \(text.quoted) is not printable")
        let string = String(decoding: text, as: UTF8.self)
        require((try? CacheKey(url: string, hasher: hasher)) == key, "\(text.quoted) has another key as a String")
        require(key.hash == key.withBytes { hasher.hash($0) }, "the hash of \(text.quoted) is not that of its key")
        for suffix in [KeySuffix.hook, .vary] {
            var variant = key.bytes
            suffix.append(buffer, to: &variant)
            require(keyBytes(variant) == nil, "a variant of \(text.quoted) is the key of a URL")
            require(variant.starts(with: key.bytes), "a variant of \(text.quoted) has lost its URL")
        }
    }

    private static let hasher = KeyHasher(seed: KeySeed(1, 2))

    private static func keyBytes(_ text: [UInt8]) -> [UInt8]? {
        text.withUnsafeBytes { try? CacheKey(url: $0, hasher: hasher).bytes }
    }
}
