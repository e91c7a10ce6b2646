/// Comparison of validators as they stand in a field (RFC 9110, section 8.8). They are compared byte by byte: a malformed
/// one is a string like any other, and `String`'s own `==` would take some different ones for equal.
enum ValidatorMatch {
    static func isWeak(_ tag: String) -> Bool { tag.utf8.starts(with: "W/".utf8) }

    /// Equal, and neither is weak (section 8.8.3.2).
    static func strongly(_ one: String, _ other: String) -> Bool { !isWeak(one) && identical(one, other) }

    /// Equal but for weakness (section 8.8.3.2).
    static func weakly(_ one: String, _ other: String) -> Bool { opaque(one).elementsEqual(opaque(other)) }

    static func identical(_ one: String, _ other: String?) -> Bool {
        guard let other else { return false }
        return one.utf8.elementsEqual(other.utf8)
    }

    private static func opaque(_ tag: String) -> Substring.UTF8View {
        tag.utf8.dropFirst(isWeak(tag) ? 2 : 0)
    }
}
