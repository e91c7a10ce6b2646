/// How a 304 brings a stored response up to date (RFC 9111, sections 3.2 and 4.3.4).
package enum Freshening {
    /// The result of a 304.
    package enum Result: Equatable, Sendable {
        /// The stored response's new fields; its status and body stay. New `StoredFacts` follow from them and from the
        /// times of the validation, so that it is fresh for another lifetime.
        case freshened(HTTPFields)
        /// The 304 is about another representation: nothing is updated, and the request goes to the origin again,
        /// without validators.
        case differs
    }

    /// The fields of the stored response after the 304.
    ///
    /// A strong `ETag` in the 304 has to be the stored one. A weak one has to match it weakly, and a `Last-Modified`
    /// alone has to be the one received, character by character: a server that rolls back is a change too. A 304 without
    /// a validator is about the stored response if the request carried the stored validators only.
    ///
    /// One deviation from RFC 9111, section 4.3.4, for servers that weaken a tag when they compress and do not when they
    /// answer 304 (nginx): if the request carried the stored validators only, a stored `W/"x"` is confirmed by `"x"`. The
    /// stored tag stays weak, since the bytes it stands for may differ.
    ///
    /// The fields of the 304 replace the stored ones; see `FieldUpdate`.
    ///
    /// - Parameters:
    ///   - stored: the fields of the stored response.
    ///   - notModified: the fields of the 304.
    ///   - sentStoredValidators: the request carried the validators of `stored` and no others.
    package static func freshen(
        _ stored: HTTPFields, with notModified: HTTPFields, sentStoredValidators: Bool
    ) -> Result {
        guard isAbout(stored, notModified, sentStoredValidators: sentStoredValidators) else { return .differs }
        var news = notModified
        if let tag = stored.firstValue("ETag"), ValidatorMatch.isWeak(tag) { news["ETag"] = tag }
        return .freshened(FieldUpdate.updated(stored, with: news))
    }

    private static func isAbout(
        _ stored: HTTPFields, _ notModified: HTTPFields, sentStoredValidators: Bool
    ) -> Bool {
        if let entityTag = notModified.firstValue("ETag") {
            guard let storedTag = stored.firstValue("ETag") else { return false }
            let isWeakEnough =
                ValidatorMatch.isWeak(entityTag) || (sentStoredValidators && ValidatorMatch.isWeak(storedTag))
            return isWeakEnough
                ? ValidatorMatch.weakly(entityTag, storedTag) : ValidatorMatch.strongly(entityTag, storedTag)
        }
        if let lastModified = notModified.firstValue("Last-Modified") {
            return ValidatorMatch.identical(lastModified, stored.firstValue("Last-Modified"))
        }
        return sentStoredValidators
    }
}
