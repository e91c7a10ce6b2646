import Platform

/// The places of keys in a ``FlawedCache``.
extension FlawedCache {
    func isSame(_ entry: FlawedEntry, _ key: FlawedKey) -> Bool {
        entry.key == key.text
            || [.truncatedHash, .lowHash, .seededHash, .comparesHashes, .samplesKeys].contains(flaw)
    }

    /// Whether a file that has the name of a key's holds its entry.
    func isNamed(_ entry: FlawedEntry, _ key: FlawedKey) -> Bool {
        [.weakFileName, .fileWithoutKey, .cutsNames, .foldsNames].contains(flaw) || isSame(entry, key)
    }

    /// The place of a key: there is one for all keys if they collide.
    func slot(_ key: FlawedKey) -> String {
        if collides { return "0" }
        let hash = key.hash
        if flaw == .lowHash { return String(hash & 0xFFFF_FFFF) }
        if flaw == .weakFileName { return String(key.text.utf8.reduce(UInt32(5_381)) { $0 &* 33 &+ UInt32($1) }) }
        if flaw == .fileWithoutKey { return String((hash &* 0x9E37_79B9_7F4A_7C15) >> 8, radix: 16) }
        if flaw == .cutsNames { return String(fnv1a(key.text.prefix(100).utf8)) }
        if flaw == .foldsNames { return String(fnv1a(key.text.lowercased().utf8)) }
        if flaw == .namesFolders { return String(key.text.drop { $0 != "/" }.dropFirst(2)) }
        if flaw == .samplesKeys {
            return String(fnv1a((key.text.prefix(64) + key.text.suffix(64)).utf8)) + "-\(key.text.utf8.count)"
        }
        if flaw == .seededHash { return String(key.text.hashValue & 0xFF_FFFF) }
        return flaw == .truncatedHash ? String(hash & 0xFFFF) : String(hash) + "-" + String(key.text.utf8.count)
    }
}
