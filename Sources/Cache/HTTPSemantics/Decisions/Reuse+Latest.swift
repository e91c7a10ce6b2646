extension Reuse {
    /// The index of the most recent of several stored responses that match a request, by their `Date`; the first of equal
    /// ones; `nil` without any (RFC 9111, section 4).
    package static func latest(of candidates: [StoredFacts]) -> Int? {
        candidates.indices.reduce(nil as Int?) { latest, index in
            guard let latest else { return index }
            return candidates[index].generatedAt > candidates[latest].generatedAt ? index : latest
        }
    }
}
